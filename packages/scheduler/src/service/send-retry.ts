import { type ClusterApiErrorCode, isClusterApiError } from '@catamaran/platform';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** Failures that lie with the server, or with credentials that are about to be renewed. */
const PASSING: ReadonlySet<ClusterApiErrorCode> = new Set([
  'throttled',
  'unavailable',
  'timeout',
  'invalid-answer',
  'unauthorized',
  'conflict',
]);

/** Whether the same thing sent later may be taken. */
export function isWorthRepeating(error: unknown): boolean {
  return isClusterApiError(error) && PASSING.has(error.code);
}

/** Doubles with each try, with jitter; a server that asks for more is waited for, a minute at most. */
export function retryDelayMs(
  tries: number,
  { askedMs = 0, random }: { readonly askedMs?: number | undefined; readonly random: () => number },
): number {
  const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(tries - 1, 10));
  return Math.max(step * (0.5 + random() / 2), Math.min(askedMs, MAX_DELAY_MS));
}
