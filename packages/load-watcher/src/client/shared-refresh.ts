/** One refresh at a time: whoever asks while one is under way waits for that one. */
export class SharedRefresh {
  readonly #stop = new AbortController();
  #active: Promise<void> | undefined;

  /**
   * @param work gets a signal that aborts when this is closed, not when one of the callers gives up.
   * @throws the caller's reason as soon as its signal aborts, or that of closing.
   */
  async run(signal: AbortSignal, work: (own: AbortSignal) => Promise<void>): Promise<void> {
    signal.throwIfAborted();
    this.#stop.signal.throwIfAborted();
    this.#active ??= work(this.#stop.signal).finally(() => {
      this.#active = undefined;
    });
    await orAborted(this.#active, signal);
  }

  /** Idempotent; ends the work under way. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the watcher client is closed'));
    await this.#active?.catch(() => undefined);
  }
}

function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
