import type { Clock } from '@catamaran/platform';
import type { Activity } from './activity.js';

export interface PollerDeps {
  readonly clock: Clock;
  readonly activity: Activity;
  /** Never rejects. @param startedMs when this piece of work began. */
  readonly work: (startedMs: number, signal: AbortSignal) => Promise<void>;
}

/** Does a piece of work at start and then regularly; one at a time. */
export class Poller {
  readonly #intervalMs: number;
  readonly #deps: PollerDeps;
  readonly #stop = new AbortController();
  #cancelTimer: () => void = () => undefined;
  #startedMs = Number.NEGATIVE_INFINITY;
  #isWorking = false;

  constructor(intervalMs: number, deps: PollerDeps) {
    this.#intervalMs = intervalMs;
    this.#deps = deps;
  }

  /** Resolves after the first piece. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) {
      return;
    }
    const { clock, activity, work } = this.#deps;
    const startedMs = clock.nowMs();
    this.#startedMs = startedMs;
    this.#isWorking = true;
    await activity.during(() => work(startedMs, signal));
    this.#isWorking = false;
    if (!signal.aborted) {
      // Never longer than the interval: the clock may have been set back meanwhile.
      const elapsedMs = Math.max(0, clock.nowMs() - startedMs);
      const waitMs = Math.max(0, this.#intervalMs - elapsedMs);
      this.#cancelTimer = clock.schedule(waitMs, () => void this.start());
    }
  }

  /** Does the next piece now, unless one is under way or began less than `gapMs` ago. */
  hurry(gapMs: number): void {
    if (this.#isWorking || this.#deps.clock.nowMs() - this.#startedMs < gapMs) {
      return;
    }
    this.#cancelTimer();
    void this.start();
  }

  close(): void {
    this.#stop.abort(new DOMException('closed', 'AbortError'));
    this.#cancelTimer();
  }
}
