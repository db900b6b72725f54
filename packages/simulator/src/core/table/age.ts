const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Step {
  /** Applies to shorter spans. */
  readonly belowMs: number;
  readonly unitMs: number;
  readonly letter: string;
  /** A second figure, left out when it is 0. */
  readonly rest?: { readonly unitMs: number; readonly letter: string };
}

/** How kubectl rounds: the coarser the longer, two figures where the first alone would say little. */
const STEPS: readonly Step[] = [
  { belowMs: 2 * MINUTE, unitMs: SECOND, letter: 's' },
  { belowMs: 10 * MINUTE, unitMs: MINUTE, letter: 'm', rest: { unitMs: SECOND, letter: 's' } },
  { belowMs: 3 * HOUR, unitMs: MINUTE, letter: 'm' },
  { belowMs: 8 * HOUR, unitMs: HOUR, letter: 'h', rest: { unitMs: MINUTE, letter: 'm' } },
  { belowMs: 2 * DAY, unitMs: HOUR, letter: 'h' },
  { belowMs: 8 * DAY, unitMs: DAY, letter: 'd', rest: { unitMs: HOUR, letter: 'h' } },
  { belowMs: 2 * YEAR, unitMs: DAY, letter: 'd' },
  { belowMs: 8 * YEAR, unitMs: YEAR, letter: 'y', rest: { unitMs: DAY, letter: 'd' } },
  { belowMs: Number.POSITIVE_INFINITY, unitMs: YEAR, letter: 'y' },
];

/** Time since an RFC 3339 instant as kubectl shows it: `5m30s`, `3d4h`; `<unknown>` without one. */
export function ageSince(timestamp: unknown, nowMs: number): string {
  const thenMs = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(thenMs)) return '<unknown>';
  const spanMs = Math.max(0, nowMs - thenMs);
  const step = STEPS.find(({ belowMs }) => spanMs < belowMs);
  if (step === undefined) return '<unknown>';
  const rest = step.rest === undefined ? 0 : Math.floor((spanMs % step.unitMs) / step.rest.unitMs);
  const first = `${Math.floor(spanMs / step.unitMs)}${step.letter}`;
  return rest === 0 ? first : `${first}${rest}${step.rest?.letter}`;
}
