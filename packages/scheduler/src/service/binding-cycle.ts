import { setMaxListeners } from 'node:events';
import type { Clock, LogFields, Logger } from '@catamaran/platform';
import { undoing } from '../core/cycle/undo.js';
import type { SchedulingQueue } from '../core/queue/scheduling-queue.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import type { Activity } from './activity.js';
import type { AttemptMeter } from './attempt-meter.js';
import { type Binder, type BindOutcome, placedOn } from './binder.js';
import type { Confirmations } from './confirmations.js';
import type { OutcomeWriter } from './outcome-writer.js';
import type { PendingPod } from './pending-pod.js';
import { type Failure, failureOf, messageOf, type Placement, type Plan, planOf } from './placement.js';
import type { PodWriter } from './pod-writer.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

export interface BindingCycleDeps {
  readonly state: ClusterState;
  readonly queue: SchedulingQueue<PendingPod>;
  readonly binder: Binder;
  readonly writer: OutcomeWriter;
  readonly podWriter: PodWriter;
  readonly confirmations: Confirmations;
  readonly activity: Activity;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly meter: AttemptMeter;
  readonly log: Logger;
  readonly metrics: SchedulerMetrics;
  /** A binding has ended: there is room for another, and pods may be waiting for what it gave back. */
  readonly onEnded: () => void;
}

/** From the chosen node to the bound pod, beside the loop: assume, PreBind, Bind, and tell how it went. */
export class BindingCycle {
  readonly #deps: BindingCycleDeps;
  /** Under way, by uid. */
  readonly #running = new Map<string, { readonly end: AbortController; readonly nodeName: string }>();
  #waiters: (() => void)[] = [];
  #isFailing = false;

  constructor(deps: BindingCycleDeps) {
    this.#deps = deps;
  }

  /** Bindings whose end is not known yet: calls under way, waits between them. */
  get unresolved(): number {
    return this.#running.size;
  }

  /** Synchronous up to the first write. Never throws. */
  start(placement: Placement): void {
    const { state, clock, activity } = this.#deps;
    const { info } = placement.attempt.item;
    state.assume(info, placement.nodeName, clock.nowMs());
    const plan = planOf(placement);
    if (plan.kind !== 'bind') {
      this.#failed(placement, failureOf(plan));
      return;
    }
    const end = new AbortController();
    setMaxListeners(0, end.signal);
    this.#running.set(info.uid, { end, nodeName: placement.nodeName });
    void activity.during(() => this.#run(placement, plan, end.signal)).finally(() => this.#left(info.uid));
  }

  /** The watch shows the pod on a node, or gone (undefined): whatever the API answers, that is how it ended. */
  settled(uid: string, nodeName: string | undefined): void {
    const running = this.#running.get(uid);
    const outcome = placedOn(nodeName ?? '', running?.nodeName ?? '') ?? { kind: 'gone' };
    running?.end.abort(new Told(outcome));
  }

  /** Asks Reserve plugins to undo. One that throws keeps neither the others from it nor the place taken. */
  unreserve({ cycle, profile, nodeName }: Pick<Placement, 'cycle' | 'profile' | 'nodeName'>): void {
    const { podWriter, log } = this.#deps;
    const { pod, key } = cycle.pod;
    const { writes, failures } = undoing(cycle, profile, nodeName);
    for (const { write } of writes) podWriter.offer(pod, write);
    for (const failure of failures) log.error('Unreserve failed', { pod: key, ...failure });
  }

  /** Waits for bindings under way until the signal aborts, then gives them up. */
  async close(patience: AbortSignal): Promise<void> {
    if (this.#running.size > 0 && !patience.aborted) {
      await new Promise<void>((resolve) => {
        patience.addEventListener('abort', () => resolve(), { once: true });
        this.#waiters.push(resolve);
      });
    }
    for (const { end } of this.#running.values()) end.abort(new DOMException('closed', 'AbortError'));
  }

  async #run(placement: Placement, plan: Plan, signal: AbortSignal): Promise<void> {
    const { info } = placement.attempt.item;
    let outcome: BindOutcome;
    try {
      outcome = await this.#carryOut(placement, plan, signal);
    } catch (error) {
      if (signal.reason instanceof Told) outcome = signal.reason.outcome;
      else if (signal.aborted) {
        this.#deps.state.forget(info.uid);
        return;
      } else {
        this.#deps.log.error('binding failed', { pod: info.key, error });
        outcome = { kind: 'failed', message: messageOf(error) };
      }
    }
    this.#ended(placement, outcome);
  }

  async #carryOut({ attempt }: Placement, plan: Plan, signal: AbortSignal): Promise<BindOutcome> {
    for (const { plugin, write } of plan.writes) {
      try {
        await this.#deps.podWriter.write(attempt.item.info.pod, write, signal);
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'failed', message: `PreBind plugin "${plugin}": ${messageOf(error)}` };
      }
    }
    return await this.#deps.binder.bind(plan.binding, signal);
  }

  #ended(placement: Placement, outcome: BindOutcome): void {
    const { queue, writer, meter, metrics, log, confirmations } = this.#deps;
    const { attempt, nodeName, startedMs } = placement;
    const { info } = attempt.item;
    metrics.bindings.increment({ outcome: outcome.kind });
    if (outcome.kind === 'bound') {
      queue.remove(info.uid);
      writer.bound(info.pod, nodeName);
      this.#isFailing = false;
      log.debug('pod placed', { pod: info.key, node: nodeName, attempt: attempt.attempt });
      confirmations.await(info);
      meter.scheduled(attempt, startedMs);
      return;
    }
    if (outcome.kind === 'failed') {
      this.#announceFailure({ pod: info.key, node: nodeName, reason: outcome.message });
      const message = `binding rejected: ${outcome.message}`;
      this.#failed(placement, { result: { kind: 'error' }, reason: 'SchedulerError', message });
      return;
    }
    this.#takeBack(placement);
    queue.remove(info.uid);
    log.info('the pod was gone or placed elsewhere when it was to be bound', { pod: info.key, outcome });
    meter.ended(info.pod, 'error', startedMs);
  }

  #failed(placement: Placement, { result, reason, message }: Failure): void {
    const { queue, writer, meter, clock } = this.#deps;
    const { info } = placement.attempt.item;
    this.#takeBack(placement);
    queue.failed(info.uid, result, clock.nowMs());
    writer.failed(info.pod, reason, message);
    meter.ended(info.pod, reason === 'Unschedulable' ? 'unschedulable' : 'error', placement.startedMs);
  }

  /** What was assumed is free again, and others may be waiting for it. */
  #takeBack(placement: Placement): void {
    const { state, queue, clock } = this.#deps;
    const { attempt, nodeName } = placement;
    const { info } = attempt.item;
    this.unreserve(placement);
    state.forget(info.uid);
    queue.onEvent({ kind: 'assigned-pod-deleted', nodeName, uid: info.uid }, clock.nowMs());
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

  #left(uid: string): void {
    this.#running.delete(uid);
    this.#deps.onEnded();
    if (this.#running.size > 0) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

/** Why a binding was broken off: how it ended is known. */
class Told {
  readonly outcome: BindOutcome;

  constructor(outcome: BindOutcome) {
    this.outcome = outcome;
  }
}
