import { descriptorsOf } from '../evidence/process-usage.js';

export interface WatchedProcess {
  readonly pid: number;
  /** Its page of metrics. */
  readonly metrics: () => Promise<string>;
}

export interface ProcessSample {
  readonly atSeconds: number;
  readonly heapMebibytes: number;
  readonly rssMebibytes: number;
  readonly descriptors: number;
  readonly sockets: number;
}

export async function sampleOf(process: WatchedProcess, atMs: number): Promise<ProcessSample> {
  const [page, { descriptors, sockets }] = await Promise.all([process.metrics(), descriptorsOf(process.pid)]);
  return {
    atSeconds: Math.round(atMs / 1000),
    heapMebibytes: mebibytes(page, 'nodejs_heap_size_used_bytes'),
    rssMebibytes: mebibytes(page, 'process_resident_memory_bytes'),
    descriptors,
    sockets,
  };
}

function mebibytes(page: string, name: string): number {
  const [, value = 'NaN'] = new RegExp(`^${name} (\\S+)$`, 'm').exec(page) ?? [];
  return Math.round(Number(value) / 1024 ** 2);
}

/** How the end of a run may differ from its middle. */
export interface Allowance {
  readonly heapMebibytes: number;
  readonly descriptors: number;
}

/**
 * What grew from the second quarter of a run (the first is for warming up) to the last, one sentence each. Of the heap
 * the lowest points are compared, which is what is left after garbage collection.
 */
export function growth(
  name: string,
  samples: readonly ProcessSample[],
  allowed: Allowance,
): readonly string[] {
  const quarter = Math.floor(samples.length / 4);
  if (quarter === 0) return [`${name}: ${samples.length} samples are too few to tell`];
  const middle = samples.slice(quarter, 2 * quarter);
  const last = samples.slice(-quarter);
  const least = (part: readonly ProcessSample[]): number =>
    Math.min(...part.map(({ heapMebibytes }) => heapMebibytes));
  const most = (part: readonly ProcessSample[], what: 'descriptors' | 'sockets'): number =>
    Math.max(...part.map((sample) => sample[what]));
  const pairs = [
    { what: 'heap (MiB)', before: least(middle), after: least(last), limit: allowed.heapMebibytes },
    ...(['descriptors', 'sockets'] as const).map((what) => {
      return { what, before: most(middle, what), after: most(last, what), limit: allowed.descriptors };
    }),
  ];
  return pairs.flatMap(({ what, before, after, limit }) =>
    // Written so that an unknown figure counts as grown.
    after - before <= limit ? [] : [`${name}: ${what} grew from ${before} to ${after}`],
  );
}
