import { floatParts } from './float-parts.js';

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/**
 * Natural logarithm with the last bit as Go computes it (`math.Log`; method and coefficients: FreeBSD's e_log.c). It
 * differs from ECMAScript's in one argument of fifty. Error below 1 unit in the last place.
 *
 * @param x 0 or a normal number (Go errs on smaller ones); NaN below 0.
 */
export function goLog(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (Number.isNaN(x) || x < 0) return Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  const { fraction, exponent } = floatParts(x);
  const small = fraction < Math.SQRT1_2;
  const k = small ? exponent - 1 : exponent;
  const f = (small ? fraction * 2 : fraction) - 1;
  const s = f / (2 + f);
  const halfSquare = 0.5 * f * f;
  return k * LN2_HIGH - (halfSquare - (s * (halfSquare + remainder(s * s)) + k * LN2_LOW) - f);
}

function remainder(s2: number): number {
  const s4 = s2 * s2;
  const odd =
    s2 *
    (0.6666666666666735 + s4 * (0.2857142874366239 + s4 * (0.1818357216161805 + s4 * 0.14798198605116586)));
  const even = s4 * (0.3999999999940942 + s4 * (0.22222198432149784 + s4 * 0.15313837699209373));
  return odd + even;
}
