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
/** From the slot of a deviation to that of its average. */
const DEVIATION_TO_AVERAGE = -4;

/** One node's figures; kept flat, because there are tens of thousands of them in a refresh. */
interface Row {
  /** By slot; NaN where there is none. */
  readonly values: number[];
  readonly sources: string[];
  sampleUnixMs: number | undefined;
}

/** Gathers the figures of one window: at most one of each statistic for a resource of a node. */
export class FigureTable {
  readonly #rows = new Map<string, Row>();
  readonly #absences: Absence[] = [];

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

  /** By node, sorted by name. A deviation without an average measures nothing and is left out. */
  build(names: FigureNames): Map<string, NodeFigures> {
    const nodes = new Map<string, NodeFigures>();
    for (const name of [...this.#rows.keys()].sort()) {
      const row = this.#rows.get(name);
      const metrics = row === undefined ? [] : metricsOf(row, names);
      if (row !== undefined && metrics.length > 0) {
        nodes.set(name, { metrics, sampleUnixMs: row.sampleUnixMs, sources: row.sources });
      }
    }
    return nodes;
  }

  #row(node: string): Row {
    const known = this.#rows.get(node);
    if (known !== undefined) return known;
    const row: Row = { values: SLOTS.map(() => Number.NaN), sources: [], sampleUnixMs: undefined };
    this.#rows.set(node, row);
    return row;
  }

  #absent({ node, resource }: Figure, reason: AbsenceReason, detail: string): void {
    this.#absences.push({ subject: node, metric: resource, reason, detail });
  }
}

function metricsOf({ values }: Row, { names, rollup }: FigureNames): Metric[] {
  const metrics: Metric[] = [];
  for (const [slot, [type, operator]] of SLOTS.entries()) {
    const value = values[slot] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (operator === 'STD' && Number.isNaN(values[slot + DEVIATION_TO_AVERAGE] ?? Number.NaN)) continue;
    const latest = operator === 'Latest';
    metrics.push({ name: latest ? '' : names[type], type, operator, rollup: latest ? '' : rollup, value });
  }
  return metrics;
}
