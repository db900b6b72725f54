import { type Clock, type Logger, VirtualClock } from '@catamaran/platform';
import type { WorldPlan } from '../plan/world-plan.js';
import { EmbeddedCluster } from './embedded-cluster.js';
import { EmbeddedWorld } from './embedded-world.js';
import { METRICS_TIMING, type MetricsTiming } from './metrics-timing.js';
import { requestsOnlyConfig, targetLoadPackingConfig } from './scheduler-files.js';
import { WatcherChain } from './watcher-chain.js';

export interface DemoWorldsOptions {
  readonly plan: WorldPlan;
  readonly seed: number;
  readonly ports: { readonly cluster: number; readonly watcher: number };
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
  readonly urls: {
    readonly watcher: string;
    readonly requestsCluster: string;
    readonly catamaranCluster: string;
  };
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
  const { plan, seed, ports, timing = METRICS_TIMING } = options;
  const clock = new VirtualClock(START_MS);
  const all = { ...deps, clock };
  const closers: (() => Promise<void>)[] = [];
  const started = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const running = await starting;
    closers.unshift(() => running.close());
    return running;
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeInTurn(closers);
    return closing;
  };
  try {
    const requestsCluster = await started(EmbeddedCluster.start({ plan, seed, port: 0 }, all));
    const cluster = await started(EmbeddedCluster.start({ plan, seed, port: ports.cluster }, all));
    const watcher = await started(
      WatcherChain.start({ clusterUrl: cluster.url, port: ports.watcher, timing }, all),
    );
    await clock.advanceBy(SCHEDULER_DELAY_MS);
    const requests = await started(
      EmbeddedWorld.start({ embedded: requestsCluster, config: requestsOnlyConfig(), seed }, all),
    );
    const catamaran = await started(
      EmbeddedWorld.start(
        { embedded: cluster, config: targetLoadPackingConfig(watcher.url, timing), seed },
        { ...all, settleFirst: () => watcher.settled() },
      ),
    );
    return {
      clock,
      startMs: START_MS,
      requests,
      catamaran,
      metricRefreshes: () => watcher.refreshes,
      urls: { watcher: watcher.url, requestsCluster: requestsCluster.url, catamaranCluster: cluster.url },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function closeInTurn(closers: readonly (() => Promise<void>)[]): Promise<void> {
  for (const close of closers) await close();
}
