const PERCENT = 100;

/** A part in percent of a whole above 0. A part so large that a hundred of it is no number is divided first. */
export function percentShare(part: number, whole: number): number {
  const hundredfold = PERCENT * part;
  return Number.isFinite(hundredfold) ? hundredfold / whole : (part / whole) * PERCENT;
}
