/**
 * Whole numbers as Kubernetes counts them: 64-bit, exact, saturating.
 *
 * A value inside ±(2^53−1) is a JavaScript number, anything wider a bigint. Each function returns that normal
 * form, so that everyday clusters never leave number arithmetic and absurd ones stay exact all the same.
 */
export type Int64 = number | bigint;

export const INT64_MAX = 9223372036854775807n;
export const INT64_MIN = -9223372036854775808n;

/** Brings a whole number to normal form, clamped to the int64 range. */
export function toInt64(value: bigint): Int64 {
  const clamped = value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;
  const asNumber = Number(clamped);
  return Number.isSafeInteger(asNumber) ? asNumber : clamped;
}

export function addInt64(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toInt64(BigInt(a) + BigInt(b));
}

export function subInt64(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return toInt64(BigInt(a) - BigInt(b));
}

export function maxInt64(a: Int64, b: Int64): Int64 {
  return a < b ? b : a;
}

/** `a * b / divisor`, truncated toward zero as Go's integer division does. `divisor` must not be 0. */
export function mulDivInt64(a: Int64, b: Int64, divisor: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number' && typeof divisor === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return Math.trunc(product / divisor) + 0;
  }
  return toInt64((BigInt(a) * BigInt(b)) / BigInt(divisor));
}

/** The nearest double, for the few formulas that are defined on floating point. */
export function int64ToNumber(value: Int64): number {
  return Number(value);
}
