import { type Pod, podKey } from '@catamaran/model';
import type { Clock, ClusterApi, PodStatusPatch } from '@catamaran/platform';
import type { PodWrite } from '../core/framework/plugin.js';
import type { CallSlots } from './call-slots.js';
import type { EventRecorder } from './event-recorder.js';
import type { RateLimiter } from './rate-limiter.js';
import type { SendQueue } from './send-queue.js';

export interface PodWriterDeps {
  readonly api: ClusterApi;
  readonly events: EventRecorder;
  readonly conditions: SendQueue;
  readonly limiter: RateLimiter;
  readonly slots: CallSlots;
  /** Time of the objects. */
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Writes what plugins want written about a pod. */
export class PodWriter {
  readonly #deps: PodWriterDeps;

  constructor(deps: PodWriterDeps) {
    this.#deps = deps;
  }

  /** Resolves when a condition is written; events are only handed over. @throws ClusterApiError, or the signal's reason. */
  async write(pod: Pod, write: PodWrite, signal: AbortSignal): Promise<void> {
    if (write.kind === 'event') {
      this.#deps.events.record(pod, write);
      return;
    }
    const { api, slots, limiter } = this.#deps;
    const patch = this.#patch(pod, write);
    await slots.during((inTime) => api.patchPodCondition(patch, inTime), {
      signal,
      prepare: () => limiter.take(signal),
    });
  }

  /** The same without waiting: it is tried until it succeeds. */
  offer(pod: Pod, write: PodWrite): void {
    if (write.kind === 'event') {
      this.#deps.events.record(pod, write);
      return;
    }
    const patch = this.#patch(pod, write);
    const key = `${pod.metadata.uid ?? podKey(pod)}/${write.type}`;
    this.#deps.conditions.offer(key, (signal) => this.#deps.api.patchPodCondition(patch, signal));
  }

  #patch(
    pod: Pod,
    { type, status, reason, message }: Extract<PodWrite, { kind: 'condition' }>,
  ): PodStatusPatch {
    const { namespace = 'default', name } = pod.metadata;
    const present = pod.status?.conditions?.find((condition) => condition.type === type);
    const changed = `${new Date(this.#deps.clock.nowMs()).toISOString().slice(0, 19)}Z`;
    const lastTransitionTime =
      present?.status === status && present.lastTransitionTime !== undefined
        ? present.lastTransitionTime
        : changed;
    return { namespace, name, condition: { type, status, reason, message, lastTransitionTime } };
  }
}
