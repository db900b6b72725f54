import type { Container, Pod, PodSpec } from '@catamaran/model';
import { invalidObject } from './status.js';

/** Fields of a running pod's spec that may be changed. */
const MUTABLE = ['tolerations', 'schedulingGates', 'activeDeadlineSeconds', 'terminationGracePeriodSeconds'];

/**
 * Refuses what may not change in a pod: everything but images, tolerations, gates (only fewer) and deadlines.
 * @throws ApiFailure 422.
 */
export function checkPodUpdate(present: Pod, next: Pod): void {
  const forbid = (message: string): never => {
    const cause = { reason: 'FieldValueForbidden', field: 'spec', message: `Forbidden: ${message}` };
    throw invalidObject('Pod', present.metadata.name, [cause]);
  };
  const gates = new Set(present.spec.schedulingGates?.map(({ name }) => name));
  if (next.spec.schedulingGates?.some(({ name }) => !gates.has(name)) === true) {
    forbid('only deletion of scheduling gates is allowed');
  }
  if (immutablePart(present.spec) !== immutablePart(next.spec)) {
    forbid(`pod updates may not change fields other than container images and ${MUTABLE.join(', ')}`);
  }
}

function immutablePart(spec: PodSpec): string {
  const withoutImage = (list: readonly Container[] | undefined): object[] =>
    (list ?? []).map(({ image: _image, ...container }) => container);
  const { containers, initContainers, ...rest } = spec;
  const entries = Object.entries(rest).filter(([field]) => !MUTABLE.includes(field));
  return JSON.stringify(
    sortKeys([Object.fromEntries(entries), withoutImage(containers), withoutImage(initContainers)]),
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, entry]) => [key, sortKeys(entry)]));
}
