import { type Pod, podKey } from '@catamaran/model';
import type { Clock, Logger } from '@catamaran/platform';
import { softFeaturesIgnored } from '../core/cycle/refused-feature.js';
import type { Attempt } from '../core/queue/queue-options.js';
import { type PendingPod, schedulerNameOf } from './pending-pod.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

export interface AttemptMeterDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Monotonic; for durations only. */
  readonly stopwatchMs: () => number;
  readonly log: Logger;
  readonly metrics: SchedulerMetrics;
}

/** From this many attempts on they share one label. */
const MANY_ATTEMPTS = 15;

/** Counts and times attempts. */
export class AttemptMeter {
  readonly #deps: AttemptMeterDeps;
  readonly #announcedSoft = new Set<string>();

  constructor(deps: AttemptMeterDeps) {
    this.#deps = deps;
  }

  stopwatchMs(): number {
    return this.#deps.stopwatchMs();
  }

  /** @param startedMs on the stopwatch. */
  ended(pod: Pod, result: 'scheduled' | 'unschedulable' | 'error', startedMs: number): void {
    const labels = { result, profile: schedulerNameOf(pod) };
    this.#deps.metrics.attempts.increment(labels);
    this.#deps.metrics.attemptSeconds.observe(labels, (this.stopwatchMs() - startedMs) / 1000);
  }

  scheduled({ item, attempt, arrivedMs }: Attempt<PendingPod>, startedMs: number): void {
    const { metrics, clock } = this.#deps;
    const attempts = attempt >= MANY_ATTEMPTS ? `${MANY_ATTEMPTS}+` : String(attempt);
    metrics.waitSeconds.observe({ attempts }, (clock.nowMs() - arrivedMs) / 1000);
    metrics.tries.observe({}, attempt);
    this.ended(item.info.pod, 'scheduled', startedMs);
  }

  decided(startedMs: number): void {
    this.#deps.metrics.algorithmSeconds.observe({}, (this.stopwatchMs() - startedMs) / 1000);
  }

  /** Counts soft wishes that no plugin looks at; each kind is logged once. */
  softWishes(pod: Pod): void {
    for (const feature of softFeaturesIgnored(pod)) {
      this.#deps.metrics.softIgnored.increment({ feature });
      if (!this.#announcedSoft.has(feature)) {
        this.#announcedSoft.add(feature);
        this.#deps.log.warn('a soft wish of pods is not looked at', { feature, firstPod: podKey(pod) });
      }
    }
  }
}
