import type { Clock, Logger } from '@catamaran/platform';
import type { LoadWatcher } from '../service/load-watcher.js';

/** Probes come from every replica of whatever watches us; the source is asked this often at most. */
const REUSE_MS = 2_000;

/** Answers `/watcher/health`: one question to the source at a time, its answer good for a moment. */
export class HealthProbe {
  readonly #watcher: LoadWatcher;
  readonly #deps: { readonly clock: Clock; readonly log: Logger };
  readonly #stop = new AbortController();
  #asked: { readonly atMs: number; readonly answer: Promise<boolean> } | undefined;

  constructor(watcher: LoadWatcher, deps: { readonly clock: Clock; readonly log: Logger }) {
    this.#watcher = watcher;
    this.#deps = deps;
  }

  /** Never rejects. */
  isHealthy(): Promise<boolean> {
    const nowMs = this.#deps.clock.nowMs();
    if (this.#asked === undefined || Math.abs(nowMs - this.#asked.atMs) >= REUSE_MS) {
      this.#asked = { atMs: nowMs, answer: this.#ask() };
    }
    return this.#asked.answer;
  }

  close(): void {
    this.#stop.abort(new Error('the load-watcher is closing'));
  }

  async #ask(): Promise<boolean> {
    try {
      return (await this.#watcher.health(this.#stop.signal)).healthy;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#deps.log.error('health probe failed', { error });
      return false;
    }
  }
}
