/**
 * Repeatable chance: the same seed gives the same numbers on every machine (32-bit integer arithmetic, the
 * "mulberry32" generator). Not for secrets.
 */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A stream of its own for a named purpose, so that drawing more for one purpose leaves the others alone. */
  static for(seed: number, purpose: string): SeededRandom {
    let hash = 2166136261;
    for (let i = 0; i < purpose.length; i++) hash = Math.imul(hash ^ purpose.charCodeAt(i), 16777619);
    return new SeededRandom(Math.imul(seed, 2654435761) ^ hash);
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** At least `low`, below `high`. */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number, at least 0, below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** One of the values, each as likely as its weight says. Weights are positive. */
  pick<T>(choices: readonly { readonly value: T; readonly weight: number }[]): T {
    let rest = this.next() * choices.reduce((sum, choice) => sum + choice.weight, 0);
    for (const choice of choices) {
      rest -= choice.weight;
      if (rest < 0) return choice.value;
    }
    const last = choices.at(-1);
    if (last === undefined) throw new RangeError('pick needs at least one choice');
    return last.value;
  }

  /** The values in another order; the input is left as it is. */
  shuffled<T>(values: readonly T[]): T[] {
    const keyed = values.map((value) => ({ key: this.next(), value }));
    return keyed.sort((a, b) => a.key - b.key).map((entry) => entry.value);
  }
}
