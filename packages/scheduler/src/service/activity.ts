/** Counts pieces of work under way, so that others can wait until there are none. */
export class Activity {
  #count = 0;
  readonly #waiters = new Set<() => void>();

  get isIdle(): boolean {
    return this.#count === 0;
  }

  /** The returned function ends the piece; calling it twice is harmless. */
  begin(): () => void {
    this.#count += 1;
    let ended = false;
    return () => {
      if (!ended) {
        ended = true;
        this.#count -= 1;
        this.#announce();
      }
    };
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const end = this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Resolves when nothing is under way; work that follows on from other work in the same turn is waited for too. */
  async idle(signal?: AbortSignal): Promise<void> {
    do {
      signal?.throwIfAborted();
      if (!this.isIdle) {
        await this.#next(signal);
      }
      await new Promise((resolve) => setImmediate(resolve));
    } while (!this.isIdle);
  }

  #next(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.delete(onIdle);
        reject(signal?.reason as Error);
      };
      const onIdle = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(onIdle);
    });
  }

  #announce(): void {
    if (this.isIdle) {
      const waiters = [...this.#waiters];
      this.#waiters.clear();
      for (const resolve of waiters) {
        resolve();
      }
    }
  }
}
