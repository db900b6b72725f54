import type { Metric } from '@catamaran/model';
import type { Absence, AbsenceReason, NodeFigures } from './figures.js';
import { judgePercent } from './plausibility.js';

export type Resource = 'CPU' | 'Memory';
export type Statistic = 'AVG' | 'STD' | 'Latest';

export interface Figure {
  readonly node: string;
  readonly resource: Resource;
  readonly statistic: Statistic;
  readonly percent: number;
  /** The series as people know it. */
  readonly source: string;
}

export interface FigureNames {
  /** `name` of the metrics of each resource, and their `rollup`. */
  readonly names: Readonly<Record<Resource, string>>;
  readonly rollup: string;
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
const STATISTIC_OFFSET: Readonly<Record<Statistic, number>> = { AVG: 0, Latest: 2, STD: 4 };
const RESOURCE_OFFSET: Readonly<Record<Resource, number>> = { CPU: 0, Memory: 1 };

/** Figures of all nodes of a window in one block: six numbers a node. */
class FigureBlock {
  readonly names: FigureNames;
  #cells = new Float64Array(64 * SLOTS.length).fill(Number.NaN);
  #rows = 0;

  constructor(names: FigureNames) {
    this.names = names;
  }

  /** Where the figures of a further node begin. */
  newRow(): number {
    const at = this.#rows * SLOTS.length;
    if (at === this.#cells.length) {
      const cells = new Float64Array(2 * this.#cells.length).fill(Number.NaN);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    this.#rows += 1;
    return at;
  }

  /** NaN where there is none. */
  get(at: number): number {
    return this.#cells[at] ?? Number.NaN;
  }

  set(at: number, value: number): void {
    this.#cells[at] = value;
  }
}

/**
 * One node's figures in one window. A refresh of a large cluster has tens of thousands, most of which nobody reads, so
 * metrics are made when they are asked for.
 */
class Row implements NodeFigures {
  sampleUnixMs: number | undefined;
  cpuSource: string | undefined;
  memorySource: string | undefined;
  readonly #block: FigureBlock;
  readonly #at: number;

  constructor(block: FigureBlock) {
    this.#block = block;
    this.#at = block.newRow();
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
    return [this.cpuSource, this.memorySource].filter(
      (source, index, all) => source !== undefined && all.indexOf(source) === index,
    ) as string[];
  }

  value(slot: number): number {
    return this.#block.get(this.#at + slot);
  }

  set(slot: number, value: number): void {
    this.#block.set(this.#at + slot, value);
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

/** Gathers the figures of one window: at most one of each statistic for a resource of a node. */
export class FigureTable {
  readonly #block: FigureBlock;
  readonly #rows = new Map<string, Row>();
  readonly #absences: Absence[] = [];

  constructor(names: FigureNames) {
    this.#block = new FigureBlock(names);
  }

  /**
   * Of several series of one node the highest figure counts: replicas agree, and where they don't the busier one is
   * the safe answer. Figures that can't be are kept out, with a reason.
   */
  add(figure: Figure): void {
    const { node, resource, statistic, percent, source } = figure;
    const bad = judgePercent(percent);
    if (bad !== undefined) {
      this.#absent(figure, bad.reason, `${statistic} of ${source}: ${bad.detail}`);
      return;
    }
    const row = this.#row(node);
    const slot = STATISTIC_OFFSET[statistic] + RESOURCE_OFFSET[resource];
    const before = row.value(slot);
    if (Number.isNaN(before)) {
      row.set(slot, percent);
    } else {
      row.set(slot, Math.max(before, percent));
      const both = `several series give its ${statistic}: ${before} % and ${percent} %`;
      this.#absent(
        figure,
        'duplicate-series',
        `${both}; the higher one counts. Narrow the query with a matcher`,
      );
    }
    if (resource === 'CPU') row.cpuSource = source;
    else row.memorySource = source;
  }

  /** Keeps the time of the oldest sample behind a node's figures. */
  sampledAt(node: string, sampleUnixMs: number): void {
    const row = this.#rows.get(node);
    if (row !== undefined) {
      row.sampleUnixMs = Math.min(row.sampleUnixMs ?? sampleUnixMs, sampleUnixMs);
    }
  }

  get absences(): readonly Absence[] {
    return this.#absences;
  }

  /** Whether there is an average or a latest sample. */
  has(node: string, resource: Resource): boolean {
    const row = this.#rows.get(node);
    const slot = RESOURCE_OFFSET[resource];
    return row !== undefined && (row.has(slot) || row.has(slot + STATISTIC_OFFSET.Latest));
  }

  /** By node. A deviation without an average measures nothing and is left out. */
  build(): ReadonlyMap<string, NodeFigures> {
    for (const [node, row] of this.#rows) {
      if (row.isEmpty) this.#rows.delete(node);
    }
    return this.#rows;
  }

  #row(node: string): Row {
    let row = this.#rows.get(node);
    if (row === undefined) {
      row = new Row(this.#block);
      this.#rows.set(node, row);
    }
    return row;
  }

  #absent({ node, resource }: Figure, reason: AbsenceReason, detail: string): void {
    this.#absences.push({ subject: node, metric: resource, reason, detail });
  }
}
