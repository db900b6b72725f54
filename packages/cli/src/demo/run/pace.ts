import type { Clock } from '@catamaran/platform';

/** Holds a run back so that it is not faster than a person wants to watch. */
export class Pace {
  readonly #speed: number | undefined;
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  readonly #simulatedAtStartMs: number;

  /**
   * @param speed simulated seconds per second at most; undefined: as fast as the machine can.
   * @param clock the machine's.
   */
  constructor(speed: number | undefined, clock: Clock, simulatedAtStartMs = 0) {
    this.#speed = speed;
    this.#clock = clock;
    this.#startedAtMs = clock.nowMs();
    this.#simulatedAtStartMs = simulatedAtStartMs;
  }

  /** @throws the signal's reason, as soon as it aborts. */
  async waitUntil(simulatedMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#speed === undefined) return;
    const dueMs = this.#startedAtMs + (simulatedMs - this.#simulatedAtStartMs) / this.#speed;
    const waitMs = dueMs - this.#clock.nowMs();
    if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
  }
}
