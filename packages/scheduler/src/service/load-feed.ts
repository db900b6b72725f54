import type { WatcherClient } from '@catamaran/load-watcher/client';
import type { WatcherDocument } from '@catamaran/model';
import type { Clock, Logger } from '@catamaran/platform';
import type { Activity } from './activity.js';

export interface LoadFeedDeps {
  readonly client: WatcherClient;
  /** Time of the figures. */
  readonly clock: Clock;
  readonly activity: Activity;
  readonly log: Logger;
  /** A new document has come. */
  readonly onDocument: (document: WatcherDocument) => void;
  /** After each fetch, whatever came of it. */
  readonly onFetched: (outcome: 'ok' | 'failed') => void;
}

/** Trimaran's interval. */
export const DEFAULT_POLL_INTERVAL_MS = 30_000;

/** Asks one watcher at start and then regularly; one fetch at a time. */
export class LoadFeed {
  readonly #intervalMs: number;
  readonly #deps: LoadFeedDeps;
  readonly #stop = new AbortController();
  #newest: WatcherDocument | undefined;
  #isFailing = false;
  #cancelTimer: () => void = () => undefined;

  constructor(intervalMs: number, deps: LoadFeedDeps) {
    this.#intervalMs = intervalMs;
    this.#deps = deps;
  }

  /** The failure of the newest fetch, in one sentence. */
  get failure(): string | undefined {
    return this.#deps.client.current().lastFailure?.message;
  }

  /** Resolves after the first fetch. */
  start(): Promise<void> {
    return this.#poll();
  }

  close(): void {
    this.#stop.abort(new DOMException('closed', 'AbortError'));
    this.#cancelTimer();
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) {
      return;
    }
    const startedMs = this.#deps.clock.nowMs();
    await this.#deps.activity.during(() => this.#fetch(signal));
    if (!signal.aborted) {
      // Never longer than the interval: the clock may have been set back meanwhile.
      const elapsedMs = Math.max(0, this.#deps.clock.nowMs() - startedMs);
      this.#cancelTimer = this.#deps.clock.schedule(
        Math.max(0, this.#intervalMs - elapsedMs),
        () => void this.#poll(),
      );
    }
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    const { client, log } = this.#deps;
    try {
      const { document, lastFailure } = await client.refresh(signal);
      if (document !== undefined && document !== this.#newest) {
        this.#newest = document;
        this.#deps.onDocument(document);
      }
      this.#announce(lastFailure?.message);
    } catch (error) {
      if (!signal.aborted) {
        log.error('asking the load-watcher failed', { error });
      }
    }
  }

  /** One line when trouble begins and one when it ends. */
  #announce(failure: string | undefined): void {
    if (failure !== undefined && !this.#isFailing) {
      this.#deps.log.warn('load figures could not be fetched', { reason: failure });
    } else if (failure === undefined && this.#isFailing) {
      this.#deps.log.info('load figures are fetched again');
    }
    this.#isFailing = failure !== undefined;
    this.#deps.onFetched(failure === undefined ? 'ok' : 'failed');
  }
}
