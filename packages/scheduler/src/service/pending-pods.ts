import type { Clock } from '@catamaran/platform';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import type { CompiledProfile } from '../core/cycle/profile.js';
import type { ClusterEvent } from '../core/queue/cluster-event.js';
import type { QueueOptions } from '../core/queue/queue-options.js';
import { SchedulingQueue } from '../core/queue/scheduling-queue.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import type { PodInfo } from '../core/state/pod-info.js';
import { mayBeEasier, type PendingPod, pendingPod, schedulerNameOf } from './pending-pod.js';
import { refusedThereBy } from './retry-hint.js';

export interface PendingPodsDeps {
  readonly profiles: ReadonlyMap<string, CompiledProfile>;
  readonly state: ClusterState;
  readonly clock: Pick<Clock, 'nowMs'>;
}

const DEFAULT_FLUSH_MS = 5 * 60_000;

/** @param flushMs after so long an unschedulable pod is tried again though nothing happened; 5 minutes. */
export function queueTiming(
  { podInitialBackoffSeconds, podMaxBackoffSeconds }: SchedulerConfig,
  flushMs = DEFAULT_FLUSH_MS,
): Pick<QueueOptions<PendingPod>, 'initialBackoffMs' | 'maxBackoffMs' | 'unschedulableFlushMs'> {
  return {
    initialBackoffMs: podInitialBackoffSeconds * 1000,
    maxBackoffMs: podMaxBackoffSeconds * 1000,
    unschedulableFlushMs: flushMs,
  };
}

/** The queue of pods that are ours to place, fed with what the watch shows. */
export class PendingPods {
  readonly queue: SchedulingQueue<PendingPod>;
  readonly #deps: PendingPodsDeps;

  constructor(options: Omit<QueueOptions<PendingPod>, 'refusedThereBy'>, deps: PendingPodsDeps) {
    this.#deps = deps;
    this.queue = new SchedulingQueue({
      ...options,
      refusedThereBy: (pod, event, rejectedBy) => this.#refusedThereBy(pod, event, rejectedBy),
    });
  }

  /** A pod without a node, new or changed; pods of other schedulers are passed over. */
  upsert(info: PodInfo): void {
    const { profiles, state, clock } = this.#deps;
    if (!profiles.has(schedulerNameOf(info.pod))) {
      return;
    }
    const item = pendingPod(info);
    const known = this.queue.item(item.uid);
    // An older form of a pod that is on a node, delivered late.
    if (known === undefined && state.placedOn(item.uid) !== undefined) {
      return;
    }
    this.queue.upsert(item, clock.nowMs(), known === undefined || mayBeEasier(known.info, item.info));
  }

  #refusedThereBy(
    pod: PendingPod,
    event: ClusterEvent,
    rejectedBy: ReadonlySet<string>,
  ): readonly string[] | undefined {
    const { profiles, state, clock } = this.#deps;
    const profile = profiles.get(schedulerNameOf(pod.info.pod));
    const snapshot = () => state.snapshot(clock.nowMs());
    return profile === undefined ? undefined : refusedThereBy(pod, event, { rejectedBy, profile, snapshot });
  }
}
