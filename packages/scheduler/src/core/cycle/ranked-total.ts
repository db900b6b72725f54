import type { ScoreRange } from '../framework/plugin.js';
import { NO_VALUE } from './max-tree.js';
import type { NodeColumns } from './node-columns.js';
import { type ActiveScore, checkRange } from './score-run.js';

/** The plugins that normalise, and by what. */
export interface Ranged {
  readonly active: readonly ActiveScore[];
  readonly ranges: readonly ScoreRange[];
}

/** Total of one slot; `NO_VALUE` where it is not feasible. @throws ScoreError when a score is out of range. */
export function totalOf(
  { feasible, sums, raws }: NodeColumns,
  slot: number,
  { active, ranges }: Ranged,
): number {
  if (feasible[slot] !== 1) return NO_VALUE;
  let total = sums[slot] ?? 0;
  for (let index = 0; index < active.length; index += 1) {
    const { plugin, weight } = active[index] ?? NOTHING;
    const raw = raws[index]?.[slot] ?? 0;
    const range = ranges[index];
    const score = range === undefined || plugin.normalize === undefined ? raw : plugin.normalize(raw, range);
    checkRange(plugin.name, score);
    total += score * weight;
  }
  return total;
}

const NOTHING: Pick<ActiveScore, 'plugin' | 'weight'> = { plugin: { name: '', score: () => 0 }, weight: 0 };

/** As `scoreRange`, among the feasible slots of a column. */
export function rangeOf(feasible: Uint8Array, raws: Float64Array): ScoreRange {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let someBehind = false;
  for (let slot = 0; slot < feasible.length; slot += 1) {
    if (feasible[slot] !== 1) continue;
    const raw = raws[slot] ?? 0;
    if (raw === Number.POSITIVE_INFINITY) someBehind = true;
    else {
      if (raw < min) min = raw;
      if (raw > max) max = raw;
    }
  }
  return { min, max, someBehind };
}
