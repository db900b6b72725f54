import type { Resource } from '../figures/figure-table.js';

export interface RollingWindowOptions {
  /** The longest window that is asked for, in seconds. */
  readonly longestSeconds: number;
  /** Distance between samples, in seconds: sizes the ring and says how many samples a full window has. */
  readonly intervalSeconds: number;
}

export interface UsageSample {
  readonly unixMs: number;
  /** Percent of capacity; absent when unknown. */
  readonly percent: Readonly<Partial<Record<Resource, number>>>;
}

export interface WindowStatistics {
  readonly average: number;
  /** Of the population, as PromQL's stddev_over_time; one sample has none. */
  readonly deviation: number | undefined;
}

const COLUMNS = 3;
const COLUMN: Readonly<Record<Resource, number>> = { CPU: 1, Memory: 2 };
/** A window with fewer of its samples than this share has gaps too wide for an average. */
const MIN_COVERAGE = 0.5;

/** Replicas of a source, asked in turn, are less than this apart. */
const MAX_BEHIND_MS = 120_000;

interface Ring {
  /** Rows of time, CPU, memory; NaN where unknown. */
  readonly cells: Float64Array;
  /** Changes when the name is given to another machine. */
  readonly identity: string;
  next: number;
  count: number;
  newestMs: number;
}

/**
 * The last samples of each node, and average and deviation over windows of them. Memory is `bytesPerNode` for each
 * node, whatever happens; asking for a window costs one pass over its samples.
 */
export class RollingWindows {
  readonly #options: RollingWindowOptions;
  readonly #slots: number;
  readonly #rings = new Map<string, Ring>();

  constructor(options: RollingWindowOptions) {
    this.#options = options;
    this.#slots = Math.ceil(options.longestSeconds / options.intervalSeconds) + 2;
  }

  /** Of the samples themselves; the map's entry and the name come on top. */
  get bytesPerNode(): number {
    return this.#slots * COLUMNS * Float64Array.BYTES_PER_ELEMENT;
  }

  get nodeCount(): number {
    return this.#rings.size;
  }

  /**
   * Ignores a sample that is not newer than the last one: the source has not measured again. One that is older by
   * minutes says that clocks were set back: what was kept before is of another time and is dropped.
   */
  add(node: string, identity: string, sample: UsageSample): void {
    const newestMs = this.#rings.get(node)?.newestMs ?? sample.unixMs;
    if (newestMs - sample.unixMs > MAX_BEHIND_MS) this.#rings.delete(node);
    const ring = this.#ring(node, identity);
    if (sample.unixMs <= ring.newestMs) return;
    const row = ring.next * COLUMNS;
    ring.cells[row] = sample.unixMs;
    ring.cells[row + COLUMN.CPU] = sample.percent.CPU ?? Number.NaN;
    ring.cells[row + COLUMN.Memory] = sample.percent.Memory ?? Number.NaN;
    ring.next = (ring.next + 1) % this.#slots;
    ring.count = Math.min(ring.count + 1, this.#slots);
    ring.newestMs = sample.unixMs;
  }

  /** Drops nodes that no longer exist. */
  keepOnly(exists: (node: string) => boolean): void {
    for (const node of this.#rings.keys()) {
      if (!exists(node)) this.#rings.delete(node);
    }
  }

  /**
   * Statistics over the samples of `(endMs − windowSeconds, endMs]`, or undefined until the node's samples fill that
   * window: they must reach back to within one interval of its start, and half of them must be there.
   */
  statistics(
    node: string,
    resource: Resource,
    window: { readonly seconds: number; readonly endMs: number },
  ): WindowStatistics | undefined {
    const ring = this.#rings.get(node);
    if (ring === undefined) return undefined;
    const startMs = window.endMs - window.seconds * 1000;
    const intervalMs = this.#options.intervalSeconds * 1000;
    if (firstSampleMs(ring) > startMs + intervalMs) return undefined;
    const column = COLUMN[resource];
    let oldestMs = Number.POSITIVE_INFINITY;
    let count = 0;
    let sum = 0;
    for (let row = 0; row < ring.count * COLUMNS; row += COLUMNS) {
      const atMs = ring.cells[row] ?? Number.NaN;
      const value = ring.cells[row + column] ?? Number.NaN;
      if (Number.isNaN(value) || atMs > window.endMs) continue;
      if (atMs < oldestMs) oldestMs = atMs;
      if (atMs <= startMs) continue;
      count += 1;
      sum += value;
    }
    const expected = window.seconds / this.#options.intervalSeconds;
    if (oldestMs > startMs + intervalMs || count < Math.max(1, expected * MIN_COVERAGE)) return undefined;
    const average = sum / count;
    const deviation =
      count > 1 ? deviationOf(ring, { column, startMs, endMs: window.endMs, average }) : undefined;
    return { average, deviation };
  }

  #ring(node: string, identity: string): Ring {
    const known = this.#rings.get(node);
    if (known?.identity === identity) return known;
    const ring: Ring = {
      cells: new Float64Array(this.#slots * COLUMNS),
      identity,
      next: 0,
      count: 0,
      newestMs: Number.NEGATIVE_INFINITY,
    };
    this.#rings.set(node, ring);
    return ring;
  }
}

/** Of the population; a second pass over the samples, since the quick formula loses digits when they are close. */
function deviationOf(
  ring: Ring,
  window: {
    readonly column: number;
    readonly startMs: number;
    readonly endMs: number;
    readonly average: number;
  },
): number {
  let count = 0;
  let squares = 0;
  for (let row = 0; row < ring.count * COLUMNS; row += COLUMNS) {
    const atMs = ring.cells[row] ?? Number.NaN;
    const value = ring.cells[row + window.column] ?? Number.NaN;
    if (Number.isNaN(value) || atMs <= window.startMs || atMs > window.endMs) continue;
    count += 1;
    squares += (value - window.average) ** 2;
  }
  return Math.sqrt(squares / count);
}

/** Time of the oldest sample that is kept. */
function firstSampleMs({ cells, next, count }: Ring): number {
  const isFull = count * COLUMNS === cells.length;
  return cells[isFull ? next * COLUMNS : 0] ?? Number.NaN;
}
