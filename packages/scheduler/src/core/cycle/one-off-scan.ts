import { NO_VALUE } from './max-tree.js';
import type { NodeColumns } from './node-columns.js';
import { rangeOf, totalOf } from './ranked-total.js';
import type { ActiveScore } from './score-run.js';

/** The nodes with the highest total, counted in slot order. */
export interface Best {
  readonly total: number;
  readonly count: number;
  /** The k-th of them, from 0. */
  slot(k: number): number;
}

/** The best of columns that are looked at once. @throws ScoreError when a score is out of range. */
export function bestOf(columns: NodeColumns, active: readonly ActiveScore[]): Best {
  const { feasible, sums, raws } = columns;
  const ranged = { active, ranges: raws.map((raw) => rangeOf(feasible, raw)) };
  let max = NO_VALUE;
  let count = 0;
  for (let slot = 0; slot < feasible.length; slot += 1) {
    const total = totalOf(columns, slot, ranged);
    sums[slot] = total;
    if (total > max) {
      max = total;
      count = 1;
    } else if (total === max && max !== NO_VALUE) count += 1;
  }
  return { total: max, count, slot: (k) => slotOf(sums, max, k) };
}

function slotOf(totals: Float64Array, total: number, k: number): number {
  let slot = totals.indexOf(total);
  for (let left = k; left > 0; left -= 1) slot = totals.indexOf(total, slot + 1);
  return slot;
}
