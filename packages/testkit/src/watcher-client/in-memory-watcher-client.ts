import type { WatcherClient, WatcherFailure, WatcherState } from '@catamaran/load-watcher/client';
import type { WatcherDocument } from '@catamaran/model';

/** A watcher client that knows what it is told, at the next refresh. */
export class InMemoryWatcherClient implements WatcherClient {
  /** What the watcher serves now. */
  document: WatcherDocument | undefined;
  /** Set: refreshes fail with it. */
  failure: WatcherFailure | undefined;
  refreshes = 0;
  readonly #nowMs: () => number;
  #state: WatcherState = { document: undefined, receivedAtMs: undefined, lastFailure: undefined };
  #closed = false;

  constructor(nowMs: () => number = () => 0) {
    this.#nowMs = nowMs;
  }

  current(): WatcherState {
    return this.#state;
  }

  async refresh(signal: AbortSignal): Promise<WatcherState> {
    signal.throwIfAborted();
    if (this.#closed) throw new Error('the watcher client is closed');
    this.refreshes += 1;
    const failure = this.failure ?? this.#unusable();
    this.#state =
      failure === undefined
        ? { document: this.document, receivedAtMs: this.#nowMs(), lastFailure: undefined }
        : { ...this.#state, lastFailure: failure };
    return this.#state;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #unusable(): WatcherFailure | undefined {
    if (this.document === undefined) return { code: 'no-data', message: 'no document yet' };
    return this.document.nodes.size === 0
      ? { code: 'empty-document', message: 'a document without nodes' }
      : undefined;
  }
}
