/** Objects taken in before the event loop gets a turn: some milliseconds. */
const SLICE = 200;

interface Batch {
  /** Takes in the object at a place. */
  readonly apply: (index: number) => void;
  readonly size: number;
  next: number;
}

/**
 * Takes in changes in the order in which they come. What can't be done at once is done a slice at a time, so that a
 * long list never holds up the event loop.
 */
export class ChangeBacklog {
  readonly #onDrained: () => void;
  #batches: Batch[] = [];
  #isRunning = false;
  #isClosed = false;
  #waiters: (() => void)[] = [];

  /** @param onDrained called whenever everything has been taken in that could not be at once. */
  constructor(onDrained: () => void) {
    this.#onDrained = onDrained;
  }

  /** Something takes several turns, and is not all taken in. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** @param apply must not throw. */
  push<T>(items: readonly T[], apply: (item: T) => void): void {
    if (this.#isClosed || items.length === 0) return;
    const batch = {
      apply: (index: number) => apply(items[index] as T),
      size: items.length,
      next: 0,
    };
    this.#batches.push(batch);
    if (this.#isRunning) return;
    this.#slice();
    if (this.#batches.length > 0) void this.#run();
  }

  /** Resolves when everything that has come so far is taken in, or at the close. */
  drained(): Promise<void> {
    if (!this.#isRunning || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** What is not taken in is dropped. */
  close(): void {
    this.#isClosed = true;
    this.#batches = [];
    this.#announce();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#batches.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#slice();
    }
    this.#isRunning = false;
    this.#announce();
    if (!this.#isClosed) this.#onDrained();
  }

  #slice(): void {
    for (let left = SLICE; left > 0; left -= 1) {
      const [batch] = this.#batches;
      if (batch === undefined) return;
      batch.apply(batch.next);
      batch.next += 1;
      if (batch.next === batch.size) this.#batches.shift();
    }
  }

  #announce(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}
