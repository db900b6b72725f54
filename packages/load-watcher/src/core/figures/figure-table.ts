import {
  FigureBlock,
  type FigureNames,
  RESOURCE_OFFSET,
  type Resource,
  Row,
  STATISTIC_OFFSET,
  type Statistic,
} from './figure-rows.js';
import type { Absence, AbsenceReason, NodeFigures } from './figures.js';
import { judgePercent } from './plausibility.js';

export type { Resource, Statistic } from './figure-rows.js';

export interface Figure {
  readonly node: string;
  readonly resource: Resource;
  readonly statistic: Statistic;
  readonly percent: number;
  /** The series as people know it. */
  readonly source: string;
}

/** Gathers the figures of one window: at most one of each statistic for a resource of a node. */
export class FigureTable {
  readonly #duplicateRemedy: string;
  readonly #block: FigureBlock;
  readonly #rows = new Map<string, Row>();
  readonly #absences: Absence[] = [];

  constructor(names: FigureNames) {
    const { duplicateRemedy } = names;
    this.#duplicateRemedy = duplicateRemedy === undefined ? '' : `: ${duplicateRemedy}`;
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
      this.#absent(figure, 'duplicate-series', `${both}; the higher one counts${this.#duplicateRemedy}`);
    }
    row.readFrom(resource, source);
  }

  /** Keeps the time of the oldest sample behind a node's figures. */
  sampledAt(node: string, sampleUnixMs: number): void {
    this.#rows.get(node)?.sampledAt(sampleUnixMs);
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
