import type { Clock } from '@catamaran/platform';
import { MAX_AHEAD_MS } from '../core/node-statistics/load-basis.js';

/**
 * Tells when time alone makes figures usable or too old, while nothing new comes: pods that wait for a verdict on load
 * would not be tried again else.
 */
export class AgeAlarms {
  readonly #clock: Pick<Clock, 'nowMs' | 'schedule'>;
  readonly #onPassed: () => void;
  readonly #cancels = new Map<string, () => void>();

  /** @param clock of the figures' times. */
  constructor(clock: Pick<Clock, 'nowMs' | 'schedule'>, onPassed: () => void) {
    this.#clock = clock;
    this.#onPassed = onPassed;
  }

  /** Figures of that key have come, of a time in Unix milliseconds. Undefined ages are none. */
  set(key: string, timeMs: number, maxAgesMs: Iterable<number | undefined>): void {
    const limits = [...maxAgesMs].filter((age) => age !== undefined);
    const moments = limits.length === 0 ? [] : [timeMs - MAX_AHEAD_MS];
    for (const maxAgeMs of limits) moments.push(timeMs + maxAgeMs + 1);
    this.#arm(key, moments);
  }

  close(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }

  #arm(key: string, moments: readonly number[]): void {
    this.#cancels.get(key)?.();
    this.#cancels.delete(key);
    const nowMs = this.#clock.nowMs();
    const nextMs = Math.min(...moments.filter((moment) => moment > nowMs));
    if (!Number.isFinite(nextMs)) return;
    const cancel = this.#clock.schedule(nextMs - nowMs, () => {
      // A timer may be early, and the clock set back.
      if (this.#clock.nowMs() >= nextMs) this.#onPassed();
      this.#arm(key, moments);
    });
    this.#cancels.set(key, cancel);
  }
}
