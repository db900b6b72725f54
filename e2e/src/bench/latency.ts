import { createdToBoundMs } from '../evidence/audit-log.js';
import { Teardown } from '../process/teardown.js';
import { pause } from '../process/until.js';
import { benchPlane, benchPods, PODS_PATH } from './bench-run.js';
import { type Contender, SCHEDULER_NAMES, startContender } from './contenders.js';

const NODES = 1000;
const PODS = 600;
/** The first pods meet code that has not been compiled yet. */
const WARM_UP = 100;
const EVERY_MS = 20;

export interface LatencyFigures {
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly pods: number;
}

/** How long a pod waits for its node where nothing else happens: fifty pods a second, one after the other. */
export async function idleLatency(contender: Contender): Promise<LatencyFigures> {
  const teardown = new Teardown();
  try {
    const plane = await benchPlane(teardown, NODES);
    await startContender(plane, contender, { namespace: 'bench', profileFolder: undefined });
    for (const pod of benchPods({ pods: PODS, alike: true }, SCHEDULER_NAMES[contender])) {
      await plane.admin.create(PODS_PATH, pod);
      await pause(EVERY_MS);
    }
    await pause(2000);
    const waits = (await createdToBoundMs(plane.auditLog)).slice(WARM_UP).sort((a, b) => a - b);
    if (waits.length !== PODS - WARM_UP) throw new Error(`${waits.length} of ${PODS} pods were bound`);
    return { medianMs: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99), pods: waits.length };
  } finally {
    await teardown.run();
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
