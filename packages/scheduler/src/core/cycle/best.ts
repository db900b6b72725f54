import { NO_VALUE } from './max-tree.js';
import type { NodeColumns } from './node-columns.js';
import { rangeOf } from './ranked-total.js';
import { type ActiveScore, checkRange } from './score-run.js';

/** The nodes with the highest total, counted in slot order. */
export interface Best {
  readonly total: number;
  readonly count: number;
  /** The k-th of them, from 0. */
  slot(k: number): number;
}

/** The best of columns that are looked at once; their sums become totals. @throws ScoreError when a score is out of range. */
export function bestOf(columns: NodeColumns, active: readonly ActiveScore[]): Best {
  const { feasible, sums } = columns;
  active.forEach((ranged, index) => {
    addNormalised(columns, ranged, index);
  });
  let max = NO_VALUE;
  let count = 0;
  for (let slot = 0; slot < feasible.length; slot += 1) {
    if (feasible[slot] !== 1) sums[slot] = NO_VALUE;
    const total = sums[slot] ?? NO_VALUE;
    if (total > max) {
      max = total;
      count = 1;
    } else if (total === max && max !== NO_VALUE) count += 1;
  }
  return { total: max, count, slot: (k) => slotOf(sums, max, k) };
}

function addNormalised(
  { feasible, sums, raws }: NodeColumns,
  { plugin, weight }: ActiveScore,
  index: number,
): void {
  const column = raws[index];
  if (column === undefined) return;
  const range = rangeOf(feasible, column);
  for (let slot = 0; slot < feasible.length; slot += 1) {
    if (feasible[slot] !== 1) continue;
    const raw = column[slot] ?? 0;
    const score = plugin.normalize?.(raw, range) ?? raw;
    checkRange(plugin.name, score);
    sums[slot] = (sums[slot] ?? 0) + score * weight;
  }
}

function slotOf(totals: Float64Array, total: number, k: number): number {
  let slot = totals.indexOf(total);
  for (let left = k; left > 0; left -= 1) slot = totals.indexOf(total, slot + 1);
  return slot;
}
