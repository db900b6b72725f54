import type { Cycle, ScoreRange } from '../framework/plugin.js';
import { sameRange } from '../framework/score-range.js';
import type { Best } from './best.js';
import { filterNode } from './filter-run.js';
import { MaxTree } from './max-tree.js';
import { type NodeColumns, nodeColumns } from './node-columns.js';
import type { Prepared } from './prepared.js';
import { RangeCounter } from './range-counter.js';
import { totalOf } from './ranked-total.js';
import { type ActiveScore, checkRange } from './score-run.js';

/** The memory of a class, which a later scan of it uses again: refreshed figures must not cost garbage. */
export interface ClassBuffers {
  readonly columns: NodeColumns;
  readonly tree: MaxTree;
}

export function classBuffers(nodeCount: number, rawCount: number): ClassBuffers {
  return { columns: nodeColumns(nodeCount, rawCount), tree: new MaxTree(nodeCount) };
}

/**
 * Columns of one class of pods that follow single nodes: what a change of one node costs grows with the logarithm of
 * the number of nodes, except when it moves the range that a plugin normalises by: then all totals are added up anew.
 */
export class ClassColumns {
  readonly #prepared: Prepared;
  readonly #columns: NodeColumns;
  readonly #summed: readonly ActiveScore[];
  readonly #ranged: readonly ActiveScore[];
  readonly #counters: readonly RangeCounter[];
  readonly #tree: MaxTree;
  readonly #baseTotal: number;
  #ranges: readonly ScoreRange[] = [];
  #feasibleCount = 0;

  /**
   * @param buffers with columns filled for all nodes; they belong to this object from now on.
   * @throws ScoreError when a score is out of range.
   */
  constructor(prepared: Prepared, buffers: ClassBuffers, baseTotal: number) {
    const { columns, tree } = buffers;
    this.#prepared = prepared;
    this.#columns = columns;
    this.#summed = prepared.scores.filter(({ plugin }) => plugin.normalize === undefined);
    this.#ranged = prepared.scores.filter(({ plugin }) => plugin.normalize !== undefined);
    this.#counters = this.#ranged.map(() => new RangeCounter());
    this.#tree = tree;
    this.#baseTotal = baseTotal;
    for (let slot = 0; slot < columns.feasible.length; slot += 1) {
      if (columns.feasible[slot] === 1) this.#count(slot, 1);
    }
    this.#rank();
  }

  /** For another scan of the same class, when this object is not used any more. */
  get buffers(): ClassBuffers {
    return { columns: this.#columns, tree: this.#tree };
  }

  get feasibleCount(): number {
    return this.#feasibleCount;
  }

  /** @throws ScoreError as the plugins do; the columns must not be used any more then. */
  follow(cycle: Cycle, slots: readonly number[]): void {
    for (const slot of slots) {
      if (this.#columns.feasible[slot] === 1) this.#count(slot, -1);
      this.#judge(cycle, slot);
      if (this.#columns.feasible[slot] === 1) this.#count(slot, 1);
    }
    if (this.#counters.some(({ range }, index) => !sameRange(range, this.#ranges[index]))) this.#rank();
    else for (const slot of slots) this.#tree.set(slot, this.#total(slot));
  }

  best(): Best {
    const tree = this.#tree;
    return { total: tree.max, count: tree.maxCount, slot: (k) => tree.slotOfMax(k) };
  }

  #count(slot: number, step: 1 | -1): void {
    this.#feasibleCount += step;
    this.#counters.forEach((counter, index) => {
      const raw = this.#columns.raws[index]?.[slot] ?? 0;
      if (step === 1) counter.add(raw);
      else counter.remove(raw);
    });
  }

  #judge(cycle: Cycle, slot: number): void {
    const { feasible, sums, raws } = this.#columns;
    const node = cycle.snapshot.nodeAt(slot);
    const good = filterNode(cycle, this.#prepared.filters, node) === undefined;
    feasible[slot] = good ? 1 : 0;
    if (!good) return;
    let sum = this.#baseTotal;
    for (const { plugin, weight, state } of this.#summed) {
      const score = plugin.score(cycle, node, state);
      checkRange(plugin.name, score);
      sum += score * weight;
    }
    sums[slot] = sum;
    this.#ranged.forEach(({ plugin, state }, index) => {
      const column = raws[index];
      if (column !== undefined) column[slot] = plugin.score(cycle, node, state);
    });
  }

  #rank(): void {
    this.#ranges = this.#counters.map(({ range }) => range);
    this.#tree.fill(this.#columns.feasible.length, (slot) => this.#total(slot));
  }

  #total(slot: number): number {
    return totalOf(this.#columns, slot, { active: this.#ranged, ranges: this.#ranges });
  }
}
