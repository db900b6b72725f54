import type { Cycle, Rejection } from '../framework/plugin.js';
import type { NodeInfo } from '../state/node-info.js';
import { feasibleNodesToFind, slotsInTurn } from './candidates.js';
import type { RejectedNode } from './decision.js';
import { type FilterRun, filterNode } from './filter-run.js';
import type { CompiledProfile } from './profile.js';

/** Which nodes will do, in the order of their names, and why the others won't. */
export interface Filtered {
  readonly feasible: readonly NodeInfo[];
  readonly rejected: readonly RejectedNode[];
  readonly evaluatedCount: number;
}

/** Looks at the node the pod was promised first: when it will do, at no other. */
export function filterNodes(
  cycle: Cycle,
  run: FilterRun,
  { profile, tieSeed }: { readonly profile: CompiledProfile; readonly tieSeed: number },
): Filtered {
  const promised = promisedNode(cycle);
  if (promised !== undefined && filterNode(cycle, run, promised) === undefined) {
    return { feasible: [promised], rejected: [], evaluatedCount: 1 };
  }
  const { snapshot, pod } = cycle;
  const candidates = run.nodeNames?.size ?? snapshot.nodeCount;
  const enough = feasibleNodesToFind(candidates, profile.percentageOfNodesToScore);
  const feasible: NodeInfo[] = [];
  const rejected: RejectedNode[] = [];
  for (const slot of slotsInTurn(snapshot, pod, { sampled: enough < candidates, tieSeed })) {
    const node = snapshot.nodeAt(slot);
    const rejection = filterNode(cycle, run, node);
    if (rejection === undefined) feasible.push(node);
    else rejected.push({ node: node.name, rejection });
    if (feasible.length >= enough && enough < candidates) break;
  }
  const evaluatedCount = feasible.length + rejected.length;
  return { feasible: feasible.sort(byName), rejected, evaluatedCount };
}

export function promisedNode({ pod, snapshot }: Cycle): NodeInfo | undefined {
  const name = pod.pod.status?.nominatedNodeName ?? '';
  return name === '' ? undefined : snapshot.node(name);
}

/** Every node with the verdict that a PreFilter plugin gave for the pod as a whole. */
export function allRejected({ snapshot }: Cycle, rejection: Rejection): readonly RejectedNode[] {
  return [...snapshot.nodes()].map(({ name }) => ({ node: name, rejection }));
}

function byName(a: NodeInfo, b: NodeInfo): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
