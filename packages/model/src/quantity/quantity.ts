import { problem, type Result } from '../result.js';
import { type Int64, toInt64 } from './int64.js';

/**
 * A Kubernetes resource.Quantity: a decimal number with at most nine decimals, kept as whole nano-units.
 *
 * Grammar, rounding and limits are those of apimachinery's resource.Quantity; instead of wrapping around on
 * overflow, reads saturate at the int64 limits.
 */
export interface Quantity {
  /** Value × 10^9, rounded away from zero. */
  readonly nano: bigint;
  /** Which suffix family the text used; decides how the value is printed. */
  readonly format: QuantityFormat;
}

export type QuantityFormat = 'decimalSI' | 'binarySI' | 'decimalExponent';

const NANO_PER_UNIT = 1_000_000_000n;
const NANO_PER_MILLI = 1_000_000n;
const BINARY_CAP_NANO = 9223372036854775807n * NANO_PER_UNIT;
/** Exponents beyond this can't change the outcome: the value is 0 < x < 1n, or far above int64. */
const EXPONENT_LIMIT = 40;
/** Longer texts are refused before any arithmetic, so that cost stays bounded. */
const MAX_TEXT_LENGTH = 256;

const DECIMAL_EXPONENT: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_SHIFT: Readonly<Record<string, bigint>> = {
  Ki: 10n,
  Mi: 20n,
  Gi: 30n,
  Ti: 40n,
  Pi: 50n,
  Ei: 60n,
};

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*)([+-]?\d*)$/;

/**
 * Parses a quantity as it stands in JSON: a string, or a finite number.
 *
 * @returns the quantity, or a sentence naming the text and the remedy.
 */
export function parseQuantity(input: unknown): Result<Quantity> {
  if (typeof input === 'number') return parseNumber(input);
  if (typeof input !== 'string') {
    return problem(`expected a quantity such as "500m" or "1Gi", got ${describe(input)}`);
  }
  return parseText(input);
}

function parseNumber(input: number): Result<Quantity> {
  if (!Number.isFinite(input)) return problem(`${String(input)} is not a quantity`);
  return parseText(String(input));
}

function parseText(text: string): Result<Quantity> {
  if (text.length > MAX_TEXT_LENGTH) {
    return problem(`a quantity of ${text.length} characters is longer than the ${MAX_TEXT_LENGTH} allowed`);
  }
  const match = SHAPE.exec(text);
  if (match === null || text === '') return problem(`"${text}" is not a quantity${hint(text)}`);
  const [, sign = '', whole = '', fraction = '', letters = '', tail = ''] = match;
  if (whole === '' && fraction === '' && !text.includes('.')) {
    return problem(`"${text}" is not a quantity${hint(text)}`);
  }
  const scale = readSuffix(letters, tail);
  if (scale === undefined) return problem(`"${text}" has an unknown suffix${hint(text)}`);
  const digits = BigInt(`${whole}${fraction}` || '0');
  const magnitude = scaleToNano(digits, fraction.length, scale);
  return { ok: true, value: { nano: sign === '-' ? -magnitude : magnitude, format: scale.format } };
}

interface Scale {
  readonly format: QuantityFormat;
  /** Power of ten, or of two for the binary family. */
  readonly exponent: number;
}

function readSuffix(letters: string, tail: string): Scale | undefined {
  if ((letters === 'e' || letters === 'E') && /\d/.test(tail)) {
    const exponent = Number(tail);
    if (!Number.isSafeInteger(exponent)) return undefined;
    return { format: 'decimalExponent', exponent };
  }
  if (tail !== '') return undefined;
  const shift = Object.hasOwn(BINARY_SHIFT, letters) ? BINARY_SHIFT[letters] : undefined;
  if (shift !== undefined) return { format: 'binarySI', exponent: Number(shift) };
  const exponent = Object.hasOwn(DECIMAL_EXPONENT, letters) ? DECIMAL_EXPONENT[letters] : undefined;
  return exponent === undefined ? undefined : { format: 'decimalSI', exponent };
}

