import { ok, problem, type Result } from '@catamaran/model';

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Go keeps a duration in 64 bits of nanoseconds: 292 years. */
const MAX_MS = Number(2n ** 63n / 1_000_000n);

const SHAPE = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/**
 * Parses what Go's `time.ParseDuration` accepts: `1m30s`, `1.5h`, `500ms`, `-2s`, a bare `0`.
 * @returns milliseconds, with a fraction for units below the millisecond.
 */
export function parseDuration(text: string): Result<number> {
  if (/^[+-]?0$/.test(text)) {
    return ok(0);
  }
  if (!SHAPE.test(text)) {
    const bare = /^[+-]?\d+(\.\d+)?$/.test(text);
    return problem(
      bare
        ? `${text} has no unit; write ${text}s for seconds or ${text}ms for milliseconds`
        : `"${text}" is not a duration; write for example 500ms, 30s or 1m30s`,
    );
  }
  let sumMs = 0;
  for (const [, amount, unit] of text.matchAll(PART)) {
    sumMs += Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  }
  if (sumMs > MAX_MS) {
    return problem(`${text} is longer than the longest duration, 2562047h`);
  }
  return ok(text.startsWith('-') ? -sumMs : sumMs);
}

/** Shortest text that `parseDuration` reads back as the same number of milliseconds: `1h30m`, `90ms`, `0s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 0) {
    return `-${formatDuration(-durationMs)}`;
  }
  if (durationMs < 1_000) {
    return durationMs === 0 ? '0s' : `${decimal(durationMs)}ms`;
  }
  const hours = Math.floor(durationMs / 3_600_000);
  const minutes = Math.floor((durationMs % 3_600_000) / 60_000);
  const restMs = durationMs % 60_000;
  const seconds = Math.floor(restMs / 1_000);
  const millis = restMs % 1_000;
  return [
    hours > 0 ? `${hours}h` : '',
    minutes > 0 ? `${minutes}m` : '',
    seconds > 0 ? `${seconds}s` : '',
    millis > 0 ? `${decimal(millis)}ms` : '',
  ].join('');
}

const ROUGH_UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** For people, its two largest units, cut: `329d4h`, `5m3s`, `42s`; below a second `0s`. */
export function roughDuration(durationMs: number): string {
  const seconds = Math.floor(Math.abs(durationMs) / 1_000);
  const largest = ROUGH_UNITS.findIndex(([, size]) => seconds >= size);
  if (largest < 0) return '0s';
  let rest = seconds;
  const parts = ROUGH_UNITS.slice(largest, largest + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return `${durationMs < 0 ? '-' : ''}${parts.join('')}`;
}

/** Never in scientific notation, which no duration parser reads; precise to the nanosecond. */
function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}
