import type { Absence, WindowFigures } from '../../core/figures/figures.js';
import type { NodeList } from '../../nodes/node-catalogue.js';

const RESOURCES = ['CPU', 'Memory'] as const;

/** The cluster's nodes that no window has a figure for, or one resource only. */
export function missingNodes(
  windows: readonly WindowFigures[],
  list: NodeList | undefined,
): readonly Absence[] {
  const absences: Absence[] = [];
  for (const [name, node] of list?.nodes ?? []) {
    const seen = new Set<string>();
    for (const window of windows) {
      for (const { type } of window.nodes.get(name)?.metrics ?? []) seen.add(type);
    }
    const os = node.status?.nodeInfo?.operatingSystem ?? 'of an unknown operating system';
    const detail = `no series for this node (${os}): does an exporter run on it, and is it scraped?`;
    if (seen.size === 0) {
      absences.push({ subject: name, metric: 'all', reason: 'no-sample', detail });
      continue;
    }
    for (const metric of RESOURCES) {
      if (!seen.has(metric)) absences.push({ subject: name, metric, reason: 'no-sample', detail });
    }
  }
  return absences;
}
