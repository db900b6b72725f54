import type { IncomingHttpHeaders } from 'node:http';

/** Where a service refuses for too many calls and does not say for how long. */
const DEFAULT_WAIT_MS = 60_000;
/** Periods of the services are at most an hour; a longer wait is a mistake that must not silence us for a day. */
const MAX_WAIT_MS = 3_600_000;

export interface HttpOutcome {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/**
 * How long no further call may be made after an answer, in milliseconds; undefined when at once. A 429 waits for its
 * `Retry-After` (seconds or a date, RFC 9110) or `X-RateLimit-Reset` (seconds), whichever is longer; a 503 only for a
 * `Retry-After`. An answer that used up the quota (`X-RateLimit-Remaining: 0`) waits for the reset too.
 */
export function rateLimitWaitMs({ status, headers }: HttpOutcome, nowMs: number): number | undefined {
  const retryAfterMs = durationMs(headers['retry-after'], nowMs);
  const resetMs = durationMs(headers['x-ratelimit-reset'], nowMs);
  if (status === 429) return bounded(Math.max(retryAfterMs ?? -1, resetMs ?? -1));
  if (status === 503 && retryAfterMs !== undefined) return bounded(retryAfterMs);
  const isUsedUp = headers['x-ratelimit-remaining'] === '0' && resetMs !== undefined;
  return isUsedUp ? bounded(resetMs) : undefined;
}

function bounded(waitMs: number): number {
  return waitMs < 0 ? DEFAULT_WAIT_MS : Math.min(waitMs, MAX_WAIT_MS);
}

/** Undefined where the header is not there or says nothing. */
function durationMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Only dates with a time of day: Date.parse makes something of nearly any text.
  const dateMs = /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
