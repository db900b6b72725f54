import type { Pod } from '@catamaran/model';
import {
  type BindRequest,
  type Clock,
  type ClusterApi,
  ClusterApiError,
  type Logger,
} from '@catamaran/platform';
import type { RateLimiter } from './rate-limiter.js';

/**
 * How a binding ended. `gone`: the pod no longer exists. `elsewhere`: someone else has placed it. `failed`: it is
 * still pending, or nobody could say; to be tried again.
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
  readonly log: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

const MAX_TRIES = 5;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
/** A server that asks for more is answered with a failed attempt: the pod's back-off takes over. */
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Binds pods so that none is ever bound twice: the uid is a precondition, and after any answer that leaves it open
 * whether the binding landed, the pod is read before anything else is done.
 */
export class Binder {
  readonly #deps: BinderDeps;

  constructor(deps: BinderDeps) {
    this.#deps = deps;
  }

  /** @throws only the signal's reason. */
  async bind(request: BindRequest, signal: AbortSignal): Promise<BindOutcome> {
    let message = '';
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const error = await this.#post(request, signal);
      if (error === undefined) {
        return { kind: 'bound' };
      }
      message = error.message;
      const verdict = await this.#judge(error, request, signal);
      if (verdict.kind !== 'again') {
        return verdict;
      }
      if (attempt < MAX_TRIES) {
        this.#deps.log.debug('binding did not land, trying again', {
          pod: `${request.namespace}/${request.name}`,
          attempt,
          error,
        });
        await this.#deps.clock.sleep(this.#delayMs(error, attempt), signal);
      }
    }
    return { kind: 'failed', message };
  }

  async #post(request: BindRequest, signal: AbortSignal): Promise<ClusterApiError | undefined> {
    await this.#deps.limiter.take(signal);
    try {
      await this.#deps.api.bindPod(request, signal);
      return undefined;
    } catch (error) {
      return asApiError(error, signal);
    }
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
          whereItIs(await this.#read(request, signal), request) ?? { kind: 'failed', message: error.message }
        );
      case 'timeout':
      case 'unavailable':
      case 'invalid-answer':
        return whereItIs(await this.#read(request, signal), request) ?? { kind: 'again' };
      case 'throttled':
        return (error.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS
          ? { kind: 'failed', message: error.message }
          : { kind: 'again' };
      case 'unauthorized':
      case 'forbidden':
      case 'rejected':
        return { kind: 'failed', message: error.message };
    }
  }

  /** The pod as it is now: undefined when it is gone, `unknown` when nobody could say. */
  async #read(request: BindRequest, signal: AbortSignal): Promise<Pod | undefined | 'unknown'> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      await this.#deps.limiter.take(signal);
      try {
        return await this.#deps.api.getPod(request.namespace, request.name, signal);
      } catch (error) {
        const failure = asApiError(error, signal);
        if (attempt === MAX_TRIES) {
          return 'unknown';
        }
        await this.#deps.clock.sleep(this.#delayMs(failure, attempt), signal);
      }
    }
    return 'unknown';
  }

  #delayMs(error: ClusterApiError, attempt: number): number {
    const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
    return Math.max(
      step * (0.5 + this.#deps.random() / 2),
      Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS),
    );
  }
}

/** What the pod itself says about the binding; undefined when it is still to be placed. */
function whereItIs(pod: Pod | undefined | 'unknown', request: BindRequest): BindOutcome | undefined {
  if (pod === 'unknown') {
    return { kind: 'failed', message: 'the answer to the binding was lost, and the pod could not be read' };
  }
  if (pod === undefined || pod.metadata.uid !== request.uid) {
    return { kind: 'gone' };
  }
  const nodeName = pod.spec.nodeName ?? '';
  if (nodeName === '') {
    return undefined;
  }
  return nodeName === request.nodeName ? { kind: 'bound' } : { kind: 'elsewhere', nodeName };
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