function scaleToNano(digits: bigint, decimals: number, scale: Scale): bigint {
  if (scale.format === 'binarySI') {
    const nano = divideUp((digits << BigInt(scale.exponent)) * NANO_PER_UNIT, 10n ** BigInt(decimals));
    return nano > BINARY_CAP_NANO ? BINARY_CAP_NANO : nano;
  }
  if (digits === 0n) return 0n;
  const limit = EXPONENT_LIMIT + decimals;
  const bounded = Math.max(-limit - MAX_TEXT_LENGTH, Math.min(limit, scale.exponent));
  const power = bounded + 9 - decimals;
  return power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
}

/** Rounds up; both operands are non-negative. */
function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

function ceilAwayFromZero(nano: bigint, unit: bigint): Int64 {
  return toInt64(nano < 0n ? -divideUp(-nano, unit) : divideUp(nano, unit));
}

/** Whole units, rounded away from zero: Go's `Value()`. Bytes for memory, a count for pods. */
export function quantityValue(quantity: Quantity): Int64 {
  return ceilAwayFromZero(quantity.nano, NANO_PER_UNIT);
}

/** Thousandths, rounded away from zero: Go's `MilliValue()`. Milli-CPU for cpu. */
export function quantityMilliValue(quantity: Quantity): Int64 {
  return ceilAwayFromZero(quantity.nano, NANO_PER_MILLI);
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** Canonical text: the largest suffix of the value's own family that leaves no fraction. */
export function formatQuantity(quantity: Quantity): string {
  const { nano } = quantity;
  if (nano === 0n) return '0';
  const sign = nano < 0n ? '-' : '';
  const magnitude = nano < 0n ? -nano : nano;
  const wholeUnits = magnitude % NANO_PER_UNIT === 0n;
  if (quantity.format === 'binarySI' && wholeUnits && magnitude >= 1024n * NANO_PER_UNIT) {
    return sign + formatBinary(magnitude / NANO_PER_UNIT);
  }
  return sign + formatDecimal(magnitude, quantity.format === 'decimalExponent');
}

function formatBinary(units: bigint): string {
  let best = { suffix: '', shift: 0n };
  for (const [suffix, shift] of Object.entries(BINARY_SHIFT)) {
    if (units % (1n << shift) === 0n) best = { suffix, shift };
  }
  return `${units >> best.shift}${best.suffix}`;
}

function formatDecimal(nano: bigint, asExponent: boolean): string {
  let exponent = -9;
  let mantissa = nano;
  while (exponent < 18 && mantissa % 1000n === 0n) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (asExponent) return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  const suffix = Object.entries(DECIMAL_EXPONENT).find(([, power]) => power === exponent)?.[0] ?? '';
  return `${mantissa}${suffix}`;
}

function describe(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  return typeof input === 'object' ? 'a map' : `${typeof input} ${String(input as symbol)}`;
}

function hint(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== text) return ': remove the white space around it';
  if (text === '') return ': it is empty; leave the key out instead';
  if (/^[+-]?\d+,\d+/.test(text)) return ': use a point for decimals';
  const match = /^[+-]?[\d.]+\s*([a-zA-Z]+)$/.exec(text);
  const meant = match?.[1] === undefined ? undefined : meantSuffix(match[1]);
  return meant === undefined
    ? ': use digits and one of n u m k M G T P E Ki Mi Gi Ti Pi Ei'
    : `: did you mean "${meant}"?`;
}

/** The suffix somebody probably meant: `KB` and `K` are `k`, `gi` is `Gi`. */
function meantSuffix(suffix: string): string | undefined {
  const lower = suffix.toLowerCase();
  const plain = lower.endsWith('b') ? lower.slice(0, -1) : lower;
  const known = [...Object.keys(BINARY_SHIFT), 'k', 'M', 'G', 'T', 'P', 'E'];
  return known.find((candidate) => candidate.toLowerCase() === plain);
}
