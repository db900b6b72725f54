import type { Clock } from '@catamaran/platform';

/** A token bucket: `burst` calls at once, then `perSecond`. Callers are served in order. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  /** When the bucket will be, or was, full; moves on by one interval with each call. */
  #fullAtMs = Number.NEGATIVE_INFINITY;

  /** @param limit `perSecond` of 0 or below: no limit, as in client-go. */
  constructor(limit: { readonly perSecond: number; readonly burst: number }, clock: Clock) {
    this.#perSecond = limit.perSecond;
    this.#burst = limit.burst;
    this.#clock = clock;
  }

  /** Resolves when the call may go out. @throws the signal's reason when it aborts; the place is lost then. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#perSecond <= 0) {
      return;
    }
    const nowMs = this.#clock.nowMs();
    const intervalMs = 1000 / this.#perSecond;
    this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + intervalMs;
    const waitMs = this.#fullAtMs - nowMs - this.#burst * intervalMs;
    if (waitMs > 0) {
      await this.#clock.sleep(waitMs, signal);
    }
  }
}
