import type { Clock } from '../../clock/clock.js';

/** Calls back when nothing has touched it for a while. Touching is cheap: no timer is moved. */
export class InactivityTimer {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #onSilence: () => void;
  #touchedMs: number;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, limitMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#onSilence = onSilence;
    this.#touchedMs = clock.nowMs();
    this.#arm(limitMs);
  }

  touch(): void {
    this.#touchedMs = this.#clock.nowMs();
  }

  close(): void {
    this.#cancel();
  }

  #arm(delayMs: number): void {
    this.#cancel = this.#clock.schedule(delayMs, () => {
      const nowMs = this.#clock.nowMs();
      // A clock that was set back must not make the silence longer.
      this.#touchedMs = Math.min(this.#touchedMs, nowMs);
      const remainingMs = this.#touchedMs + this.#limitMs - nowMs;
      if (remainingMs <= 0) this.#onSilence();
      else this.#arm(remainingMs);
    });
  }
}
