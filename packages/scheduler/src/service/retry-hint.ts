import { filterNode, prepareFilters } from '../core/cycle/filter-run.js';
import type { CompiledProfile } from '../core/cycle/profile.js';
import type { ClusterEvent } from '../core/queue/cluster-event.js';
import type { Snapshot } from '../core/state/snapshot.js';
import type { PendingPod } from './pending-pod.js';

/** Plugins whose verdict on a node depends on that node alone. */
const LOCAL: ReadonlySet<string> = new Set([
  'NodeName',
  'NodeUnschedulable',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
]);

/**
 * A closer look at an event about one node: who refuses the pod there now? Only asked where that is the whole
 * question, so a pod is never left waiting that could be placed.
 *
 * @returns undefined when the pod is worth a try; else the plugins whose events matter to the pod from now on too.
 */
export function refusedThereBy(
  pod: PendingPod,
  event: ClusterEvent,
  context: {
    readonly rejectedBy: ReadonlySet<string>;
    readonly profile: CompiledProfile;
    readonly snapshot: () => Snapshot;
  },
): readonly string[] | undefined {
  const nodeName = 'nodeName' in event ? event.nodeName : undefined;
  if (nodeName === undefined || context.rejectedBy.size === 0) {
    return undefined;
  }
  for (const plugin of context.rejectedBy) {
    if (!LOCAL.has(plugin)) {
      return undefined;
    }
  }
  const snapshot = context.snapshot();
  const node = snapshot.node(nodeName);
  if (node === undefined) {
    return [];
  }
  const cycle = { pod: pod.info, snapshot };
  const prepared = prepareFilters(cycle, context.profile);
  const rejection = prepared.kind === 'rejected' ? undefined : filterNode(cycle, prepared.run, node);
  return rejection === undefined ? undefined : [rejection.plugin];
}
