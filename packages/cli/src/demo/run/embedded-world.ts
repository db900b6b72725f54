import { HttpWatcherClient, type WatcherClient } from '@catamaran/load-watcher/client';
import {
  HttpClusterApi,
  MetricsRegistry,
  type RunningHttpServer,
  startHttpServer,
} from '@catamaran/platform';
import {
  createSchedulerApp,
  loadSources,
  type SchedulerConfig,
  SchedulerService,
} from '@catamaran/scheduler';
import { DEMO_NAMESPACE } from '../plan/manifests.js';
import type { PlannedPod } from '../plan/world-plan.js';
import { connectionTo } from './connection-to.js';
import type { Placement, WorldState } from './demo-state.js';
import type { EmbeddedCluster, EmbeddedClusterDeps } from './embedded-cluster.js';
import { placementStory } from './placement-story.js';
import { onPreferredPort } from './preferred-port.js';
import type { SteppedWorld, WaitingPod } from './stepped-world.js';

export interface EmbeddedWorldOptions {
  readonly embedded: EmbeddedCluster;
  readonly config: SchedulerConfig;
  readonly seed: number;
  /** Port of the scheduler's metrics and explanations, plain HTTP on loopback; 0 takes a free one. */
  readonly port: number;
}

export interface EmbeddedWorldDeps extends EmbeddedClusterDeps {
  /** Awaited before the scheduler is: what it reads must have come to rest. */
  readonly settleFirst?: () => Promise<void>;
}

/** The real scheduler on an embedded cluster, over HTTP. */
export class EmbeddedWorld implements SteppedWorld {
  readonly scheduler: SchedulerService;
  readonly #embedded: EmbeddedCluster;
  readonly #api: HttpClusterApi;
  readonly #clients: ReadonlyMap<string, WatcherClient>;
  readonly #settleFirst: () => Promise<void>;
  readonly #metrics = new MetricsRegistry();
  readonly #config: SchedulerConfig;
  #server: RunningHttpServer | undefined;

  private constructor({ embedded, config, seed }: EmbeddedWorldOptions, deps: EmbeddedWorldDeps) {
    const { clock, wallClock, log } = deps;
    this.#embedded = embedded;
    this.#config = config;
    this.#settleFirst = deps.settleFirst ?? (() => Promise.resolve());
    this.#api = new HttpClusterApi({ connection: connectionTo(embedded.url) }, { clock: wallClock, log });
    this.#clients = new Map(
      loadSources(config).map(({ key, watcherAddress }) => [
        key,
        new HttpWatcherClient({ addresses: [watcherAddress ?? key] }, { clock: wallClock }),
      ]),
    );
    this.scheduler = new SchedulerService(
      { config, tieSeed: seed, instance: 'demo' },
      {
        api: this.#api,
        watcherClients: this.#clients,
        clock,
        transportClock: wallClock,
        log,
        metrics: this.#metrics,
      },
    );
  }

  static async start(options: EmbeddedWorldOptions, deps: EmbeddedWorldDeps): Promise<EmbeddedWorld> {
    const world = new EmbeddedWorld(options, deps);
    try {
      world.#server = await world.#serve(options.port, deps);
      await world.scheduler.start();
      await world.settle();
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** Where its API server and its scheduler can be looked at. */
  get urls(): { readonly cluster: string; readonly scheduler: string } {
    return { cluster: this.#embedded.url, scheduler: this.#server?.url ?? '' };
  }

  arrive(pods: readonly PlannedPod[]): void {
    this.#embedded.arrive(pods);
  }

  async settle(): Promise<void> {
    const { cluster } = this.#embedded;
    await this.#settleFirst();
    do {
      await this.scheduler.settled({
        pods: cluster.latestVersion('pods'),
        nodes: cluster.latestVersion('nodes'),
      });
    } while (this.#embedded.runBoundPods());
  }

  recordMinute(): void {
    this.#embedded.recordMinute();
  }

  state(): WorldState {
    return this.#embedded.state();
  }

  waiting(): readonly WaitingPod[] {
    return this.#embedded.waiting();
  }

  placementOf(podName: string): Placement | undefined {
    const [newest] = this.scheduler.explainer.recorded(`${DEMO_NAMESPACE}/${podName}`);
    return placementStory(newest);
  }

  async close(): Promise<void> {
    await this.scheduler.close();
    await this.#server?.close();
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    await this.#api.close();
  }

  #serve(preferredPort: number, { log, say }: EmbeddedWorldDeps): Promise<RunningHttpServer> {
    const ready = [{ name: 'scheduler', problem: () => this.scheduler.unready }];
    const listener = createSchedulerApp(
      { config: this.#config },
      { explainer: this.scheduler.explainer, metrics: this.#metrics, ready, log },
    );
    const start = (port: number): Promise<RunningHttpServer> =>
      startHttpServer({ host: '127.0.0.1', port, listener, name: 'scheduler' }, { log });
    return onPreferredPort(preferredPort, start, say);
  }
}
