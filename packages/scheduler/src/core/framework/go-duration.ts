const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const WHOLE = /^[+-]?((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/;
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** Milliseconds of a Go duration such as `1m30s` or `500ms`, or a bare `0`; undefined when it is none. */
export function parseGoDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!WHOLE.test(text)) return undefined;
  let ms = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(PART)) ms += Number(amount) * (UNIT_MS[unit] ?? 0);
  return text.startsWith('-') ? -ms : ms;
}
