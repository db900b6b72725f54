import type { Resource } from '../../core/figures/figure-table.js';
import type { Absence } from '../../core/figures/figures.js';
import type { NodeList } from '../../nodes/node-catalogue.js';

/** What is known of the answers of a refresh. */
export interface Answered {
  readonly has: (node: string, resource: Resource) => boolean;
  /** What the source said of the answers for that resource that are not whole. */
  readonly partial: (resource: Resource) => string | undefined;
}

/** The cluster's nodes that no window has a figure for, or one resource only. */
export function missingNodes(list: NodeList | undefined, { has, partial }: Answered): readonly Absence[] {
  const absences: Absence[] = [];
  for (const [subject, node] of list?.nodes ?? []) {
    const [cpu, memory] = [has(subject, 'CPU'), has(subject, 'Memory')];
    if (cpu && memory) continue;
    const notWhole = (cpu ? undefined : partial('CPU')) ?? (memory ? undefined : partial('Memory'));
    const metric = !cpu && !memory ? 'all' : cpu ? 'Memory' : 'CPU';
    if (notWhole !== undefined) {
      const detail = `no series for this node in an answer that is not whole (${notWhole}): see the storage behind the query API`;
      absences.push({ subject, metric, reason: 'partial-answer', detail });
      continue;
    }
    const os = node.status?.nodeInfo?.operatingSystem ?? 'of an unknown operating system';
    const detail = `no series for this node (${os}): does an exporter run on it, and is it scraped?`;
    absences.push({ subject, metric, reason: 'no-sample', detail });
  }
  return absences;
}
