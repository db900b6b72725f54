import type { KubernetesEvent, KubernetesObject, Lease } from '@catamaran/model';
import { ClusterApiError } from '../cluster-api.js';
import type { StoredKind } from './object-store.js';

/** metav1.MicroTime: exactly six decimals. */
const MICRO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;
const MAX_NOTE_BYTES = 1024;
const SIX_DECIMALS = 'must be a time with exactly six decimals, such as 2026-11-30T15:00:00.000000Z';

/**
 * What an API server asks of an event or a lease that is written.
 * @throws ClusterApiError 'rejected' (422) with everything that is wrong.
 */
export function checkWrite(kind: StoredKind, object: KubernetesObject): void {
  if (kind === 'events') refuse('Event', object, eventProblems(object as KubernetesEvent));
  if (kind === 'leases') refuse('Lease', object, leaseProblems(object as Lease));
}

/** @throws ClusterApiError 'rejected' (422) for a lease that does not say which version it replaces. */
export function checkReplace(kind: StoredKind, object: KubernetesObject): void {
  if (kind !== 'leases' || object.metadata.resourceVersion !== undefined) return;
  refuse('Lease', object, ['metadata.resourceVersion: Invalid value: 0: must be specified for an update']);
}

/** @throws ClusterApiError 'conflict' for the successor of the object that was meant. */
export function checkIdentity(
  kind: StoredKind,
  object: KubernetesObject,
  presentUid: string | undefined,
): void {
  const { name, uid } = object.metadata;
  if (uid === undefined || uid === presentUid) return;
  throw new ClusterApiError(
    'conflict',
    `Operation cannot be fulfilled on ${kind} "${name}": Precondition failed: UID in precondition: ${uid}, UID in object meta: ${presentUid ?? ''}`,
    { httpStatus: 409, reason: 'Conflict' },
  );
}

function eventProblems(event: KubernetesEvent): string[] {
  const required = (['reportingController', 'reportingInstance', 'action', 'reason'] as const)
    .filter((field) => !event[field])
    .map((field) => `${field}: Required value`);
  const { eventTime, type, note = '', series } = event;
  return [
    ...timeProblems('eventTime', eventTime, true),
    ...required,
    ...(type === 'Normal' || type === 'Warning' ? [] : ['type: Invalid value: must be Normal or Warning']),
    ...(Buffer.byteLength(note) > MAX_NOTE_BYTES
      ? [`note: Invalid value: can have at most ${MAX_NOTE_BYTES} bytes`]
      : []),
    ...(series ? timeProblems('series.lastObservedTime', series.lastObservedTime, true) : []),
  ];
}

function leaseProblems({ spec }: Lease): string[] {
  return [
    ...timeProblems('spec.acquireTime', spec?.acquireTime, false),
    ...timeProblems('spec.renewTime', spec?.renewTime, false),
  ];
}

function timeProblems(field: string, value: unknown, isRequired: boolean): string[] {
  if (value === undefined || value === null || value === '') {
    return isRequired ? [`${field}: Required value`] : [];
  }
  if (typeof value === 'string' && MICRO_TIME.test(value)) return [];
  return [`${field}: Invalid value: ${JSON.stringify(value)}: ${SIX_DECIMALS}`];
}

function refuse(type: string, { metadata }: KubernetesObject, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const list = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  const message = `${type} "${metadata.name}" is invalid: ${list}`;
  throw new ClusterApiError('rejected', message, { httpStatus: 422, reason: 'Invalid' });
}
