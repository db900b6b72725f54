/**
 * What happened in the cluster, in the terms that can help a pending pod. `node-updated` says which parts changed.
 * `unknown` stands for events that were no longer remembered: it may help anyone.
 */
export type ClusterEvent =
  | { readonly kind: 'node-added'; readonly nodeName: string }
  | { readonly kind: 'node-updated'; readonly nodeName: string; readonly changes: ReadonlySet<NodeChange> }
  | { readonly kind: 'assigned-pod-added'; readonly nodeName: string }
  | {
      readonly kind: 'assigned-pod-updated';
      readonly nodeName: string;
      readonly changes: ReadonlySet<PodChange>;
    }
  /** `uid`: of the pod that was there, which its own going does not help. */
  | { readonly kind: 'assigned-pod-deleted'; readonly nodeName: string; readonly uid?: string }
  /** A pending pod that the node was promised to is gone, placed elsewhere or promised another. */
  | { readonly kind: 'nomination-gone'; readonly nodeName: string }
  | { readonly kind: 'namespace-updated' }
  /** Measured load or a signal has changed, on whatever nodes. */
  | { readonly kind: 'load-updated' }
  | { readonly kind: 'unknown' };

export type NodeChange =
  | 'allocatable'
  | 'labels'
  | 'taints'
  | 'unschedulable'
  | 'conditions'
  | 'load-ceiling';

export type PodChange = 'labels' | 'scaled-down';

/** Names an event, or one part of an update: `node-added`, `node-updated/taints`. */
type Interest =
  | Exclude<ClusterEvent['kind'], 'node-updated' | 'assigned-pod-updated' | 'unknown'>
  | `node-updated/${NodeChange}`
  | `assigned-pod-updated/${PodChange}`;

const FREED: readonly Interest[] = [
  'assigned-pod-deleted',
  'assigned-pod-updated/scaled-down',
  'nomination-gone',
];

const NEIGHBOURS: readonly Interest[] = [
  'node-added',
  'node-updated/labels',
  'assigned-pod-added',
  'assigned-pod-deleted',
  'assigned-pod-updated/labels',
  'nomination-gone',
  'namespace-updated',
];

/** Stands among the plugins that refused a pod for a feature we can't honour: only a change of the pod helps. */
export const REFUSED_FEATURE = 'RefusedFeature';

/** Which events may change a plugin's mind. A plugin that is not listed is woken by everything. */
const INTERESTS: ReadonlyMap<string, ReadonlySet<Interest>> = new Map<string, ReadonlySet<Interest>>([
  [REFUSED_FEATURE, new Set<Interest>()],
  ['NodeName', new Set<Interest>(['node-added'])],
  [
    'NodeUnschedulable',
    new Set<Interest>(['node-added', 'node-updated/unschedulable', 'node-updated/taints']),
  ],
  ['TaintToleration', new Set<Interest>(['node-added', 'node-updated/taints'])],
  ['NodeAffinity', new Set<Interest>(['node-added', 'node-updated/labels'])],
  ['NodePorts', new Set<Interest>(['node-added', 'assigned-pod-deleted', 'nomination-gone'])],
  ['NodeResourcesFit', new Set<Interest>(['node-added', 'node-updated/allocatable', ...FREED])],
  ['InterPodAffinity', new Set<Interest>(NEIGHBOURS)],
  ['PodTopologySpread', new Set<Interest>([...NEIGHBOURS, 'node-updated/taints'])],
  ['LoadCeiling', new Set<Interest>(['node-added', 'node-updated/load-ceiling', 'load-updated'])],
]);

/**
 * Whether an event may help a pod that `rejectedBy` refused. A pod that nobody in particular refused (there were no
 * nodes) is helped by anything that happens to nodes or pods.
 */
export function mayHelp(event: ClusterEvent, rejectedBy: ReadonlySet<string>): boolean {
  if (event.kind === 'unknown' || rejectedBy.size === 0) {
    return event.kind !== 'load-updated';
  }
  for (const plugin of rejectedBy) {
    const interests = INTERESTS.get(plugin);
    if (interests === undefined || matches(event, interests)) {
      return true;
    }
  }
  return false;
}

function matches(
  event: Exclude<ClusterEvent, { kind: 'unknown' }>,
  interests: ReadonlySet<Interest>,
): boolean {
  if (event.kind === 'node-updated') {
    return [...event.changes].some((change) => interests.has(`node-updated/${change}`));
  }
  if (event.kind === 'assigned-pod-updated') {
    return [...event.changes].some((change) => interests.has(`assigned-pod-updated/${change}`));
  }
  return interests.has(event.kind);
}
