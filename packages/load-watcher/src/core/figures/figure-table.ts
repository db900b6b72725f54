import type { Metric } from '@catamaran/model';
import type { Absence, NodeFigures } from './figures.js';
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

interface Row {
  readonly values: Map<string, number>;
  readonly sources: Set<string>;
  sampleUnixMs: number | undefined;
}

const ORDER: readonly (readonly [Resource, Statistic])[] = [
  ['CPU', 'AVG'],
  ['Memory', 'AVG'],
  ['CPU', 'Latest'],
  ['Memory', 'Latest'],
  ['CPU', 'STD'],
  ['Memory', 'STD'],
];

/** Gathers the figures of one window: at most one of each statistic for a resource of a node. */
export class FigureTable {
  readonly #rows = new Map<string, Row>();
  readonly #absences: Absence[] = [];

  /**
   * Of several series of one node the highest figure counts: replicas agree, and where they don't the busier one is
   * the safe answer. Figures that can't be are kept out, with a reason.
   */
  add(figure: Figure): void {
    const { node, resource, statistic, percent } = figure;
    const bad = judgePercent(percent);
    if (bad !== undefined) {
      this.#absences.push({
        subject: node,
        metric: resource,
        ...bad,
        detail: `${statistic} of ${figure.source}: ${bad.detail}`,
      });
      return;
    }
    const row = this.#row(node);
    const key = `${resource} ${statistic}`;
    const before = row.values.get(key);
    if (before !== undefined) {
      this.#absences.push({
        subject: node,
        metric: resource,
        reason: 'duplicate-series',
        detail: `several series give its ${statistic}: ${before} % and ${percent} %; the higher one counts. Narrow the query with a matcher`,
      });
    }
    row.values.set(key, before === undefined ? percent : Math.max(before, percent));
    row.sources.add(figure.source);
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
        nodes.set(name, { metrics, sampleUnixMs: row.sampleUnixMs, sources: [...row.sources] });
      }
    }
    return nodes;
  }

  #row(node: string): Row {
    const known = this.#rows.get(node);
    if (known !== undefined) return known;
    const row: Row = { values: new Map(), sources: new Set(), sampleUnixMs: undefined };
    this.#rows.set(node, row);
    return row;
  }
}

function metricsOf(row: Row, { names, rollup }: FigureNames): Metric[] {
  const metrics: Metric[] = [];
  for (const [type, operator] of ORDER) {
    const value = row.values.get(`${type} ${operator}`);
    if (value === undefined || (operator === 'STD' && !row.values.has(`${type} AVG`))) continue;
    const latest = operator === 'Latest';
    metrics.push({ name: latest ? '' : names[type], type, operator, rollup: latest ? '' : rollup, value });
  }
  return metrics;
}
