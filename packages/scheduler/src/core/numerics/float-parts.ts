/** A number as `fraction * 2^exponent` with 0.5 <= |fraction| < 1. */
export interface FloatParts {
  readonly fraction: number;
  readonly exponent: number;
}

const EXPONENT_BIAS = 1022;
const TWO_52 = 2 ** 52;

/** @param value finite. 0 has exponent 0. */
export function floatParts(value: number): FloatParts {
  if (value === 0) return { fraction: value, exponent: 0 };
  const subnormal = Math.abs(value) < 2 ** -1022;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, subnormal ? value * TWO_52 : value);
  const head = view.getUint16(0);
  const exponent = ((head >> 4) & 0x7ff) - EXPONENT_BIAS;
  view.setUint16(0, (head & 0x800f) | (EXPONENT_BIAS << 4));
  return { fraction: view.getFloat64(0), exponent: subnormal ? exponent - 52 : exponent };
}

/** `fraction * 2^exponent`, rounded once; 0 or infinite where it goes beyond the doubles. */
export function fromFloatParts({ fraction, exponent }: FloatParts): number {
  if (!Number.isFinite(fraction)) return fraction;
  const { fraction: normal, exponent: shift } = floatParts(fraction);
  const total = Math.max(-1100, Math.min(1100, exponent + shift));
  if (total > 1000) return normal * 2 ** 1000 * 2 ** (total - 1000);
  if (total < -1000) return normal * 2 ** (total + 1000) * 2 ** -1000;
  return normal * 2 ** total;
}
