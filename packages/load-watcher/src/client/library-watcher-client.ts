import type { Clock } from '@catamaran/platform';
import type { LoadWatcher } from '../service/load-watcher.js';
import { SharedRefresh } from './shared-refresh.js';
import type { WatcherClient, WatcherState } from './watcher-client.js';

/**
 * The watcher within this process, without a port. The watcher keeps its own beat: `refresh` starts it when need be,
 * waits for a fetch under way and takes what there is. Closing the client closes the watcher.
 */
export class LibraryWatcherClient implements WatcherClient {
  readonly #watcher: LoadWatcher;
  readonly #clock: Clock;
  readonly #shared = new SharedRefresh();
  #state: WatcherState = { document: undefined, receivedAtMs: undefined, lastFailure: undefined };

  constructor(watcher: LoadWatcher, deps: { readonly clock: Clock }) {
    this.#watcher = watcher;
    this.#clock = deps.clock;
  }

  current(): WatcherState {
    return this.#state;
  }

  async refresh(signal: AbortSignal): Promise<WatcherState> {
    await this.#shared.run(signal, async () => {
      this.#watcher.start();
      await this.#watcher.settled();
      this.#take();
    });
    return this.#state;
  }

  async close(): Promise<void> {
    const closing = this.#watcher.close();
    await this.#shared.close();
    await closing;
  }

  #take(): void {
    const document = this.#watcher.serve()?.encoded.document;
    if (document === undefined) {
      const message = this.#watcher.unservable() ?? 'the watcher has nothing to serve';
      this.#state = { ...this.#state, lastFailure: { code: 'no-data', message } };
      return;
    }
    const failure = this.#watcher.lastRefresh?.failure;
    const unchanged = document === this.#state.document;
    this.#state = {
      document,
      receivedAtMs: unchanged ? this.#state.receivedAtMs : this.#clock.nowMs(),
      lastFailure: failure === undefined ? undefined : { code: 'no-data', message: failure },
    };
  }
}
