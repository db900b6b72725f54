import { type Clock, ClusterApiError } from '@catamaran/platform';

/**
 * A call that ends in time, also where the other side pays no heed to signals.
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
  const stop = new AbortController();
  let fail: (reason: unknown) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const end = (reason: unknown): void => {
    stop.abort(reason);
    fail(reason);
  };
  const onAbort = (): void => end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const cancel = clock.schedule(limitMs, () =>
    end(new ClusterApiError('timeout', `no answer within ${limitMs / 1000} s`)),
  );
  try {
    return await Promise.race([call(stop.signal), ended]);
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
  }
}
