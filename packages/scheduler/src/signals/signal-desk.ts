import type { Clock, Logger } from '@catamaran/platform';
import type { ClusterState } from '../core/state/cluster-state.js';
import type { SignalReading } from '../core/state/signal-store.js';
import type { Activity } from '../service/activity.js';
import { AgeAlarms } from '../service/age-alarms.js';
import { SignalFeed, type WantedSignal } from './signal-feed.js';
import type { SignalMetrics } from './signal-metrics.js';
import type { SignalPolicy } from './signal-policy.js';
import type { SignalReader } from './signal-reader.js';
import { SignalReporter } from './signal-status.js';

export interface SignalDeskOptions {
  readonly policies: readonly SignalPolicy[];
  readonly intervalMs: number;
}

export interface SignalDeskDeps {
  /** By key of `signalSources(config)`. */
  readonly readers: ReadonlyMap<string, SignalReader>;
  readonly state: ClusterState;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly log: Logger;
  readonly metrics: SignalMetrics;
  /** New values are in the cluster state, or values have become too old. */
  readonly onChanged: () => void;
}

/** Brings signals into the cluster state: one feed a source, one reporter a plugin. */
export class SignalDesk {
  readonly #deps: SignalDeskDeps;
  readonly #feeds: readonly SignalFeed[];
  readonly #reporters: readonly SignalReporter[];
  readonly #failures = new Map<string, string>();
  readonly #alarms: AgeAlarms;
  /** Of whoever reads a signal, by its key. */
  readonly #maxAgesMs = new Map<string, (number | undefined)[]>();
  #isStarted = false;

  /** @throws TypeError when a source has no reader: the composition root forgot it. */
  constructor({ policies, intervalMs }: SignalDeskOptions, deps: SignalDeskDeps) {
    this.#deps = deps;
    this.#alarms = new AgeAlarms(deps.clock, deps.onChanged);
    const bySource = new Map<string, Map<string, WantedSignal>>();
    for (const { source, uses } of policies) {
      const wanted = bySource.get(source.key) ?? new Map<string, WantedSignal>();
      for (const { key, spec, maxAgeMs } of uses) {
        wanted.set(key, { key, spec });
        this.#maxAgesMs.set(key, [...(this.#maxAgesMs.get(key) ?? []), maxAgeMs]);
      }
      bySource.set(source.key, wanted);
    }
    this.#feeds = [...bySource].map(([key, wanted]) =>
      this.#createFeed(key, [...wanted.values()], intervalMs),
    );
    const { log, metrics } = deps;
    this.#reporters = policies.map((policy) => new SignalReporter(policy, { log, metrics }));
  }

  /** Resolves when each source has been read once. */
  async start(): Promise<void> {
    this.#isStarted = true;
    await Promise.all(this.#feeds.map((feed) => feed.start()));
  }

  /** A pod has come that may be placed by signals. */
  hurry(): void {
    if (this.#isStarted) for (const feed of this.#feeds) feed.hurry();
  }

  /** Says how the signals are, where that has changed. */
  report(): void {
    if (this.#reporters.length === 0) return;
    const snapshot = this.#deps.state.snapshot(this.#deps.clock.nowMs());
    for (const reporter of this.#reporters) reporter.report(snapshot, this.#failures);
  }

  close(): void {
    this.#alarms.close();
    for (const feed of this.#feeds) feed.close();
  }

  #createFeed(source: string, signals: readonly WantedSignal[], intervalMs: number): SignalFeed {
    const { readers, state, clock, activity, log } = this.#deps;
    const reader = readers.get(source);
    if (reader === undefined) throw new TypeError(`no reader for signal source "${source}"`);
    return new SignalFeed(
      { intervalMs, signals },
      {
        reader,
        clock,
        activity,
        log: log.with({ prometheus: reader.address }),
        nodes: () => [...state.snapshot(clock.nowMs()).nodes()].map(({ node }) => node),
        onRead: (readings, failures) => this.#take(signals, readings, failures),
      },
    );
  }

  #take(
    signals: readonly WantedSignal[],
    readings: readonly SignalReading[],
    failures: ReadonlyMap<string, string>,
  ): void {
    const { state, metrics, onChanged } = this.#deps;
    for (const { key } of signals) {
      const failure = failures.get(key);
      metrics.signalReads.increment({ outcome: failure === undefined ? 'ok' : 'failed' });
      if (failure === undefined) this.#failures.delete(key);
      else this.#failures.set(key, failure);
    }
    state.setSignals(readings);
    for (const { key, readMs } of readings) this.#alarms.set(key, readMs, this.#maxAgesMs.get(key) ?? []);
    onChanged();
  }
}
