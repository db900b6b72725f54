import type { Pod } from '@catamaran/model';
import type { PodChange } from '../core/queue/cluster-event.js';
import { podInfo } from '../core/state/pod-info.js';

/** What changed about an assigned pod that may let others in. */
export function podChanges(before: Pod, after: Pod): ReadonlySet<PodChange> {
  const changes = new Set<PodChange>();
  if (
    before.metadata.labels !== after.metadata.labels &&
    !same(before.metadata.labels, after.metadata.labels)
  ) {
    changes.add('labels');
  }
  if (!same(amountsOf(before), amountsOf(after)) && isSmaller(before, after)) {
    changes.add('scaled-down');
  }
  return changes;
}

/** Where an in-place resize shows. */
function amountsOf({ spec, status }: Pod): unknown {
  return [
    spec.containers?.map(({ resources }) => resources),
    spec.initContainers?.map(({ resources }) => resources),
    spec.resources,
    status?.containerStatuses,
    status?.resources,
    status?.allocatedResources,
  ];
}

function isSmaller(before: Pod, after: Pod): boolean {
  const old = podInfo(before).requests;
  const now = podInfo(after).requests;
  return (
    now.cpuMilli < old.cpuMilli ||
    now.memoryBytes < old.memoryBytes ||
    now.ephemeralStorageBytes < old.ephemeralStorageBytes ||
    [...old.others].some(([name, amount]) => (now.others.get(name) ?? 0) < amount)
  );
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
