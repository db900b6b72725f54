/** Below this the shortest text of a double needs an exponent or more decimals than Go's reader keeps. */
const SHORTEST_IS_SAFE_FROM = 1e-6;
const MAX_DECIMALS = 16;

/**
 * A finite double as plain decimal text, without an exponent.
 *
 * From 1e-6 upwards it is the shortest text that reads back as the same double, as Go's load-watcher writes it;
 * smaller magnitudes are rounded to 16 decimals, because Go's reader overflows beyond those. Negative zero is `-0`.
 */
export function plainDecimal(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && magnitude < SHORTEST_IS_SAFE_FROM) return trimZeros(value.toFixed(MAX_DECIMALS));
  const text = String(value);
  return text.includes('e') ? BigInt(value).toString() : text;
}

/** Whole seconds, as the wire has them. */
export function wholeDecimal(value: number): string {
  return plainDecimal(Math.trunc(value) + 0);
}

function trimZeros(text: string): string {
  const trimmed = text.replace(/\.?0+$/, '');
  return trimmed === '-0' || trimmed === '' ? '0' : trimmed;
}
