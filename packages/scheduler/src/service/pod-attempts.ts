import { setMaxListeners } from 'node:events';
import type { Clock, LogFields, Logger } from '@catamaran/platform';
import { decide } from '../core/cycle/decide.js';
import type { Decision } from '../core/cycle/decision.js';
import type { CompiledProfile } from '../core/cycle/profile.js';
import { REFUSED_FEATURE } from '../core/queue/cluster-event.js';
import type { Attempt } from '../core/queue/queue-options.js';
import type { SchedulingQueue } from '../core/queue/scheduling-queue.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import type { Activity } from './activity.js';
import type { AttemptMeter } from './attempt-meter.js';
import type { Binder, BindOutcome } from './binder.js';
import type { DecisionRecord } from './decision-log.js';
import type { OutcomeWriter } from './outcome-writer.js';
import { isDeleting, type PendingPod, schedulerNameOf } from './pending-pod.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

export interface PodAttemptsDeps {
  readonly profiles: ReadonlyMap<string, CompiledProfile>;
  readonly state: ClusterState;
  readonly queue: SchedulingQueue<PendingPod>;
  readonly binder: Binder;
  readonly writer: OutcomeWriter;
  readonly activity: Activity;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly meter: AttemptMeter;
  readonly log: Logger;
  readonly metrics: SchedulerMetrics;
  readonly onDecision: (record: DecisionRecord) => void;
  /** A binding has ended: there is room for another, and pods may be waiting for what it gave back. */
  readonly onBindingEnded: () => void;
}

/** Attempts to place one pod: decide, assume, bind, and tell how it went. */
export class PodAttempts {
  readonly #tieSeed: number;
  readonly #deps: PodAttemptsDeps;
  readonly #stop = new AbortController();
  readonly #bindings = new Set<Promise<void>>();
  /** Bound pods that the watch has not shown on their node yet. */
  readonly #unconfirmed = new Map<string, () => void>();
  #isFailing = false;

  constructor(tieSeed: number, deps: PodAttemptsDeps) {
    this.#tieSeed = tieSeed;
    this.#deps = deps;
    // Every call under way listens to it.
    setMaxListeners(0, this.#stop.signal);
  }

  get bindingsInFlight(): number {
    return this.#bindings.size;
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
    const decision = this.#decide(attempt.item, profile);
    if (decision.kind === 'placed') {
      this.#bind(attempt, decision.node, startedMs);
      return;
    }
    this.#fail(attempt.item, decision);
    const result = decision.kind === 'unschedulable' ? 'unschedulable' : 'error';
    this.#deps.meter.ended(info.pod, result, startedMs);
  }

  /** The watch shows the pod on a node, finished, or gone. */
  settled(uid: string): void {
    this.#deps.writer.forget(uid);
    this.#unconfirmed.get(uid)?.();
    this.#unconfirmed.delete(uid);
  }

  /** Waits for bindings under way until the signal aborts, then gives them up. */
  async close(patience: AbortSignal): Promise<void> {
    const outOfPatience = new Promise<void>((resolve) => {
      patience.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([Promise.all(this.#bindings), outOfPatience]);
    this.#stop.abort(new DOMException('closed', 'AbortError'));
    for (const end of this.#unconfirmed.values()) {
      end();
    }
  }

  #decide({ info }: PendingPod, profile: CompiledProfile): Decision {
    const { state, clock, meter, onDecision } = this.#deps;
    const timeMs = clock.nowMs();
    const snapshot = state.snapshot(timeMs);
    const startedMs = meter.stopwatchMs();
    let decision: Decision;
    try {
      decision = decide({ pod: info, snapshot }, profile, this.#tieSeed);
    } catch (error) {
      this.#deps.log.error('deciding failed', { pod: info.key, error });
      const message = error instanceof Error ? error.message : String(error);
      decision = { kind: 'error', message, refusedFeature: undefined };
    }
    meter.decided(startedMs);
    onDecision({ pod: info, profile, timeMs, snapshotVersion: snapshot.version, decision, snapshot });
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

  #bind(attempt: Attempt<PendingPod>, nodeName: string, startedMs: number): void {
    const { state, clock, binder, activity } = this.#deps;
    const { info } = attempt.item;
    state.assume(info, nodeName, clock.nowMs());
    const request = { namespace: info.namespace, name: info.pod.metadata.name, uid: info.uid, nodeName };
    const binding = activity
      .during(async () => {
        const outcome = await binder.bind(request, this.#stop.signal);
        this.#bound(attempt, { nodeName, startedMs, outcome });
      })
      .catch((error: unknown) => {
        state.forget(info.uid);
        if (!this.#stop.signal.aborted) {
          this.#deps.log.error('binding failed', { pod: info.key, error });
          this.#deps.queue.failed(info.uid, { kind: 'error' }, clock.nowMs());
        }
      })
      .finally(() => {
        this.#bindings.delete(binding);
        this.#deps.onBindingEnded();
      });
    this.#bindings.add(binding);
  }

  #bound(
    attempt: Attempt<PendingPod>,
    ended: { readonly nodeName: string; readonly startedMs: number; readonly outcome: BindOutcome },
  ): void {
    const { queue, writer, meter, metrics, log } = this.#deps;
    const { info } = attempt.item;
    const { nodeName, startedMs, outcome } = ended;
    metrics.bindings.increment({ outcome: outcome.kind });
    if (outcome.kind === 'bound') {
      queue.remove(info.uid);
      writer.bound(info.pod, nodeName);
      this.#isFailing = false;
      log.debug('pod placed', { pod: info.key, node: nodeName, attempt: attempt.attempt });
      this.#awaitConfirmation(info.uid);
      meter.scheduled(attempt, startedMs);
      return;
    }
    // No longer an assumption: the watch has shown the pod on a node, or gone, whatever the binding was answered.
    const isSettled = !this.#deps.state.isAssumed(info.uid);
    this.#takeBack(info.uid, nodeName);
    if (outcome.kind === 'failed' && !isSettled) {
      this.#announceFailure({ pod: info.key, node: nodeName, reason: outcome.message });
      queue.failed(info.uid, { kind: 'error' }, this.#deps.clock.nowMs());
      writer.failed(info.pod, 'SchedulerError', `binding rejected: ${outcome.message}`);
    } else {
      queue.remove(info.uid);
      log.info('the pod was gone or placed elsewhere when it was to be bound', { pod: info.key, outcome });
    }
    meter.ended(info.pod, 'error', startedMs);
  }

  /** One line when bindings begin to fail; repetitions only at debug, until one succeeds. */
  #announceFailure(fields: LogFields): void {
    const { log } = this.#deps;
    const message = 'binding failed, the pod will be tried again';
    if (this.#isFailing) {
      log.debug(message, fields);
    } else {
      log.warn(message, fields);
    }
    this.#isFailing = true;
  }

  /** What was assumed is free again, and others may be waiting for it. */
  #takeBack(uid: string, nodeName: string): void {
    this.#deps.state.forget(uid);
    this.#deps.queue.onEvent({ kind: 'assigned-pod-deleted', nodeName }, this.#deps.clock.nowMs());
  }

  #awaitConfirmation(uid: string): void {
    if (this.#deps.state.isAssumed(uid)) {
      this.#unconfirmed.set(uid, this.#deps.activity.begin());
    } else {
      this.#deps.writer.forget(uid);
    }
  }
}
