import { fusedMultiplyAdd, type MultiplyAdd } from './fused-multiply-add.js';

/** ln 2 in two parts. */
const LN2_UPPER = 0.693147180559663;
const LN2_LOWER = 2.8235290563031577e-13;
const OVERFLOW = 709.782712893384;
const UNDERFLOW = -746;
/** 1/8!, 1/7!, … 1/3!, as far as doubles go, then 1/2 and 1. */
const SERIES = [
  0.0001984126984126984, 0.001388888888888889, 0.008333333333333333, 0.041666666666666664,
  0.16666666666666666, 0.5, 1,
] as const;
const FIRST_COEFFICIENT = 0.0000248015873015873;

/**
 * e^x with the last bit as Go computes it on amd64 (`math.Exp`; method: N. Shibata, ISC 2010), which differs from
 * ECMAScript's in one argument of six. Off by less than 1 unit in the last place over the range where it is finite;
 * infinite from 709.44 on, where 2^1024 would be needed for scaling.
 *
 * @param multiplyAdd fused is what processors since 2013 do; without fusing one result in eleven differs.
 */
export function goExp(x: number, multiplyAdd: MultiplyAdd = fusedMultiplyAdd): number {
  if (Number.isNaN(x) || x > OVERFLOW) return x > OVERFLOW ? Number.POSITIVE_INFINITY : x;
  if (x < UNDERFLOW) return 0;
  const exponent = roundHalfEven(x * Math.LOG2E);
  const rest = multiplyAdd(-exponent, LN2_LOWER, multiplyAdd(-exponent, LN2_UPPER, x)) * 0.0625;
  let sum = FIRST_COEFFICIENT;
  for (const coefficient of SERIES) sum = multiplyAdd(sum, rest, coefficient);
  let minusOne = rest * sum;
  for (let doubling = 0; doubling < 3; doubling += 1) minusOne *= minusOne + 2;
  return scaled(multiplyAdd(minusOne, minusOne + 2, 1), exponent);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const part = value - floor;
  if (part !== 0.5) return part < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

function scaled(value: number, exponent: number): number {
  if (exponent >= 1024) return Number.POSITIVE_INFINITY;
  if (exponent > -1023) return value * 2 ** exponent;
  return exponent < -1075 ? 0 : value * 2 ** (exponent + 1022) * 2 ** -1022;
}
