export interface BackoffOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Exponential delays with jitter: each is between half of and the whole step, steps double up to the limit. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Failures since the last reset. */
  get failures(): number {
    return this.#failures;
  }

  nextMs(): number {
    const { minMs, maxMs, random } = this.#options;
    const step = Math.min(maxMs, minMs * 2 ** Math.min(this.#failures + 1, 30));
    this.#failures += 1;
    return Math.max(minMs, step * (0.5 + random() / 2));
  }

  reset(): void {
    this.#failures = 0;
  }
}
