import { HttpWatcherClient, type WatcherClient } from '@catamaran/load-watcher/client';
import { HttpClusterApi, MetricsRegistry } from '@catamaran/platform';
import { loadSources, type SchedulerConfig, SchedulerService } from '@catamaran/scheduler';
import { DEMO_NAMESPACE } from '../plan/manifests.js';
import type { PlannedPod } from '../plan/world-plan.js';
import { connectionTo } from './connection-to.js';
import type { Placement, WorldState } from './demo-state.js';
import type { EmbeddedCluster, EmbeddedClusterDeps } from './embedded-cluster.js';
import { placementStory } from './placement-story.js';
import type { SteppedWorld, WaitingPod } from './stepped-world.js';

export interface EmbeddedWorldOptions {
  readonly embedded: EmbeddedCluster;
  readonly config: SchedulerConfig;
  readonly seed: number;
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

  private constructor({ embedded, config, seed }: EmbeddedWorldOptions, deps: EmbeddedWorldDeps) {
    const { clock, wallClock, log } = deps;
    this.#embedded = embedded;
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
        metrics: new MetricsRegistry(),
      },
    );
  }

  static async start(options: EmbeddedWorldOptions, deps: EmbeddedWorldDeps): Promise<EmbeddedWorld> {
    const world = new EmbeddedWorld(options, deps);
    await world.scheduler.start();
    await world.settle();
    return world;
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
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    await this.#api.close();
  }
}
