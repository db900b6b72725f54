import { type Clock, type Logger, VirtualClock } from '@catamaran/platform';
import type { WorldPlan } from '../plan/world-plan.js';
import { EmbeddedCluster } from './embedded-cluster.js';
import { EmbeddedWorld } from './embedded-world.js';
import { METRICS_TIMING, type MetricsTiming } from './metrics-timing.js';
import { requestsOnlyConfig, targetLoadPackingConfig } from './scheduler-files.js';
import { WatcherChain } from './watcher-chain.js';

/** Preferred ports of the parts people look at, all of the Catamaran world; 0 takes a free one. */
export interface DemoPorts {
  readonly cluster: number;
  readonly watcher: number;
  readonly scheduler: number;
}

export const FREE_PORTS: DemoPorts = { cluster: 0, watcher: 0, scheduler: 0 };

export interface DemoWorldsOptions {
  readonly plan: WorldPlan;
  readonly seed: number;
  readonly ports: DemoPorts;
  readonly timing?: MetricsTiming;
}

export interface DemoWorldsDeps {
  readonly wallClock: Clock;
  readonly log: Logger;
  /** Gets a sentence when something is not as expected, such as a taken port. */
  readonly say: (sentence: string) => void;
}

export interface DemoWorlds {
  readonly clock: VirtualClock;
  /** Simulated Unix time at which the simulation began. */
  readonly startMs: number;
  readonly requests: EmbeddedWorld;
  readonly catamaran: EmbeddedWorld;
  readonly metricRefreshes: () => number;
  readonly watcherUrl: string;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Any whole five minutes would do; a fixed one makes every time stamp of a run repeatable. */
const START_MS = Date.UTC(2026, 0, 5, 8);
/**
 * The schedulers begin a second after the load-watcher, so that their beats (30 s and 60 s) never meet: then nothing
 * depends on which of two requests of one instant comes first.
 */
const SCHEDULER_DELAY_MS = 1000;

/** Both worlds, each with its own cluster and scheduler, on one clock; the load-watcher reads that of Catamaran. */
export async function startDemoWorlds(options: DemoWorldsOptions, deps: DemoWorldsDeps): Promise<DemoWorlds> {
  const parts = new StartedParts();
  try {
    return await startParts(options, deps, parts);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function startParts(
  options: DemoWorldsOptions,
  deps: DemoWorldsDeps,
  parts: StartedParts,
): Promise<DemoWorlds> {
  const { plan, seed, ports, timing = METRICS_TIMING } = options;
  const clock = new VirtualClock(START_MS);
  const all = { ...deps, clock };
  const left = await parts.add(EmbeddedCluster.start({ plan, seed, port: 0 }, all));
  const right = await parts.add(EmbeddedCluster.start({ plan, seed, port: ports.cluster }, all));
  const watcher = await parts.add(
    WatcherChain.start({ clusterUrl: right.url, port: ports.watcher, timing }, all),
  );
  await clock.advanceBy(SCHEDULER_DELAY_MS);
  const requests = await parts.add(
    EmbeddedWorld.start({ embedded: left, config: requestsOnlyConfig(), seed, port: 0 }, all),
  );
  const catamaran = await parts.add(
    EmbeddedWorld.start(
      {
        embedded: right,
        config: targetLoadPackingConfig(watcher.url, timing),
        seed,
        port: ports.scheduler,
      },
      { ...all, settleFirst: () => watcher.settled() },
    ),
  );
  return {
    clock,
    startMs: START_MS,
    requests,
    catamaran,
    metricRefreshes: () => watcher.refreshes,
    watcherUrl: watcher.url,
    close: () => parts.close(),
  };
}

/** What has been started, to be closed in the opposite order, once. */
class StartedParts {
  readonly #closers: (() => Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  async add<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const part = await starting;
    this.#closers.unshift(() => part.close());
    return part;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const close of this.#closers) await close();
  }
}
