import { type Pod, type PodCondition, podKey } from '@catamaran/model';
import type { Clock, ClusterApi } from '@catamaran/platform';
import type { EventRecorder } from './event-recorder.js';
import { scheduledCondition } from './pending-pod.js';
import type { SendQueue } from './send-queue.js';
import { isWorthRepeating } from './send-retry.js';

/** Autoscalers act on `Unschedulable` and leave `SchedulerError` alone. */
export type FailureReason = 'Unschedulable' | 'SchedulerError';

export interface OutcomeWriterDeps {
  readonly api: ClusterApi;
  readonly events: EventRecorder;
  readonly conditions: SendQueue;
  /** Time of the objects. */
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Tells the API server how attempts ended: events, and the pod's PodScheduled condition where it changes. */
export class OutcomeWriter {
  readonly #deps: OutcomeWriterDeps;
  /** What was written last, by uid, until the watch shows it or the pod is gone. */
  readonly #written = new Map<string, string>();

  constructor(deps: OutcomeWriterDeps) {
    this.#deps = deps;
  }

  bound(pod: Pod, nodeName: string): void {
    this.#deps.events.record(pod, {
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      note: `Successfully assigned ${podKey(pod)} to ${nodeName}`,
    });
  }

  failed(pod: Pod, reason: FailureReason, message: string): void {
    this.#deps.events.record(pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: message,
    });
    this.#writeCondition(pod, reason, message);
  }

  skippedDeleting(pod: Pod): void {
    this.#deps.events.record(pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: `skip schedule deleting pod: ${podKey(pod)}`,
    });
  }

  /** The pod is placed or gone: nothing more will be written about it. */
  forget(uid: string): void {
    this.#written.delete(uid);
    this.#deps.conditions.drop(uid);
  }

  #writeCondition(pod: Pod, reason: FailureReason, message: string): void {
    const uid = pod.metadata.uid ?? podKey(pod);
    const present = scheduledCondition(pod);
    const text = `${reason} ${message}`;
    const shown = present?.status === 'False' ? `${present.reason} ${present.message}` : undefined;
    if ((this.#written.get(uid) ?? shown) === text) {
      return;
    }
    this.#written.set(uid, text);
    const patch = {
      namespace: pod.metadata.namespace ?? 'default',
      name: pod.metadata.name,
      condition: this.#condition(pod, reason, message),
    };
    const isQueued = this.#deps.conditions.offer(uid, async (signal) => {
      // The pod may have been placed while this was being sent: then nothing must say that it was not.
      if (this.#written.get(uid) !== text) {
        return;
      }
      try {
        await this.#deps.api.patchPodCondition(patch, signal);
      } catch (error) {
        // Not sent again by itself: the next attempt writes it.
        if (!isWorthRepeating(error)) this.#written.delete(uid);
        throw error;
      }
    });
    if (!isQueued) {
      this.#written.delete(uid);
    }
  }

  #condition(pod: Pod, reason: FailureReason, message: string): PodCondition {
    const present = scheduledCondition(pod);
    const { generation } = pod.metadata;
    const changedAt =
      present?.status === 'False' && present.lastTransitionTime !== undefined
        ? present.lastTransitionTime
        : `${new Date(this.#deps.clock.nowMs()).toISOString().slice(0, 19)}Z`;
    return {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      lastTransitionTime: changedAt,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
  }
}
