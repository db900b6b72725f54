import type { Container, Pod } from '../kubernetes/pod.js';
import { maxAmounts, type QuantityProblem, type ResourceAmounts, readAmounts } from './resource-amounts.js';

/** What one container asks for, after an in-place resize that may be under way has been taken into account. */
export interface ContainerAmounts {
  readonly name: string;
  readonly requests: ResourceAmounts;
  readonly limits: ResourceAmounts;
  /** An init container that keeps running beside the others. */
  readonly sidecar: boolean;
}

/** A resize that the kubelet has found impossible: what was asked for does not count, only what is held. */
export function isResizeInfeasible(pod: Pod): boolean {
  return (pod.status?.conditions ?? []).some(
    ({ type, status, reason }) => type === 'PodResizePending' && status === 'True' && reason === 'Infeasible',
  );
}

/** All containers of a kind in order. `problems` collects the quantities that could not be used. */
export function containerAmounts(
  pod: Pod,
  kind: 'containers' | 'initContainers',
  problems: QuantityProblem[],
): readonly ContainerAmounts[] {
  const statuses = kind === 'containers' ? pod.status?.containerStatuses : pod.status?.initContainerStatuses;
  const infeasible = statuses !== undefined && isResizeInfeasible(pod);
  return (pod.spec[kind] ?? []).map((container: Container) => {
    const path = `spec.${kind}[${container.name}].resources`;
    const requests = readAmounts(container.resources?.requests, `${path}.requests`, problems);
    const limits = readAmounts(container.resources?.limits, `${path}.limits`, problems);
    const sidecar = kind === 'initContainers' && container.restartPolicy === 'Always';
    const held = statuses?.find(({ name }) => name === container.name);
    if (held?.resources === undefined) return { name: container.name, requests, limits, sidecar };
    const statusPath = `status.${kind === 'containers' ? 'containerStatuses' : 'initContainerStatuses'}[${held.name}]`;
    const heldRequests = maxAmounts(
      readAmounts(held.resources.requests, `${statusPath}.resources.requests`, problems),
      readAmounts(held.allocatedResources, `${statusPath}.allocatedResources`, problems),
    );
    const heldLimits = readAmounts(held.resources.limits, `${statusPath}.resources.limits`, problems);
    return {
      name: container.name,
      requests: infeasible ? heldRequests : maxAmounts(requests, heldRequests),
      limits: infeasible ? heldLimits : maxAmounts(limits, heldLimits),
      sidecar,
    };
  });
}
