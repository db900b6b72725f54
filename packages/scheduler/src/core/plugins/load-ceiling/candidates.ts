import type { Cycle, FilterPlugin } from '../../framework/plugin.js';
import type { NodeInfo } from '../../state/node-info.js';
import { nodeAffinity } from '../node-affinity/plugin.js';
import { nodeName } from '../node-name/plugin.js';
import { nodePorts } from '../node-ports/plugin.js';
import { nodeResourcesFit } from '../node-resources-fit/plugin.js';
import { nodeUnschedulable } from '../node-unschedulable/plugin.js';
import { taintToleration } from '../taint-toleration/plugin.js';

const DEFINITIONS = [nodeName, nodeUnschedulable, taintToleration, nodeAffinity, nodePorts, nodeResourcesFit];

const FILTERS: readonly FilterPlugin[] = DEFINITIONS.flatMap(
  (definition) => definition.create(undefined, { loadSource: 'default' }).filter ?? [],
);

/**
 * The nodes that would take the pod if it were not for their load, by kube-scheduler's filters with default arguments:
 * an idle node that the pod does not tolerate must not stand for a choice. Cost: all nodes.
 */
export function candidateNodes(cycle: Cycle): readonly NodeInfo[] {
  const active: { plugin: FilterPlugin; state: unknown }[] = [];
  for (const plugin of FILTERS) {
    const outcome = plugin.preFilter?.(cycle) ?? { kind: 'continue', state: undefined };
    if (outcome.kind === 'reject') return [];
    if (outcome.kind === 'continue') active.push({ plugin, state: outcome.state });
  }
  return [...cycle.snapshot.nodes()].filter((node) =>
    active.every(({ plugin, state }) => plugin.filter(cycle, node, state) === undefined),
  );
}
