import type { Resource } from '../../core/figures/figure-table.js';
import type { Absence } from '../../core/figures/figures.js';
import type { NodeList } from '../../nodes/node-catalogue.js';

/** The cluster's nodes that no window has a figure for, or one resource only. */
export function missingHosts(
  list: NodeList | undefined,
  has: (node: string, resource: Resource) => boolean,
): readonly Absence[] {
  return [...(list?.nodes.keys() ?? [])].flatMap((subject): readonly Absence[] => {
    const missing = (['CPU', 'Memory'] as const).filter((resource) => !has(subject, resource));
    if (missing.length === 0) return [];
    const metric = missing.length === 2 ? 'all' : (missing[0] ?? 'all');
    const detail =
      'no usable points of this node: does an agent on it report to the service, under a name that leads to the node?';
    return [{ subject, metric, reason: 'no-sample', detail }];
  });
}
