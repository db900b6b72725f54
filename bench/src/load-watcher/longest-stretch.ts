import { readFileSync } from 'node:fs';

/** The longest time in which an event loop turned to nothing else. */
export interface Stretch {
  /** By the clock, so waiting for a core counts. */
  readonly wallMs: number;
  /** On a core; undefined where the system does not tell (it is read from Linux' /proc). */
  readonly cpuMs: number | undefined;
}

/** Looks at both clocks once a turn, all the time; what is measured beside it costs more than it would alone. */
export async function longestStretch(work: () => Promise<unknown>): Promise<Stretch> {
  let isWorking = true;
  const done = work().finally(() => {
    isWorking = false;
  });
  let wallMs = 0;
  let cpuMs: number | undefined;
  let before = now();
  while (isWorking) {
    await new Promise((resolve) => setImmediate(resolve));
    const after = now();
    wallMs = Math.max(wallMs, after.wallMs - before.wallMs);
    if (after.cpuMs !== undefined && before.cpuMs !== undefined)
      cpuMs = Math.max(cpuMs ?? 0, after.cpuMs - before.cpuMs);
    before = after;
  }
  await done;
  return { wallMs, cpuMs };
}

/** For people. */
export function stretchText({ wallMs, cpuMs }: Stretch): string {
  return `${cpuMs === undefined ? '' : `${cpuMs.toFixed(0)} ms on a core, `}${wallMs.toFixed(0)} ms by the clock`;
}

function now(): Stretch {
  return { wallMs: performance.now(), cpuMs: mainThreadCpuMs() };
}

/** The first figure of schedstat: nanoseconds on a core. */
function mainThreadCpuMs(): number | undefined {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return undefined;
  }
}
