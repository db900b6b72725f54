import { packingCurve } from '../target-load-packing/score.js';
import type { ScoredSignalArgs } from './args.js';

const MAX_NODE_SCORE = 100;
/** Of a node of which nothing is known, where that is to be neutral. */
const NEUTRAL_SCORE = 50;

/** How one signal is scored. */
export type SignalRule = Pick<ScoredSignalArgs, 'direction' | 'target' | 'ceiling' | 'weight' | 'missing'>;

/**
 * What one value is worth, 0..100, not rounded. `spread`: 100 less the percentage. `pack`: TargetLoadPacking's curve.
 * `avoid`: 100. Above its ceiling a value is worth nothing.
 */
export function signalScore(
  percent: number,
  { direction, target = MAX_NODE_SCORE, ceiling }: SignalRule,
): number {
  if (ceiling !== undefined && percent > ceiling) return 0;
  if (direction === 'avoid') return MAX_NODE_SCORE;
  if (direction === 'pack') return packingCurve(percent, target);
  return Math.max(0, MAX_NODE_SCORE - percent);
}

/**
 * The weighted mean of the signals, whole, half up; 0 where one of them is above its ceiling. A missing value counts 0,
 * or leaves its signal out; where all are left out the node is neutral.
 *
 * @param percentAt the value of the rule at a position; NaN where there is none.
 */
export function nodeSignalsScore(rules: readonly SignalRule[], percentAt: (index: number) => number): number {
  let sum = 0;
  let weights = 0;
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    if (rule === undefined) continue;
    const percent = percentAt(index);
    const isMissing = Number.isNaN(percent);
    if (isMissing && rule.missing === 'skip') continue;
    if (!isMissing && rule.ceiling !== undefined && percent > rule.ceiling) return 0;
    sum += isMissing ? 0 : rule.weight * signalScore(percent, rule);
    weights += rule.weight;
  }
  return weights === 0 ? NEUTRAL_SCORE : Math.floor(sum / weights + 0.5);
}
