import { setMaxListeners } from 'node:events';
import type { Clock } from '../../clock/clock.js';
import { ClusterApiError } from '../cluster-api.js';

/** A signal that aborts with the caller's or when time is up, and tells the two apart. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #cancel: () => void;
  readonly #onAbort = (): void => this.#controller.abort(this.#caller.reason);
  #expired: ClusterApiError | undefined;

  constructor(
    limit: { readonly clock: Clock; readonly limitMs: number; readonly host: string },
    caller: AbortSignal,
  ) {
    const { clock, limitMs, host } = limit;
    this.#caller = caller;
    this.#cancel = clock.schedule(limitMs, () => {
      this.#expired = new ClusterApiError('timeout', `${host} did not answer within ${limitMs / 1000} s`);
      this.#controller.abort(this.#expired);
    });
    // One signal ends all calls of a service: more than ten listeners are no leak.
    setMaxListeners(0, caller);
    if (caller.aborted) this.#onAbort();
    else caller.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason the caller should see for a failure under this deadline. */
  explain(error: unknown): unknown {
    if (this.#caller.aborted) return this.#caller.reason;
    return this.#expired ?? error;
  }

  close(): void {
    this.#cancel();
    this.#caller.removeEventListener('abort', this.#onAbort);
  }
}

/**
 * Waits for a promise that knows nothing of signals, such as that of an exec plugin, no longer than the signal allows.
 * @throws the signal's reason.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
