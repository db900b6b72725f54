import { floatParts, fromFloatParts } from './float-parts.js';
import { goExp } from './go-exp.js';
import { goLog } from './go-log.js';

/** Beyond this exponent a result can only be 0 or infinite. */
const EXPONENT_LIMIT = 4096;
const TWO_63 = 2 ** 63;

/**
 * x^y with the last bit as Go computes it (`math.Pow`); ECMAScript's differs in one of four. In particular
 * `goPow(1, Infinity)` is 1.
 *
 * @param x 0 or more; NaN below.
 */
export function goPow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (Number.isNaN(x) || Number.isNaN(y) || x < 0) return Number.NaN;
  if (x === 0) return y > 0 ? 0 : Number.POSITIVE_INFINITY;
  const magnitude = Math.abs(y);
  if (magnitude >= TWO_63 || x === Number.POSITIVE_INFINITY) {
    return x < 1 === y > 0 ? 0 : Number.POSITIVE_INFINITY;
  }
  if (magnitude === 0.5) return y > 0 ? Math.sqrt(x) : 1 / Math.sqrt(x);
  return finitePow(x, y);
}

/** The fraction of the power by logarithm, the whole part by repeated squaring. */
function finitePow(x: number, y: number): number {
  const magnitude = Math.abs(y);
  const floor = Math.floor(magnitude);
  const over = magnitude - floor > 0.5;
  const whole = over ? floor + 1 : floor;
  const rest = over ? magnitude - floor - 1 : magnitude - floor;
  const start = rest === 0 ? 1 : goExp(rest * goLog(x));
  const { fraction, exponent } = timesWholePower(start, x, whole);
  return y < 0
    ? fromFloatParts({ fraction: 1 / fraction, exponent: -exponent })
    : fromFloatParts({ fraction, exponent });
}

function timesWholePower(
  start: number,
  x: number,
  power: number,
): { readonly fraction: number; readonly exponent: number } {
  let result = start;
  let resultExponent = 0;
  let { fraction: square, exponent: squareExponent } = floatParts(x);
  for (let left = power; left > 0; left = Math.floor(left / 2)) {
    if (Math.abs(squareExponent) > EXPONENT_LIMIT) {
      resultExponent += squareExponent;
      break;
    }
    if (left % 2 === 1) {
      result *= square;
      resultExponent += squareExponent;
    }
    square *= square;
    squareExponent *= 2;
    if (square < 0.5) {
      square += square;
      squareExponent -= 1;
    }
  }
  return { fraction: result, exponent: resultExponent };
}
