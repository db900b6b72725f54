import type { ScoreRange } from '../../framework/plugin.js';
import { percentShare } from '../../numerics/percent-share.js';
import type { TrafficKind } from './traffic-kind.js';

const MAX_NODE_SCORE = 100;
/** Of a node without a value, where that is to be neutral. */
const NEUTRAL_SCORE = 50;

/** Raw score of a node without a value: it ranks behind all others. */
export const BEHIND_ALL = Number.POSITIVE_INFINITY;
/** Raw score of a node without a value that is to be neither liked nor disliked. */
export const NEUTRAL = Number.NaN;

/**
 * The score of a measured value among the feasible nodes, whole, half up. Free share: 100 for the most, in proportion
 * below; all 0 where the most is 0. Traffic: 100 for none, 0 for the most; all 100 where the most is 0.
 *
 * @param raw 0 or more, `BEHIND_ALL` or `NEUTRAL`.
 */
export function trafficScore(
  raw: number,
  { max }: Pick<ScoreRange, 'max'>,
  direction: TrafficKind['direction'],
): number {
  if (raw === BEHIND_ALL) return 0;
  if (Number.isNaN(raw)) return NEUTRAL_SCORE;
  const share = max > 0 ? percentShare(raw, max) : 0;
  return halfUp(direction === 'free' ? share : MAX_NODE_SCORE - share);
}

function halfUp(value: number): number {
  return Math.floor(value + 0.5);
}
