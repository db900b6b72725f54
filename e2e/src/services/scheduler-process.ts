import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import type { ControlPlane } from '../control-plane/control-plane.js';
import { freePorts } from '../process/free-ports.js';
import type { Program } from '../process/program.js';
import { builtMain } from './built-main.js';

export const SCHEDULER_NAME = 'catamaran';

export interface SchedulerProcess {
  readonly program: Program;
  /** Of its secure port. */
  readonly url: string;
  /** Body of a GET from its secure port. */
  get(path: string): Promise<{ readonly httpStatus: number; readonly text: string }>;
}

/** The scheduler as it ships, standalone, TargetLoadPacking in place of the scores by requests. */
export async function startScheduler(
  plane: ControlPlane,
  options: {
    readonly kubeconfig: string;
    /** Lines under `args:` of TargetLoadPacking, such as `watcherAddress: http://…`. */
    readonly packingArgs: readonly string[];
    /** Of its files; `scheduler`. */
    readonly name?: string;
    /** Of its profile; SCHEDULER_NAME. */
    readonly schedulerName?: string;
    readonly args?: readonly string[];
    /** For Node.js itself. */
    readonly nodeArgs?: readonly string[];
  },
): Promise<SchedulerProcess> {
  const { name = 'scheduler' } = options;
  const [port = 0] = await freePorts(1);
  const config = plane.file(`${name}.yaml`);
  await writeFile(config, configuration({ schedulerName: SCHEDULER_NAME, ...options }));
  const program = plane.program(
    name,
    [
      ...(options.nodeArgs ?? []),
      builtMain('scheduler'),
      `--config=${config}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      ...(options.args ?? []),
    ],
    process.execPath,
  );
  plane.stoppedAtEnd(program).start();
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  plane.teardown.add(() => agent.destroy());
  const url = `https://127.0.0.1:${port}`;
  const get = async (path: string) => {
    const answer = await request(`${url}${path}`, { dispatcher: agent });
    return { httpStatus: answer.statusCode, text: await answer.body.text() };
  };
  await program.ready('ready', async () => (await get('/readyz')).httpStatus === 200);
  return { program, url, get };
}

/** As Trimaran's users write it. */
function configuration(options: {
  readonly kubeconfig: string;
  readonly packingArgs: readonly string[];
  readonly schedulerName: string;
}): string {
  const { kubeconfig, packingArgs, schedulerName } = options;
  return `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection:
  leaderElect: false
clientConnection:
  kubeconfig: ${kubeconfig}
  qps: 1000
  burst: 2000
profiles:
  - schedulerName: ${schedulerName}
    plugins:
      score:
        disabled:
          - name: NodeResourcesBalancedAllocation
          - name: NodeResourcesFit
        enabled:
          - name: TargetLoadPacking
    pluginConfig:
      - name: TargetLoadPacking
        args:
${packingArgs.map((line) => `          ${line}\n`).join('')}`;
}
