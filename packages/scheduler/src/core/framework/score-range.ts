import type { ScoreRange } from './plugin.js';

/** @param raws raw scores of the feasible nodes; without a finite one `min` is above `max`. */
export function scoreRange(raws: Iterable<number>): ScoreRange {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let someBehind = false;
  for (const raw of raws) {
    if (raw === Number.POSITIVE_INFINITY) someBehind = true;
    else {
      if (raw < min) min = raw;
      if (raw > max) max = raw;
    }
  }
  return { min, max, someBehind };
}

export function sameRange(a: ScoreRange, b: ScoreRange | undefined): boolean {
  return a.min === b?.min && a.max === b.max && a.someBehind === b.someBehind;
}
