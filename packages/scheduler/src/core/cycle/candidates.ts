import type { Snapshot } from '../state/snapshot.js';
import { tieIndex } from './tie-choice.js';

/** With fewer nodes than this all are looked at. */
const MIN_FEASIBLE_NODES = 100;

/** How many feasible nodes are enough. Unset: all; 0: kube-scheduler's share, which falls as clusters grow. */
export function feasibleNodesToFind(nodeCount: number, percentage: number | undefined): number {
  if (percentage === undefined || nodeCount < MIN_FEASIBLE_NODES) return nodeCount;
  const share = percentage === 0 ? Math.max(5, 50 - Math.floor(nodeCount / 125)) : percentage;
  if (share >= 100) return nodeCount;
  return Math.max(MIN_FEASIBLE_NODES, Math.floor((nodeCount * share) / 100));
}

/**
 * Slots in the order in which they are looked at: by name, and where not all are needed from a place that depends on
 * the pod, so that every node gets its turn.
 */
export function* slotsInTurn(
  snapshot: Snapshot,
  pod: { readonly uid: string },
  { sampled, tieSeed }: { readonly sampled: boolean; readonly tieSeed: number },
): IterableIterator<number> {
  const { nodeCount } = snapshot;
  const start = sampled && nodeCount > 0 ? tieIndex(pod.uid, tieSeed, nodeCount) : 0;
  for (let step = 0; step < nodeCount; step += 1) yield (start + step) % nodeCount;
}
