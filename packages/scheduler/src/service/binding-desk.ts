import type { Pod } from '@catamaran/model';
import type { Clock, ClusterApi, Logger } from '@catamaran/platform';
import type { SchedulingQueue } from '../core/queue/scheduling-queue.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import type { PodInfo } from '../core/state/pod-info.js';
import type { Activity } from './activity.js';
import { ApiWrites, type ApiWritesOptions } from './api-writes.js';
import type { AttemptMeter } from './attempt-meter.js';
import { BindingCycle } from './binding-cycle.js';
import { Confirmations } from './confirmations.js';
import type { OutcomeWriter } from './outcome-writer.js';
import type { PendingPod } from './pending-pod.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

export interface BindingDeskDeps {
  readonly api: ClusterApi;
  readonly state: ClusterState;
  readonly queue: SchedulingQueue<PendingPod>;
  /** Time of the objects. */
  readonly clock: Clock;
  readonly transportClock: Clock;
  readonly activity: Activity;
  readonly meter: AttemptMeter;
  readonly log: Logger;
  readonly metrics: SchedulerMetrics;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly isWatchFresh: () => boolean;
  /** What a read has found out about a bound pod that the watch would not show; undefined: it is gone. */
  readonly onTruth: (assumed: PodInfo, found: Pod | undefined) => void;
  /** There is room for another binding, or something was given back that pods may be waiting for. */
  readonly onRoom: () => void;
}

/** Bindings whose end is not known; pods beyond them wait in the queue. */
const MAX_UNRESOLVED = 4_096;
/** At the end: for bindings under way, then for events and conditions that wait. */
const CLOSE_PATIENCE_MS = 2_000;
const FLUSH_PATIENCE_MS = 1_500;

/** Everything from the chosen node to the word of the watch, and whatever is written on the way. */
export class BindingDesk {
  readonly bindings: BindingCycle;
  readonly #writes: ApiWrites;
  readonly #confirmations: Confirmations;
  readonly #clock: Clock;

  constructor(options: ApiWritesOptions, deps: BindingDeskDeps) {
    const { activity, state, transportClock: clock, onRoom } = deps;
    this.#clock = clock;
    this.#writes = new ApiWrites(options, deps);
    const { binder, outcomes: writer, podWriter } = this.#writes;
    this.#confirmations = new Confirmations({
      activity,
      clock,
      isAssumed: (uid) => state.isAssumed(uid),
      isWatchFresh: deps.isWatchFresh,
      read: ({ namespace, pod: { metadata } }, signal) =>
        binder.read({ namespace, name: metadata.name }, signal),
      onTruth: deps.onTruth,
    });
    const confirmations = this.#confirmations;
    this.bindings = new BindingCycle({ ...deps, binder, writer, podWriter, confirmations, onEnded: onRoom });
  }

  /** Tells the API server how attempts ended. */
  get outcomes(): OutcomeWriter {
    return this.#writes.outcomes;
  }

  /** Whether another pod may be bound now. */
  get hasRoom(): boolean {
    return this.#writes.slots.hasRoom && this.bindings.unresolved < MAX_UNRESOLVED;
  }

  /** The watch shows the pod on a node, or finished or gone (undefined). */
  settled(uid: string, nodeName: string | undefined): void {
    this.outcomes.forget(uid);
    this.#confirmations.settled(uid);
    this.bindings.settled(uid, nodeName);
  }

  /** Bindings under way get two seconds to finish, events and conditions then 1.5 s to be sent. */
  async close(): Promise<void> {
    await this.#patiently(CLOSE_PATIENCE_MS, (patience) => this.bindings.close(patience));
    this.#confirmations.close();
    await this.#patiently(FLUSH_PATIENCE_MS, (patience) => this.#writes.close(patience));
  }

  async #patiently(ms: number, work: (patience: AbortSignal) => Promise<void>): Promise<void> {
    const patience = new AbortController();
    const cancel = this.#clock.schedule(ms, () => patience.abort());
    await work(patience.signal);
    cancel();
  }
}
