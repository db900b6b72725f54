import type { Resource } from '../../core/figures/figure-table.js';
import type { Absence } from '../../core/figures/figures.js';
import type { NodeList } from '../../nodes/node-catalogue.js';

/** The cluster's nodes that no window has a figure for, or one resource only. */
export function missingNodes(
  list: NodeList | undefined,
  has: (node: string, resource: Resource) => boolean,
): readonly Absence[] {
  const absences: Absence[] = [];
  for (const [subject, node] of list?.nodes ?? []) {
    const [cpu, memory] = [has(subject, 'CPU'), has(subject, 'Memory')];
    if (cpu && memory) continue;
    const os = node.status?.nodeInfo?.operatingSystem ?? 'of an unknown operating system';
    const detail = `no series for this node (${os}): does an exporter run on it, and is it scraped?`;
    const metric = !cpu && !memory ? 'all' : cpu ? 'Memory' : 'CPU';
    absences.push({ subject, metric, reason: 'no-sample', detail });
  }
  return absences;
}
