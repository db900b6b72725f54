import type { Pod, PodCondition } from '@catamaran/model';
import type { Pending } from '../core/queue/queue-entry.js';
import type { PodInfo } from '../core/state/pod-info.js';

/** A pod of ours that waits for a node, prepared once for all its attempts. */
export interface PendingPod extends Pending {
  readonly info: PodInfo;
}

export function pendingPod(info: PodInfo): PendingPod {
  const { schedulingGates = [] } = info.pod.spec;
  return { uid: info.uid, priority: info.priority, gated: schedulingGates.length > 0, info };
}

export function isAssigned(pod: Pod): boolean {
  return (pod.spec.nodeName ?? '') !== '';
}

export function isDeleting(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

export function schedulerNameOf(pod: Pod): string {
  return pod.spec.schedulerName ?? 'default-scheduler';
}

/** Whether the new form of a pod may be schedulable where the old one was not: anything but its status changed. */
export function mayBeEasier(before: PodInfo, after: PodInfo): boolean {
  return (
    before.classKey !== after.classKey ||
    before.damage.length !== after.damage.length ||
    JSON.stringify(before.labels) !== JSON.stringify(after.labels) ||
    JSON.stringify(before.pod.spec) !== JSON.stringify(after.pod.spec)
  );
}

export function scheduledCondition(pod: Pod): PodCondition | undefined {
  return pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
}
