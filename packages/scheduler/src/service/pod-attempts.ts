import type { Clock, Logger } from '@catamaran/platform';
import { decide } from '../core/cycle/decide.js';
import type { Decision } from '../core/cycle/decision.js';
import type { CompiledProfile } from '../core/cycle/profile.js';
import type { Cycle } from '../core/framework/plugin.js';
import { REFUSED_FEATURE } from '../core/queue/cluster-event.js';
import type { Attempt } from '../core/queue/queue-options.js';
import type { SchedulingQueue } from '../core/queue/scheduling-queue.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import type { AttemptMeter } from './attempt-meter.js';
import type { BindingCycle } from './binding-cycle.js';
import type { DecisionRecord } from './decision-log.js';
import type { OutcomeWriter } from './outcome-writer.js';
import { isDeleting, type PendingPod, schedulerNameOf } from './pending-pod.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

export interface PodAttemptsDeps {
  readonly profiles: ReadonlyMap<string, CompiledProfile>;
  readonly state: ClusterState;
  readonly queue: SchedulingQueue<PendingPod>;
  readonly bindings: BindingCycle;
  readonly writer: OutcomeWriter;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly meter: AttemptMeter;
  readonly log: Logger;
  readonly metrics: SchedulerMetrics;
  readonly onDecision: (record: DecisionRecord) => void;
}

/** Attempts to place one pod: decide, and hand it over to be bound, or tell why not. */
export class PodAttempts {
  readonly #tieSeed: number;
  readonly #deps: PodAttemptsDeps;

  constructor(tieSeed: number, deps: PodAttemptsDeps) {
    this.#tieSeed = tieSeed;
    this.#deps = deps;
  }

  /** Synchronous up to the start of the binding. Never throws. */
  run(attempt: Attempt<PendingPod>): void {
    const { info } = attempt.item;
    const startedMs = this.#deps.meter.stopwatchMs();
    const profile = this.#deps.profiles.get(schedulerNameOf(info.pod));
    if (profile === undefined || isDeleting(info.pod)) {
      this.#deps.queue.remove(info.uid);
      if (profile !== undefined) {
        this.#deps.writer.skippedDeleting(info.pod);
      }
      return;
    }
    if (attempt.attempt === 1) {
      this.#deps.meter.softWishes(info.pod);
    }
    const cycle = { pod: info, snapshot: this.#deps.state.snapshot(this.#deps.clock.nowMs()) };
    const decision = this.#decide(cycle, profile);
    if (decision.kind === 'placed') {
      this.#deps.bindings.start({ attempt, cycle, profile, nodeName: decision.node, startedMs });
      return;
    }
    if (decision.reservedOn !== undefined) {
      this.#deps.bindings.unreserve({ cycle, profile, nodeName: decision.reservedOn });
    }
    this.#fail(attempt.item, decision);
    const result = decision.kind === 'unschedulable' ? 'unschedulable' : 'error';
    this.#deps.meter.ended(info.pod, result, startedMs);
  }

  #decide(cycle: Cycle, profile: CompiledProfile): Decision {
    const { meter, onDecision, log } = this.#deps;
    const { pod, snapshot } = cycle;
    const startedMs = meter.stopwatchMs();
    let decision: Decision;
    try {
      decision = decide(cycle, profile, this.#tieSeed);
    } catch (error) {
      log.error('deciding failed', { pod: pod.key, error });
      const message = error instanceof Error ? error.message : String(error);
      decision = { kind: 'error', message, refusedFeature: undefined };
    }
    meter.decided(startedMs);
    const { nowMs: timeMs, version: snapshotVersion } = snapshot;
    onDecision({ pod, profile, timeMs, snapshotVersion, decision, snapshot });
    return decision;
  }

  #fail({ info }: PendingPod, decision: Exclude<Decision, { kind: 'placed' }>): void {
    const { queue, writer, clock, log, metrics } = this.#deps;
    log.debug('pod not placed', { pod: info.key, outcome: decision.kind, reason: decision.message });
    if (decision.kind === 'unschedulable') {
      queue.failed(info.uid, { kind: 'unschedulable', rejectedBy: decision.rejectedBy }, clock.nowMs());
      writer.failed(info.pod, 'Unschedulable', decision.message);
      return;
    }
    if (decision.refusedFeature !== undefined) {
      metrics.refusals.increment({ profile: schedulerNameOf(info.pod) });
      queue.failed(
        info.uid,
        { kind: 'unschedulable', rejectedBy: new Set([REFUSED_FEATURE]) },
        clock.nowMs(),
      );
    } else {
      queue.failed(info.uid, { kind: 'error' }, clock.nowMs());
    }
    writer.failed(info.pod, 'SchedulerError', decision.message);
  }
}
