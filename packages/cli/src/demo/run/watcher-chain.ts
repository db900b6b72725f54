import {
  createLoadWatcherApp,
  LoadWatcher,
  type MetricsProvider,
  MetricsServerProvider,
} from '@catamaran/load-watcher';
import {
  type Clock,
  HttpClusterApi,
  type Logger,
  MetricsRegistry,
  type RunningHttpServer,
  startHttpServer,
} from '@catamaran/platform';
import { connectionTo } from './connection-to.js';
import type { MetricsTiming } from './metrics-timing.js';
import { onPreferredPort } from './preferred-port.js';

export interface WatcherChainOptions {
  readonly clusterUrl: string;
  readonly port: number;
  readonly timing: MetricsTiming;
}

export interface WatcherChainDeps {
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly log: Logger;
  readonly say: (sentence: string) => void;
}

/** The real load-watcher: reads metrics.k8s.io of a cluster over HTTP, serves `/watcher` over HTTP. */
export class WatcherChain {
  readonly #api: HttpClusterApi;
  readonly #watcher: LoadWatcher;
  readonly #server: RunningHttpServer;
  readonly #count: { refreshes: number };

  private constructor(parts: {
    readonly api: HttpClusterApi;
    readonly watcher: LoadWatcher;
    readonly server: RunningHttpServer;
    readonly count: { refreshes: number };
  }) {
    this.#api = parts.api;
    this.#watcher = parts.watcher;
    this.#server = parts.server;
    this.#count = parts.count;
  }

  /** Listens, and has read the metrics once. */
  static async start(options: WatcherChainOptions, deps: WatcherChainDeps): Promise<WatcherChain> {
    const { clock, wallClock, log } = deps;
    const { refreshIntervalMs, maxAgeMs } = options.timing;
    const api = new HttpClusterApi(
      { connection: connectionTo(options.clusterUrl) },
      { clock: wallClock, log },
    );
    const count = { refreshes: 0 };
    const provider = counting(
      new MetricsServerProvider({ refreshIntervalMs }, { api, clock: wallClock }),
      count,
    );
    const metrics = new MetricsRegistry();
    const watcher = new LoadWatcher({ refreshIntervalMs, maxAgeMs }, { provider, clock, log, metrics });
    const app = createLoadWatcherApp({ config: { ...options.timing } }, { watcher, clock, log, metrics });
    const server = await onPreferredPort(
      options.port,
      (port) =>
        startHttpServer({ host: '127.0.0.1', port, listener: app.listener, name: 'load-watcher' }, { log }),
      deps.say,
    );
    watcher.start();
    await watcher.settled();
    return new WatcherChain({ api, watcher, server, count });
  }

  get url(): string {
    return this.#server.url;
  }

  /** How often the metrics have been read. */
  get refreshes(): number {
    return this.#count.refreshes;
  }

  settled(): Promise<void> {
    return this.#watcher.settled();
  }

  async close(): Promise<void> {
    await this.#watcher.close();
    await Promise.all([this.#server.close(), this.#api.close()]);
  }
}

function counting(provider: MetricsProvider, count: { refreshes: number }): MetricsProvider {
  return {
    source: provider.source,
    fetch: async (nowMs, signal) => {
      const fetched = await provider.fetch(nowMs, signal);
      count.refreshes += 1;
      return fetched;
    },
    health: (signal) => provider.health(signal),
    close: () => provider.close(),
  };
}
