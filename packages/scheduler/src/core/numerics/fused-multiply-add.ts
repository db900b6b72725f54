/** Computes `a * b + c` in one way or another. */
export type MultiplyAdd = (a: number, b: number, c: number) => number;

/** With two roundings, as a processor without fused multiply-add does it. */
export const separateMultiplyAdd: MultiplyAdd = (a, b, c) => a * b + c;

/** 2^27 + 1: cuts a double into two halves of 26 bits (Veltkamp). */
const SPLITTER = 134_217_729;

/**
 * `a * b + c` rounded once, as the FMA instruction of a processor does it.
 *
 * The product and the sums are kept as unevaluated pairs that lose nothing (Dekker, Knuth); the last sum is then
 * rounded to nearest, even on a tie. Exact while no operand or product goes beyond about 2^990 or is so small that the
 * error of the product would be below the smallest double.
 */
export const fusedMultiplyAdd: MultiplyAdd = (a, b, c) => {
  const product = a * b;
  const productError = errorOfProduct(a, b, product);
  const low = c + productError;
  const lowError = errorOfSum(c, productError, low);
  const high = product + low;
  const highError = errorOfSum(product, low, high);
  const tail = lowError + highError;
  return roundedSum(high, tail, errorOfSum(lowError, highError, tail));
};

function errorOfProduct(a: number, b: number, product: number): number {
  const aHigh = upperHalf(a);
  const aLow = a - aHigh;
  const bHigh = upperHalf(b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

function upperHalf(value: number): number {
  const scaled = SPLITTER * value;
  return scaled - (scaled - value);
}

function errorOfSum(a: number, b: number, sum: number): number {
  const bVirtual = sum - a;
  return a - (sum - bVirtual) + (b - bVirtual);
}

/** `high + tail + rest`, where `rest` is too small to matter unless `high + tail` lies half-way between two doubles. */
function roundedSum(high: number, tail: number, rest: number): number {
  const sum = high + tail;
  const error = errorOfSum(high, tail, sum);
  if (rest === 0 || error === 0 || rest > 0 !== error > 0) return sum;
  const neighbour = sum + 2 * error;
  return neighbour !== sum && neighbour - sum === 2 * error ? neighbour : sum;
}
