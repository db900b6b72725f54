import type { Clock } from './clock.js';
import { sleepOn } from './sleep.js';

interface Timer {
  readonly dueMs: number;
  readonly sequence: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is told to move. Timers fire in order of their time, those of equal time in
 * the order in which they were set.
 */
export class VirtualClock implements Clock {
  #nowMs: number;
  #sequence = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), sequence: this.#sequence++, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  /** When the next timer is due, or undefined when none is set. */
  nextTimerMs(): number | undefined {
    return this.#next()?.dueMs;
  }

  /**
   * Moves to `untilMs`, firing what falls due on the way. After each instant at which timers fired, `settle` is
   * awaited, so that work they started can finish before time goes on; by default the microtask queue and one turn
   * of the event loop.
   */
  async advanceTo(untilMs: number, settle: () => Promise<void> = nextTurn): Promise<void> {
    for (let next = this.#next(); next !== undefined && next.dueMs <= untilMs; next = this.#next()) {
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      this.#fireDue();
      await settle();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  advanceBy(deltaMs: number, settle?: () => Promise<void>): Promise<void> {
    return this.advanceTo(this.#nowMs + deltaMs, settle);
  }

  #fireDue(): void {
    for (let next = this.#next(); next !== undefined && next.dueMs <= this.#nowMs; next = this.#next()) {
      this.#timers.delete(next);
      next.callback();
    }
  }

  #next(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.#timers) {
      if (
        earliest === undefined ||
        timer.dueMs < earliest.dueMs ||
        (timer.dueMs === earliest.dueMs && timer.sequence < earliest.sequence)
      ) {
        earliest = timer;
      }
    }
    return earliest;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
