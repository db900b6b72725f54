import type { ScoreRange } from '../framework/plugin.js';
import { scoreRange } from '../framework/score-range.js';

/** Smallest and largest of a bag of numbers that come and go. There are few different ones. */
export class RangeCounter {
  readonly #counts = new Map<number, number>();
  #range: ScoreRange | undefined = undefined;

  get range(): ScoreRange {
    this.#range ??= scoreRange(this.#counts.keys());
    return this.#range;
  }

  add(value: number): void {
    const count = this.#counts.get(value) ?? 0;
    this.#counts.set(value, count + 1);
    if (count === 0) this.#range = undefined;
  }

  remove(value: number): void {
    const count = this.#counts.get(value) ?? 0;
    if (count > 1) {
      this.#counts.set(value, count - 1);
      return;
    }
    this.#counts.delete(value);
    this.#range = undefined;
  }

  clear(): void {
    this.#counts.clear();
    this.#range = undefined;
  }
}
