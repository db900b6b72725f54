import type { WatcherClient } from '@catamaran/load-watcher/client';
import type { Clock, Logger } from '@catamaran/platform';
import type { ProfileConfig } from '../core/config/scheduler-config.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import { loadReportSteps } from '../core/state/node-load.js';
import { SignalDesk } from '../signals/signal-desk.js';
import { type SignalPolicy, signalPoliciesOf } from '../signals/signal-policy.js';
import type { SignalReader } from '../signals/signal-reader.js';
import type { Activity } from './activity.js';
import { AgeAlarms } from './age-alarms.js';
import { CeilingReporter, ceilingPoliciesOf } from './ceiling-status.js';
import { DEFAULT_POLL_INTERVAL_MS, LoadFeed } from './load-feed.js';
import { type LoadPolicy, loadPoliciesOf } from './load-source.js';
import { LoadReporter, loadStatus } from './load-status.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

export interface LoadDeskOptions {
  readonly profiles: readonly ProfileConfig[];
  readonly pollIntervalMs?: number | undefined;
}

export interface LoadDeskDeps {
  readonly watcherClients: ReadonlyMap<string, WatcherClient>;
  readonly signalReaders?: ReadonlyMap<string, SignalReader>;
  readonly state: ClusterState;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly log: Logger;
  readonly schedulerMetrics: SchedulerMetrics;
  /** New figures are in the cluster state. */
  readonly onChanged: () => void;
}

/** How long the start waits for the first figures. */
const START_PATIENCE_MS = 5_000;

/** Brings load figures and signals into the cluster state: one feed a source, one reporter a profile or plugin. */
export class LoadDesk {
  readonly #deps: LoadDeskDeps;
  readonly #feeds = new Map<string, LoadFeed>();
  readonly #signals: SignalDesk;
  readonly #alarms: AgeAlarms;
  #isOpen = false;
  readonly #ceilings: readonly CeilingReporter[];
  readonly #reporters: readonly { readonly policy: LoadPolicy; readonly reporter: LoadReporter }[];

  /** @throws TypeError when a source has no client: the composition root forgot it. */
  constructor({ profiles, pollIntervalMs = DEFAULT_POLL_INTERVAL_MS }: LoadDeskOptions, deps: LoadDeskDeps) {
    const policies = profiles.flatMap(loadPoliciesOf);
    this.#deps = deps;
    this.#alarms = new AgeAlarms(deps.clock, () => this.#otherFigures());
    this.#signals = this.#createSignalDesk(profiles.flatMap(signalPoliciesOf), pollIntervalMs);
    for (const { source } of policies) {
      const client = deps.watcherClients.get(source.key);
      if (client === undefined) {
        throw new TypeError(`no watcher client for load source "${source.key}"`);
      }
      if (!this.#feeds.has(source.key)) {
        this.#feeds.set(source.key, this.#createFeed(source.key, client, pollIntervalMs));
      }
    }
    const reporting = { log: deps.log, metrics: deps.schedulerMetrics };
    this.#reporters = policies.map((policy) => ({
      policy,
      reporter: new LoadReporter(policy, reporting),
    }));
    this.#ceilings = profiles
      .flatMap(ceilingPoliciesOf)
      .map((policy) => new CeilingReporter(policy, reporting));
  }

  /** Resolves with the first figures, or when they take too long. @param nodesKnown signals are read after it. */
  async start(transportClock: Clock, nodesKnown: Promise<unknown>): Promise<void> {
    for (const { policy } of this.#reporters) {
      if (policy.maxAgeMs === undefined) {
        this.#deps.log.warn('load figures never get too old: set metricsMaxAge, such as 5m', {
          profile: policy.name,
        });
      }
    }
    const feeds = [...this.#feeds.values()].map((feed) => feed.start());
    // Series are matched to nodes when they are read.
    const signals = nodesKnown.then(() => patiently(transportClock, this.#signals.start()));
    await Promise.all([patiently(transportClock, Promise.all(feeds)), signals]);
  }

  /** The nodes are known: from now on it says how the figures are. */
  open(): void {
    this.#isOpen = true;
    this.report();
  }

  /** A pod has come: values that are not quite new are read anew. */
  hurry(): void {
    this.#signals.hurry();
  }

  /** Says how the figures are, where that has changed. */
  report(): void {
    if (!this.#isOpen) {
      return;
    }
    this.#signals.report();
    if (this.#reporters.length + this.#ceilings.length === 0) {
      return;
    }
    const snapshot = this.#deps.state.snapshot(this.#deps.clock.nowMs());
    for (const { policy, reporter } of this.#reporters) {
      reporter.report(loadStatus(snapshot, policy, this.#feeds.get(policy.source.key)?.failure));
    }
    for (const reporter of this.#ceilings) reporter.report(snapshot);
  }

  close(): void {
    this.#alarms.close();
    this.#signals.close();
    for (const feed of this.#feeds.values()) {
      feed.close();
    }
  }

  #createSignalDesk(policies: readonly SignalPolicy[], intervalMs: number): SignalDesk {
    const { signalReaders = new Map(), schedulerMetrics } = this.#deps;
    const onChanged = (): void => this.#otherFigures();
    return new SignalDesk(
      { policies, intervalMs },
      { ...this.#deps, readers: signalReaders, metrics: schedulerMetrics, onChanged },
    );
  }

  /** Other figures count than did before. */
  #otherFigures(): void {
    this.#deps.onChanged();
    this.report();
  }

  /** Of whoever reads the source. */
  #maxAgesMs(key: string): readonly (number | undefined)[] {
    return this.#reporters.flatMap(({ policy: { source, fallbacks } }) =>
      source.key === key ? fallbacks.map(({ maxAgeMs }) => maxAgeMs) : [],
    );
  }

  #createFeed(key: string, client: WatcherClient, pollIntervalMs: number): LoadFeed {
    const { state, clock, activity, log, schedulerMetrics } = this.#deps;
    return new LoadFeed(pollIntervalMs, {
      client,
      clock,
      activity,
      log: log.with({ loadSource: key }),
      onDocument: async (document) => {
        const report = await withTurns(loadReportSteps(document));
        state.setLoadReport(report, key);
        this.#alarms.set(key, report.endUnixSeconds * 1000, this.#maxAgesMs(key));
        this.#deps.onChanged();
        await turn();
      },
      onFetched: (outcome) => {
        schedulerMetrics.loadRefreshes.increment({ outcome });
        this.report();
      },
    });
  }
}

/** What the steps come to; between them others have their turn. */
async function withTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves with the work, or when it takes too long; then it goes on. */
async function patiently(clock: Clock, work: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const waited = clock.sleep(START_PATIENCE_MS, patience.signal).catch(() => undefined);
  await Promise.race([work, waited]);
  patience.abort();
}
