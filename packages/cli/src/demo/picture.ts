import { type Logger, SystemClock } from '@catamaran/platform';
import { seededPlan } from './plan/seeded-plan.js';
import { DemoRun } from './run/demo-run.js';
import { FREE_PORTS, startDemoWorlds } from './run/demo-worlds.js';
import type { DemoView } from './view/demo-view.js';
import { finalTable } from './view/final-table.js';
import { renderFrame } from './view/frame.js';

const SIZE = { nodes: 40, pods: 500, seed: 1 };
const SCREEN = { columns: 110, rows: 26 };
const SHOWN_AT_MS = 60 * 60_000;

/** One frame of the live view, an hour into the default run, and the table at its end: for documents. */
export async function demoPicture(log: Logger, stop: AbortSignal): Promise<readonly string[]> {
  const plan = seededPlan(SIZE);
  const wallClock = new SystemClock();
  const worlds = await startDemoWorlds(
    { plan, seed: SIZE.seed, ports: FREE_PORTS },
    { wallClock, log, say: () => undefined },
  );
  let frame: readonly string[] = [];
  const view: DemoView = {
    update: (simulatedMs, state) => {
      if (simulatedMs === SHOWN_AT_MS) frame = renderFrame(state(), SCREEN);
    },
    close: () => undefined,
  };
  try {
    const run = new DemoRun(
      { plan, seed: SIZE.seed, speed: undefined, startMs: worlds.startMs },
      { ...worlds, wallClock, view },
    );
    const result = await run.run(stop);
    return [...frame, '', ...finalTable(result, plan.notes)];
  } finally {
    await worlds.close();
  }
}
