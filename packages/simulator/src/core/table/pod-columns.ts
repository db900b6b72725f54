import { isJsonObject, type JsonObject } from '../api/merge-patch.js';
import { AGE, type Column, metadataOf, NAME } from './columns.js';
import { objectsAt, orNone, textAt } from './object-reader.js';

export const POD_COLUMNS: readonly Column[] = [
  NAME,
  { name: 'Ready', description: 'Containers that are ready, of all.', cell: readyOf },
  { name: 'Status', description: 'Phase, or what keeps the pod from it.', cell: statusOf },
  {
    name: 'Restarts',
    description: 'Restarts of its containers.',
    kind: 'integer',
    cell: (pod) => containersOf(pod).reduce((sum, { restartCount }) => sum + numberOf(restartCount), 0),
  },
  AGE,
  wide('IP', (pod) => textAt(pod, 'status', 'podIP')),
  wide('Node', (pod) => textAt(pod, 'spec', 'nodeName')),
  wide('Nominated Node', (pod) => textAt(pod, 'status', 'nominatedNodeName')),
  wide('Readiness Gates', gatesOf),
];

function readyOf(pod: object): string {
  const ready = containersOf(pod).filter((status) => status.ready === true).length;
  return `${ready}/${objectsAt(pod, 'spec', 'containers').length}`;
}

/** The first container that waits or has ended tells more than the phase; a deletion more than both. */
function statusOf(pod: object): string {
  if (metadataOf(pod).deletionTimestamp !== undefined) return 'Terminating';
  for (const { state } of containersOf(pod)) {
    const reason = isJsonObject(state)
      ? textAt(state, 'waiting', 'reason') || textAt(state, 'terminated', 'reason')
      : '';
    if (reason !== '') return reason;
  }
  const scheduled = objectsAt(pod, 'status', 'conditions').find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'SchedulingGated') return 'SchedulingGated';
  return textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase') || 'Unknown';
}

function gatesOf(pod: object): string {
  const gates = objectsAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '';
  const met = new Set(
    objectsAt(pod, 'status', 'conditions')
      .filter(({ status }) => status === 'True')
      .map(({ type }) => type),
  );
  return `${gates.filter(({ conditionType }) => met.has(conditionType)).length}/${gates.length}`;
}

function containersOf(pod: object): readonly JsonObject[] {
  return objectsAt(pod, 'status', 'containerStatuses');
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function wide(name: string, cell: (pod: object) => string): Column {
  return { name, description: `${name} of the pod.`, isWide: true, cell: (pod) => orNone(cell(pod)) };
}
