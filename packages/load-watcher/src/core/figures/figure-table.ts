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

/**
 * One node's figures in one window; kept flat, because a refresh of a large cluster has tens of thousands, most of
 * which nobody reads.
 */
class Row implements NodeFigures {
  /** By slot; NaN where there is none. */
  readonly values = [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN];
  readonly sources: string[] = [];
  sampleUnixMs: number | undefined;
  readonly #names: FigureNames;

  constructor(names: FigureNames) {
    this.#names = names;
  }

  get metrics(): readonly Metric[] {
    const { names, rollup } = this.#names;
    const metrics: Metric[] = [];
    for (const [slot, [type, operator]] of SLOTS.entries()) {
      if (!this.has(slot)) continue;
      const value = this.values[slot] ?? Number.NaN;
      const latest = operator === 'Latest';
      metrics.push({ name: latest ? '' : names[type], type, operator, rollup: latest ? '' : rollup, value });
    }
    return metrics;
  }

  /** A deviation without an average measures nothing and does not count. */
  has(slot: number): boolean {
    if (Number.isNaN(this.values[slot] ?? Number.NaN)) return false;
    return (
      slot < STATISTIC_OFFSET.STD || !Number.isNaN(this.values[slot - STATISTIC_OFFSET.STD] ?? Number.NaN)
    );
  }

  get isEmpty(): boolean {
    return !SLOTS.some((_, slot) => this.has(slot));
  }
}

/** Gathers the figures of one window: at most one of each statistic for a resource of a node. */
export class FigureTable {
  readonly #names: FigureNames;
  readonly #rows = new Map<string, Row>();
  readonly #absences: Absence[] = [];

  constructor(names: FigureNames) {
    this.#names = names;
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
    const before = row.values[slot] ?? Number.NaN;
    if (Number.isNaN(before)) {
      row.values[slot] = percent;
    } else {
      row.values[slot] = Math.max(before, percent);
      const both = `several series give its ${statistic}: ${before} % and ${percent} %`;
      this.#absent(
        figure,
        'duplicate-series',
        `${both}; the higher one counts. Narrow the query with a matcher`,
      );
    }
    if (!row.sources.includes(source)) row.sources.push(source);
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
      row = new Row(this.#names);
      this.#rows.set(node, row);
    }
    return row;
  }

  #absent({ node, resource }: Figure, reason: AbsenceReason, detail: string): void {
    this.#absences.push({ subject: node, metric: resource, reason, detail });
  }
}
