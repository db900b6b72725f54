import { roughDuration } from '@catamaran/platform';

/** What amounts of a resource are counted in; undefined: nothing is known of it. */
export type AmountUnit = 'Milli' | 'Bytes' | 'Mebibytes' | undefined;

type Fields = Readonly<Record<string, unknown>>;

const SUFFIX = /(?:Unix)?(Seconds|Percent|Milli|Bytes|Mebibytes|Watts)$/;
const PERCENT = new Set(['percent', 'target', 'ceiling']);
/** Names of amounts within the part of a resource; the rest are shares and scores. */
const AMOUNTS = new Set([
  'capacity',
  'used',
  'unmeasured',
  'pod',
  'requests',
  'limits',
  'podRequests',
  'podLimits',
]);
const LABELS: Readonly<Record<string, string>> = {
  ageSeconds: 'age',
  metricsAgeSeconds: 'age',
  podCpuMilli: 'this pod',
  pod: 'this pod',
  missingMetrics: 'if missing',
  ifMissing: 'if missing',
  spared: 'stays though above',
};
const WORDS: Readonly<Record<string, string>> = { stale: 'too old', 'bytes per second': 'bytes/s' };
const LARGE = 1e9;
const KIBI = 1024;
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `expectedPercent` as `expected`, `smoothingWindowSize` as `smoothing window size`. */
export function label(key: string): string {
  return LABELS[key] ?? spaced(key.replace(SUFFIX, ''));
}

/** The part of a resource is named for its unit: `memoryBytes`. */
export function partLabel(key: string): { readonly name: string; readonly unit: AmountUnit } {
  const unit = SUFFIX.exec(key)?.[1];
  const isKnown = unit === 'Milli' || unit === 'Bytes' || unit === 'Mebibytes';
  return isKnown ? { name: spaced(key.replace(SUFFIX, '')), unit } : { name: key, unit: undefined };
}

/** One value with its unit; empty where there is none. @param fields those beside it, which may say its unit. */
export function fieldText(key: string, fields: Fields, amounts?: AmountUnit): string {
  const value = fields[key];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string')
    return WORDS[value] ?? (/^[a-z-]+$/.test(value) ? value.replaceAll('-', ' ') : value);
  return typeof value === 'number' ? quantity(value, unitOf(key, fields, amounts)) : '';
}

function unitOf(key: string, fields: Fields, amounts: AmountUnit): string | undefined {
  if (PERCENT.has(key)) return 'Percent';
  if (key === 'value') return typeof fields.unit === 'string' ? fields.unit : undefined;
  // A deviation is an amount where use is one, else a share.
  if (AMOUNTS.has(key) || (key === 'deviation' && fields.used !== undefined)) return amounts;
  return SUFFIX.exec(key)?.[1];
}

/** How numbers of a unit are written. */
const WRITTEN: Readonly<Record<string, (value: number) => string>> = {
  Seconds: (value) => roughDuration(value * 1000),
  Percent: (value) => `${value.toFixed(1)} %`,
  percent: (value) => `${value.toFixed(1)} %`,
  Milli: (value) => `${rounded(value)}m`,
  Bytes: bytes,
  Mebibytes: (value) => bytes(value * KIBI * KIBI),
  'bytes per second': (value) => `${bytes(value)}/s`,
  Watts: (value) => `${rounded(value)} W`,
};

function quantity(value: number, unit: string | undefined): string {
  const written = unit === undefined ? undefined : WRITTEN[unit];
  return (written ?? rounded)(value);
}

function bytes(value: number): string {
  let amount = value;
  let at = 0;
  for (; Math.abs(amount) >= KIBI && at < BYTE_UNITS.length - 1; at += 1) amount /= KIBI;
  return `${at === 0 ? rounded(amount) : amount.toFixed(1)} ${BYTE_UNITS[at] ?? ''}`;
}

/** Whole numbers as they are, others and very large ones with four digits. */
function rounded(value: number): string {
  if (Math.abs(value) >= LARGE) return value.toExponential(3);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

function spaced(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
