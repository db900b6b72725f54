import { LOAD_CEILING_ANNOTATION, type Node } from '@catamaran/model';
import type { NodeChange } from '../core/queue/cluster-event.js';

const PARTS: Readonly<Record<NodeChange, (node: Node) => unknown>> = {
  allocatable: ({ status }) => status?.allocatable,
  labels: ({ metadata }) => metadata.labels,
  taints: ({ spec }) => spec?.taints?.map(({ key, value, effect }) => [key, value, effect]),
  unschedulable: ({ spec }) => spec?.unschedulable === true,
  'load-ceiling': ({ metadata }) => metadata.annotations?.[LOAD_CEILING_ANNOTATION],
  // Heartbeats move only the times.
  conditions: ({ status }) => status?.conditions?.map(({ type, status: state }) => [type, state]),
};

/** Which parts of a node that scheduling looks at differ; empty for a mere heartbeat. */
export function nodeChanges(before: Node, after: Node): ReadonlySet<NodeChange> {
  const changed = new Set<NodeChange>();
  for (const [part, read] of Object.entries(PARTS) as [NodeChange, (node: Node) => unknown][]) {
    if (JSON.stringify(read(before)) !== JSON.stringify(read(after))) {
      changed.add(part);
    }
  }
  return changed;
}
