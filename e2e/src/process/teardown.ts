const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const EXIT_CODE_OF_INTERRUPTION = 130;

/** What must be undone, in reverse order: at the end of a suite, and when the test run is interrupted. */
export class Teardown {
  readonly #steps: { readonly undo: () => Promise<void>; readonly atExit: () => void }[] = [];
  readonly #onExit = (): void => {
    for (const { atExit } of this.#steps) atExit();
  };
  readonly #onSignal = (): void => {
    void this.run().finally(() => process.exit(EXIT_CODE_OF_INTERRUPTION));
  };
  #running: Promise<void> | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    process.once('exit', this.#onExit);
  }

  /** @param atExit what can still be done when the process ends without warning; synchronous. */
  add(undo: () => Promise<void>, atExit: () => void = () => undefined): void {
    this.#steps.push({ undo, atExit });
  }

  /** Idempotent. @throws AggregateError of what went wrong, after all steps were tried. */
  run(): Promise<void> {
    this.#running ??= this.#undoAll();
    return this.#running;
  }

  async #undoAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      await step.undo().catch((error: unknown) => errors.push(error));
    }
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    process.off('exit', this.#onExit);
    if (errors.length > 0) throw new AggregateError(errors, 'clean-up failed');
  }
}
