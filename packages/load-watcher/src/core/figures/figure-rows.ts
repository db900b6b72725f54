import type { Metric } from '@catamaran/model';
import type { NodeFigures } from './figures.js';

export type Resource = 'CPU' | 'Memory';
export type Statistic = 'AVG' | 'STD' | 'Latest';

export interface FigureNames {
  /** `name` of the metrics of each resource, and their `rollup`. */
  readonly names: Readonly<Record<Resource, string>>;
  readonly rollup: string;
  /** What to do about several series of one node, where the source lets one choose among them. */
  readonly duplicateRemedy?: string;
}

/** Order of the wire format: averages, latest samples, deviations; CPU before memory. */
const SLOTS: readonly (readonly [Resource, Statistic])[] = [
  ['CPU', 'AVG'],
  ['Memory', 'AVG'],
  ['CPU', 'Latest'],
  ['Memory', 'Latest'],
  ['CPU', 'STD'],
  ['Memory', 'STD'],
];
export const STATISTIC_OFFSET: Readonly<Record<Statistic, number>> = { AVG: 0, Latest: 2, STD: 4 };
export const RESOURCE_OFFSET: Readonly<Record<Resource, number>> = { CPU: 0, Memory: 1 };

/** Figures of all nodes of a window in columns: objects for each would be the larger part of a refresh's garbage. */
export class FigureBlock {
  readonly names: FigureNames;
  /** Per node: Unix milliseconds, and what CPU and memory were read from. */
  readonly sampleUnixMs: (number | undefined)[] = [];
  readonly cpuSource: (string | undefined)[] = [];
  readonly memorySource: (string | undefined)[] = [];
  #cells = new Float64Array(64 * SLOTS.length).fill(Number.NaN);
  #rows = 0;

  constructor(names: FigureNames) {
    this.names = names;
  }

  /** Number of a further node. */
  newRow(): number {
    if (this.#rows * SLOTS.length === this.#cells.length) {
      const cells = new Float64Array(2 * this.#cells.length).fill(Number.NaN);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    this.#rows += 1;
    return this.#rows - 1;
  }

  /** NaN where there is none. */
  get(row: number, slot: number): number {
    return this.#cells[row * SLOTS.length + slot] ?? Number.NaN;
  }

  set(row: number, slot: number, value: number): void {
    this.#cells[row * SLOTS.length + slot] = value;
  }
}

/**
 * One node's figures in one window. A refresh of a large cluster has tens of thousands, most of which nobody reads, so
 * metrics are made when they are asked for.
 */
export class Row implements NodeFigures {
  readonly #block: FigureBlock;
  readonly #row: number;

  constructor(block: FigureBlock) {
    this.#block = block;
    this.#row = block.newRow();
  }

  get sampleUnixMs(): number | undefined {
    return this.#block.sampleUnixMs[this.#row];
  }

  get metrics(): readonly Metric[] {
    const { names, rollup } = this.#block.names;
    const metrics: Metric[] = [];
    for (const [slot, [type, operator]] of SLOTS.entries()) {
      if (!this.has(slot)) continue;
      const value = this.value(slot);
      const latest = operator === 'Latest';
      metrics.push({ name: latest ? '' : names[type], type, operator, rollup: latest ? '' : rollup, value });
    }
    return metrics;
  }

  get sources(): readonly string[] {
    const { cpuSource, memorySource } = this.#block;
    return [cpuSource[this.#row], memorySource[this.#row]].filter(
      (source, index, all) => source !== undefined && all.indexOf(source) === index,
    ) as string[];
  }

  value(slot: number): number {
    return this.#block.get(this.#row, slot);
  }

  set(slot: number, value: number): void {
    this.#block.set(this.#row, slot, value);
  }

  readFrom(resource: Resource, source: string): void {
    const { cpuSource, memorySource } = this.#block;
    (resource === 'CPU' ? cpuSource : memorySource)[this.#row] = source;
  }

  /** Keeps the oldest. */
  sampledAt(unixMs: number): void {
    this.#block.sampleUnixMs[this.#row] = Math.min(this.sampleUnixMs ?? unixMs, unixMs);
  }

  /** A deviation without an average measures nothing and does not count. */
  has(slot: number): boolean {
    if (Number.isNaN(this.value(slot))) return false;
    return slot < STATISTIC_OFFSET.STD || !Number.isNaN(this.value(slot - STATISTIC_OFFSET.STD));
  }

  get isEmpty(): boolean {
    return !SLOTS.some((_, slot) => this.has(slot));
  }
}
