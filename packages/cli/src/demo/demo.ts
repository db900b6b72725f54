import { type MainContext, type RunningProcess, SystemClock } from '@catamaran/platform';
import { DemoOutput } from './demo-output.js';
import type { DemoOptions } from './options.js';
import { seededPlan } from './plan/seeded-plan.js';
import type { WorldPlan } from './plan/world-plan.js';
import { DemoRun } from './run/demo-run.js';
import type { DemoPorts, DemoWorlds } from './run/demo-worlds.js';
import { readTraceFolder } from './traces/trace-folder.js';
import { tracePlan } from './traces/trace-plan.js';

/** How long a run takes on a screen unless `--speed` or `--exit` says otherwise. */
const WATCHED_RUN_SECONDS = 40;
/** The usual ones of the load-watcher and of kube-scheduler, and that of `kubectl proxy`. */
const PORTS: DemoPorts = { cluster: 8001, watcher: 2020, scheduler: 10_259 };

/** The demo as a process: starts, runs in the background, and ends by itself only with `--exit`. */
export async function startDemo(options: DemoOptions, context: MainContext): Promise<RunningProcess> {
  const output = new DemoOutput(options, { stdout: process.stdout, stderr: process.stderr });
  if (context.env.LOG_LEVEL === undefined) context.log.setLevel('warn');
  const plan = await makePlan(options);
  output.heading(plan);
  // Loaded only now: the services take half a second, and the first line should not wait for them.
  const { startDemoWorlds } = await import('./run/demo-worlds.js');
  const wallClock = new SystemClock();
  const worlds = await startDemoWorlds(
    { plan, seed: options.seed, ports: PORTS },
    { wallClock, log: context.log, say: (sentence) => output.line(sentence) },
  );
  const view = output.view(wallClock);
  const run = new DemoRun(
    { plan, seed: options.seed, speed: speedOf(options, plan), startMs: worlds.startMs },
    { ...worlds, wallClock, view },
  );
  const runAndStay = async (): Promise<number> => {
    const result = await run.run(context.stop);
    view.close();
    output.result(result, plan.notes);
    output.waiting('requests', worlds.requests.waiting());
    output.waiting('Catamaran', worlds.catamaran.waiting());
    if (options.exit) return result.bound < result.pods ? 1 : 0;
    for (const line of stayingLines(worlds)) output.line(line);
    return run.goOn(context.stop);
  };
  // Whatever fails because the services are being closed is part of stopping.
  const finished = runAndStay().catch((error: unknown) => {
    context.stop.throwIfAborted();
    throw error;
  });
  // Stopped while starting, nobody asks for the end any more.
  finished.catch(() => undefined);
  return {
    finished,
    close: async () => {
      view.close();
      await worlds.close();
    },
  };
}

async function makePlan(options: DemoOptions): Promise<WorldPlan> {
  const { source, seed } = options;
  if (source.kind === 'seeded') return seededPlan({ ...source, seed });
  return tracePlan(await readTraceFolder(source.folder), source);
}

function speedOf({ speed, exit }: DemoOptions, plan: WorldPlan): number | undefined {
  return speed ?? (exit ? undefined : (plan.simulatedMinutes * 60) / WATCHED_RUN_SECONDS);
}

function stayingLines({ watcherUrl, requests, catamaran }: DemoWorlds): readonly string[] {
  return [
    '',
    'Simulated time goes on until Ctrl-C. To look around:',
    `  real load, as the load-watcher serves it   ${watcherUrl}/watcher`,
    `  decisions of Catamaran, explained          ${catamaran.urls.scheduler}/debug/decisions`,
    `  decisions by requests, explained           ${requests.urls.scheduler}/debug/decisions`,
    `  Kubernetes-shaped API of Catamaran         ${catamaran.urls.cluster}/api/v1/pods`,
    `  Kubernetes-shaped API of requests only     ${requests.urls.cluster}/api/v1/pods`,
  ];
}
