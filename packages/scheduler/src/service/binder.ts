import type { Pod } from '@catamaran/model';
import {
  type BindRequest,
  type Clock,
  type ClusterApi,
  ClusterApiError,
  type Logger,
} from '@catamaran/platform';
import type { CallSlots } from './call-slots.js';
import type { RateLimiter } from './rate-limiter.js';

/**
 * How a binding ended. `gone`: the pod no longer exists. `elsewhere`: someone else has placed it. `failed`: it is still
 * pending, and may be tried again.
 */
export type BindOutcome =
  | { readonly kind: 'bound' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'elsewhere'; readonly nodeName: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface BinderDeps {
  readonly api: ClusterApi;
  /** The transport's clock: delays between tries. */
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  readonly slots: CallSlots;
  readonly log: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

interface CallManner {
  readonly signal: AbortSignal;
  /** The call before it hung. */
  readonly isSlow: boolean;
}

const MAX_TRIES = 5;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
/** Nothing else waits for the answer to a read. */
const MAX_READ_DELAY_MS = 30_000;
/** A server that asks for more is asked again all the same. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Binds pods so that none is ever bound twice: the uid is a precondition, and after any answer that leaves it open
 * whether the binding landed, the pod is read before anything else is done, however long that takes. Waits between
 * calls hold no slot.
 */
export class Binder {
  readonly #deps: BinderDeps;

  constructor(deps: BinderDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with what is known to be true, never with a guess.
   *
   * @param signal aborted when something else has told how the binding ended, too.
   * @throws only the signal's reason.
   */
  async bind(request: BindRequest, signal: AbortSignal): Promise<BindOutcome> {
    let hasHung = false;
    for (let tries = 1; ; tries++) {
      const error = await this.#post(request, { signal, isSlow: hasHung });
      if (error === undefined) {
        return { kind: 'bound' };
      }
      hasHung = error.code === 'timeout';
      const verdict = await this.#judge(error, request, signal);
      if (verdict.kind !== 'again') {
        return verdict;
      }
      if (tries === MAX_TRIES) {
        return { kind: 'failed', message: error.message };
      }
      this.#deps.log.debug('binding did not land, trying again', {
        pod: `${request.namespace}/${request.name}`,
        attempt: tries,
        error,
      });
      await this.#pause(error, { tries, maxMs: MAX_DELAY_MS, signal });
    }
  }

  /** The pod as it is now, undefined when it is gone; asks until there is an answer. @throws only the signal's reason. */
  async read(
    { namespace, name }: Pick<BindRequest, 'namespace' | 'name'>,
    signal: AbortSignal,
  ): Promise<Pod | undefined> {
    let isSlow = false;
    for (let tries = 1; ; tries++) {
      try {
        const call = (inTime: AbortSignal) => this.#deps.api.getPod(namespace, name, inTime);
        return await this.#call(call, { signal, isSlow });
      } catch (cause) {
        const error = asApiError(cause, signal);
        isSlow = error.code === 'timeout';
        await this.#pause(error, { tries, maxMs: MAX_READ_DELAY_MS, signal });
      }
    }
  }

  async #post(request: BindRequest, manner: CallManner): Promise<ClusterApiError | undefined> {
    try {
      await this.#call((inTime) => this.#deps.api.bindPod(request, inTime), manner);
      return undefined;
    } catch (error) {
      return asApiError(error, manner.signal);
    }
  }

  #call<T>(call: (signal: AbortSignal) => Promise<T>, { signal, isSlow }: CallManner): Promise<T> {
    const { slots, limiter } = this.#deps;
    return slots.during(call, { signal, isSlow, prepare: () => limiter.take(signal) });
  }

  async #judge(
    error: ClusterApiError,
    request: BindRequest,
    signal: AbortSignal,
  ): Promise<BindOutcome | { readonly kind: 'again' }> {
    switch (error.code) {
      // A proxy or a server just starting may say "not found" of a pod that is there.
      case 'conflict':
      case 'not-found':
      case 'gone':
        return (
          whereItIs(await this.read(request, signal), request) ?? { kind: 'failed', message: error.message }
        );
      case 'timeout':
      case 'unavailable':
      case 'invalid-answer':
        return whereItIs(await this.read(request, signal), request) ?? { kind: 'again' };
      case 'throttled':
        return { kind: 'again' };
      case 'unauthorized':
      case 'forbidden':
      case 'rejected':
        return { kind: 'failed', message: error.message };
    }
  }

  async #pause(
    error: ClusterApiError,
    {
      tries,
      maxMs,
      signal,
    }: { readonly tries: number; readonly maxMs: number; readonly signal: AbortSignal },
  ): Promise<void> {
    const step = Math.min(maxMs, FIRST_DELAY_MS * 2 ** Math.min(tries - 1, 20));
    const askedMs = Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    await this.#deps.clock.sleep(Math.max(step * (0.5 + this.#deps.random() / 2), askedMs), signal);
  }
}

/** What the pod itself says about the binding; undefined when it is still to be placed. */
function whereItIs(pod: Pod | undefined, request: BindRequest): BindOutcome | undefined {
  if (pod === undefined || pod.metadata.uid !== request.uid) {
    return { kind: 'gone' };
  }
  return placedOn(pod.spec.nodeName ?? '', request.nodeName);
}

/** How a binding to a node ended of a pod that is on `nodeName`; undefined for the empty name. */
export function placedOn(nodeName: string, wanted: string): BindOutcome | undefined {
  if (nodeName === '') return undefined;
  return nodeName === wanted ? { kind: 'bound' } : { kind: 'elsewhere', nodeName };
}

/** @throws the signal's reason when that is why the call ended. */
function asApiError(error: unknown, signal: AbortSignal): ClusterApiError {
  signal.throwIfAborted();
  return error instanceof ClusterApiError
    ? error
    : new ClusterApiError('unavailable', error instanceof Error ? error.message : String(error), {
        cause: error,
      });
}
