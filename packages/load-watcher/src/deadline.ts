import { setMaxListeners } from 'node:events';
import type { Clock } from '@catamaran/platform';

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Runs `work` with a signal that aborts with the caller's or after `timeoutMs`, and stops waiting for it then, even
 * if the work takes no notice.
 * @throws DeadlineError when the time is up; the caller's reason when it aborts; whatever `work` throws.
 */
export async function withDeadline<T>(
  limit: {
    readonly timeoutMs: number;
    readonly what: string;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, clock } = limit;
  signal.throwIfAborted();
  const own = new AbortController();
  const onAbort = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const cancel = clock.schedule(limit.timeoutMs, () =>
    own.abort(new DeadlineError(`${limit.what}: no answer within ${limit.timeoutMs / 1000} s`)),
  );
  const ended = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(own.signal), ended]);
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Runs `work` with a signal that follows the caller's and that any number of calls may listen to. */
export async function withSharedSignal<T>(
  signal: AbortSignal,
  work: (shared: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const onAbort = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(own.signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
