import { percentShare } from '../numerics/percent-share.js';
import type { ScoreRange } from './plugin.js';

const MAX_NODE_SCORE = 100;

/** The largest raw score becomes 100, whole numbers rounded down; 0 stays 0. */
export function shareOfMax(raw: number, { max }: ScoreRange): number {
  return max === 0 ? raw : Math.floor(percentShare(raw, max));
}

/** The other way round: a raw 0 becomes 100, the largest 0. All are 100 when the largest is 0. */
export function reversedShareOfMax(raw: number, range: ScoreRange): number {
  return range.max === 0 ? MAX_NODE_SCORE : MAX_NODE_SCORE - shareOfMax(raw, range);
}
