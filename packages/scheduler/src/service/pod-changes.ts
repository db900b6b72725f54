import type { PodChange } from '../core/queue/cluster-event.js';
import type { NodeAmounts } from '../core/state/node-amounts.js';
import type { PodInfo } from '../core/state/pod-info.js';

/** What changed about an assigned pod that may let others in. */
export function podChanges(before: PodInfo, after: PodInfo): ReadonlySet<PodChange> {
  const changes = new Set<PodChange>();
  if (before.labels !== after.labels && JSON.stringify(before.labels) !== JSON.stringify(after.labels)) {
    changes.add('labels');
  }
  if (isSmaller(before.requests, after.requests)) changes.add('scaled-down');
  return changes;
}

function isSmaller(old: NodeAmounts, now: NodeAmounts): boolean {
  return (
    now.cpuMilli < old.cpuMilli ||
    now.memoryBytes < old.memoryBytes ||
    now.ephemeralStorageBytes < old.ephemeralStorageBytes ||
    [...old.others].some(([name, amount]) => (now.others.get(name) ?? 0) < amount)
  );
}
