import type { WatcherClient } from '@catamaran/load-watcher/client';
import type { WatcherDocument } from '@catamaran/model';
import type { Clock, Logger } from '@catamaran/platform';
import type { Activity } from './activity.js';
import { Poller } from './poller.js';

export interface LoadFeedDeps {
  readonly client: WatcherClient;
  /** Time of the figures. */
  readonly clock: Clock;
  readonly activity: Activity;
  readonly log: Logger;
  /** A new document has come. */
  readonly onDocument: (document: WatcherDocument) => void | Promise<void>;
  /** After each fetch, whatever came of it. */
  readonly onFetched: (outcome: 'ok' | 'failed') => void;
}

/** Trimaran's interval. */
export const DEFAULT_POLL_INTERVAL_MS = 30_000;

/** Asks one watcher at start and then regularly; one fetch at a time. */
export class LoadFeed {
  readonly #deps: LoadFeedDeps;
  readonly #poller: Poller;
  #newest: WatcherDocument | undefined;
  #isFailing = false;

  constructor(intervalMs: number, deps: LoadFeedDeps) {
    this.#deps = deps;
    const { clock, activity } = deps;
    this.#poller = new Poller(intervalMs, {
      clock,
      activity,
      work: (_startedMs, signal) => this.#fetch(signal),
    });
  }

  /** The failure of the newest fetch, in one sentence. */
  get failure(): string | undefined {
    return this.#deps.client.current().lastFailure?.message;
  }

  /** Resolves after the first fetch. */
  start(): Promise<void> {
    return this.#poller.start();
  }

  close(): void {
    this.#poller.close();
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    const { client, log } = this.#deps;
    try {
      const { document, lastFailure } = await client.refresh(signal);
      if (document !== undefined && document !== this.#newest) {
        this.#newest = document;
        await this.#deps.onDocument(document);
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
