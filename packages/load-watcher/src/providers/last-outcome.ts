import type { ProviderFetch } from '../core/figures/figures.js';
import { withSharedSignal } from '../deadline.js';

export interface LastOutcomeOptions {
  /** Before the first fetch has ended. */
  readonly notAsked: string;
  /** While there are answers, but never one with a figure of a node. */
  readonly noFigures: string;
}

/** What became of the last fetch of a provider, told as its health. */
export class LastOutcome {
  readonly #options: LastOutcomeOptions;
  #hasHadFigures = false;
  #trouble: string | undefined;

  constructor(options: LastOutcomeOptions) {
    this.#options = options;
    this.#trouble = options.notAsked;
  }

  /** Undefined while all is well. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Fetches, and keeps how that ended; one that is given up by the signal says nothing. */
  async of(
    signal: AbortSignal,
    fetch: (shared: AbortSignal) => Promise<ProviderFetch>,
  ): Promise<ProviderFetch> {
    try {
      const fetched = await withSharedSignal(signal, fetch);
      this.#hasHadFigures ||= fetched.windows.some(({ nodes }) => nodes.size > 0);
      this.#trouble = this.#hasHadFigures ? undefined : this.#options.noFigures;
      return fetched;
    } catch (error) {
      if (!signal.aborted) this.#trouble = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }
}
