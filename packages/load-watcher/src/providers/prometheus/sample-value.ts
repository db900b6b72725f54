/** Digits or a point, but no prefix of another base; what follows is up to `Number`. */
const DECIMAL_START = /^[+-]?(?:[1-9.]|0(?![xob]))/i;
const [ZERO, NINE, POINT] = [48, 57, 46];
const INFINITY = /^([+-]?)inf(inity)?$/i;

/** A sample's text as Prometheus writes it: decimal, exponent, `NaN`, `+Inf`, `-Inf`. Anything else is NaN. */
export function parseSampleValue(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN;
  if (startsDecimal(text)) return Number(text);
  if (DECIMAL_START.test(text)) return Number(text);
  const infinity = INFINITY.exec(text);
  if (infinity === null) return Number.NaN;
  return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The usual case, told without a regular expression: `0.…`, or a digit from 1 to 9. */
function startsDecimal(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === ZERO ? text.charCodeAt(1) === POINT : first > ZERO && first <= NINE;
}
