import { type Clock, ClusterApiError } from '@catamaran/platform';

/**
 * A call that ends in time, also where the other side pays no heed to signals.
 *
 * At the deadline, and when the signal aborts with an AbortError, the call is cut. When it aborts for another reason,
 * nobody waits for the answer any more, but the call may end by itself: a cut one costs its connection.
 *
 * @throws ClusterApiError `timeout` after `limitMs`; the signal's reason when that aborts.
 */
export async function withinDeadline<T>(
  call: (signal: AbortSignal) => Promise<T>,
  {
    clock,
    limitMs,
    signal,
  }: { readonly clock: Clock; readonly limitMs: number; readonly signal: AbortSignal },
): Promise<T> {
  signal.throwIfAborted();
  const cut = new AbortController();
  let fail: (reason: unknown) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const onAbort = (): void => {
    if (isAbortError(signal.reason)) cut.abort(signal.reason);
    fail(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const cancel = clock.schedule(limitMs, () => {
    const reason = new ClusterApiError('timeout', `no answer within ${limitMs / 1000} s`);
    cut.abort(reason);
    fail(reason);
  });
  try {
    return await Promise.race([call(cut.signal), ended]);
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
  }
}

function isAbortError(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'AbortError';
}
