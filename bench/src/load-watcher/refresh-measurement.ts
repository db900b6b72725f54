import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createLoadWatcherApp, LoadWatcher, type MetricsProvider } from '@catamaran/load-watcher';
import { compactHeap, MetricsRegistry, silentLogger, type VirtualClock } from '@catamaran/platform';
import { generateLoad, requestFor } from './generate-load.js';
import { longestStretch, type Stretch } from './longest-stretch.js';

export const MINUTE_MS = 60_000;
const REFRESHES = 10;
/** Not measured: the first finds out what there is, the engine compiles, and after 15 minutes all windows are full. */
const WARM_UPS = 16;
const SERVING_MS = 4_000;

export interface RefreshFigures {
  /** With a client that asks for the whole, compressed, after each refresh. */
  readonly cpuSeconds: number;
  readonly blocked: Stretch;
  readonly rssMegabytes: number;
  /** The most while it refreshes and sixteen clients ask for the whole all the time. */
  readonly servingRssMegabytes: number;
  readonly measuredNodes: number;
  /** All refreshes together, the warm-ups too. */
  readonly refreshes: number;
}

/** What a refresh costs this process. Closes the provider. */
export async function measureRefresh(
  provider: MetricsProvider,
  clock: VirtualClock,
): Promise<RefreshFigures> {
  // As the service's own process does.
  compactHeap();
  const running = await RunningWatcher.start(provider, clock);
  for (let warmUp = 1; warmUp < WARM_UPS; warmUp += 1) await running.refresh();
  let rss = 0;
  const cpuSeconds = await cpuSecondsOf(async () => {
    await running.refresh();
    rss = Math.max(rss, process.memoryUsage.rss());
  });
  const blocked = await longestStretch(async () => {
    for (let turn = 0; turn < REFRESHES; turn += 1) await running.refresh();
  });
  const servingRss = await running.highestRssWhileServing();
  await running.close();
  return {
    cpuSeconds,
    blocked,
    rssMegabytes: rss / 2 ** 20,
    servingRssMegabytes: servingRss / 2 ** 20,
    measuredNodes: running.measuredNodes,
    refreshes: running.refreshes,
  };
}

/** The service with its port, refreshed when told. */
class RunningWatcher {
  refreshes = 1;
  measuredNodes = 0;
  readonly #watcher: LoadWatcher;
  readonly #clock: VirtualClock;
  readonly #server: Server;

  private constructor(provider: MetricsProvider, clock: VirtualClock) {
    this.#clock = clock;
    const log = silentLogger;
    const metrics = new MetricsRegistry();
    this.#watcher = new LoadWatcher(
      { refreshIntervalMs: MINUTE_MS, maxAgeMs: 0 },
      { provider, clock, log, metrics },
    );
    const app = createLoadWatcherApp({ config: {} }, { watcher: this.#watcher, clock, log, metrics });
    this.#server = createServer(app.listener);
  }

  static async start(provider: MetricsProvider, clock: VirtualClock): Promise<RunningWatcher> {
    const running = new RunningWatcher(provider, clock);
    await new Promise<void>((resolve) => running.#server.listen(0, '127.0.0.1', resolve));
    running.#watcher.start();
    await running.#watcher.settled();
    await running.#ask();
    return running;
  }

  async refresh(): Promise<void> {
    await pause(50);
    await this.#clock.advanceBy(MINUTE_MS, () => this.#watcher.settled());
    this.refreshes += 1;
    await this.#ask();
  }

  async highestRssWhileServing(): Promise<number> {
    let highest = 0;
    const sampling = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss());
    }, 20);
    const requests = [requestFor('/watcher', 'gzip'), requestFor('/watcher', 'identity')];
    let isServing = true;
    const load = generateLoad({ port: this.#port, connections: 16, requests, durationMs: SERVING_MS });
    void load.then(() => {
      isServing = false;
    });
    while (isServing) await this.refresh();
    clearInterval(sampling);
    return highest;
  }

  async close(): Promise<void> {
    this.measuredNodes = this.#watcher.serve()?.figures.nodes.size ?? 0;
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#watcher.close();
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #ask(): Promise<void> {
    const url = `http://127.0.0.1:${this.#port}/watcher`;
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers }, resolve).once('error', reject);
    });
    answer.resume();
    await once(answer, 'end');
  }
}

/** The rival's work as often. CPU seconds each. */
export async function measureRival(work: () => Promise<unknown>): Promise<number> {
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await work();
  return cpuSecondsOf(work);
}

async function cpuSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let turn = 0; turn < REFRESHES; turn += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / REFRESHES;
}
