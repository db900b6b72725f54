import type { Container, Pod, PodCondition, PodSpec } from '@catamaran/model';
import { type BindRequest, ClusterApiError } from '../cluster-api.js';
import { rfc3339Seconds } from '../node-usage.js';

const GATED: PodCondition = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** What the API server fills in when a pod is created, as far as schedulers read it. */
export function withPodDefaults(pod: Pod): Pod {
  const gated = (pod.spec.schedulingGates?.length ?? 0) > 0;
  const status = { phase: 'Pending', ...pod.status };
  return {
    ...pod,
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...pod.metadata, namespace: pod.metadata.namespace ?? 'default' },
    spec: withSpecDefaults(pod.spec),
    status: gated ? withCondition(status, GATED) : status,
  };
}

function withSpecDefaults(spec: PodSpec): PodSpec {
  return {
    ...spec,
    schedulerName: spec.schedulerName ?? 'default-scheduler',
    priority: spec.priority ?? 0,
    preemptionPolicy: spec.preemptionPolicy ?? 'PreemptLowerPriority',
    ...(spec.containers === undefined ? {} : { containers: spec.containers.map(withRequestsFromLimits) }),
    ...(spec.initContainers === undefined
      ? {}
      : { initContainers: spec.initContainers.map(withRequestsFromLimits) }),
  };
}

/** A limit without a request becomes the request. */
function withRequestsFromLimits(container: Container): Container {
  const { resources } = container;
  if (resources?.limits === undefined) return container;
  return {
    ...container,
    resources: { ...resources, requests: { ...resources.limits, ...resources.requests } },
  };
}

/** Adds a condition, or merges it into the one of its type. */
export function withCondition<S extends { readonly conditions?: readonly PodCondition[] }>(
  status: S,
  condition: PodCondition,
): S {
  const conditions = status.conditions ?? [];
  const index = conditions.findIndex((candidate) => candidate.type === condition.type);
  if (index < 0) return { ...status, conditions: [...conditions, condition] };
  return { ...status, conditions: conditions.with(index, { ...conditions[index], ...condition }) };
}

/**
 * The pod after `POST binding`. Whether the node exists is not the API server's question.
 * @throws ClusterApiError 'conflict' for another uid, a deleting, gated or already assigned pod.
 */
export function bound(pod: Pod, request: BindRequest, nowMs: number): Pod {
  const refusal = bindRefusal(pod, request);
  if (refusal !== undefined)
    throw conflict(`Operation cannot be fulfilled on pods/binding "${request.name}": ${refusal}`);
  const condition = { type: 'PodScheduled', status: 'True', lastTransitionTime: rfc3339Seconds(nowMs) };
  const others = pod.status?.conditions?.filter((candidate) => candidate.type !== condition.type) ?? [];
  const { nominatedNodeName: _cleared, ...status } = pod.status ?? {};
  return {
    ...pod,
    spec: { ...pod.spec, nodeName: request.nodeName },
    status: { ...status, conditions: [...others, condition] },
  };
}

function bindRefusal(pod: Pod, request: BindRequest): string | undefined {
  if (request.uid !== '' && request.uid !== pod.metadata.uid) {
    return `Precondition failed: UID in precondition: ${request.uid}, UID in object meta: ${pod.metadata.uid}`;
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    return `pod ${request.name} is being deleted, cannot be assigned to a host`;
  }
  if (pod.spec.nodeName !== undefined && pod.spec.nodeName !== '') {
    return `pod ${request.name} is already assigned to node "${pod.spec.nodeName}"`;
  }
  if ((pod.spec.schedulingGates?.length ?? 0) > 0) {
    return `pod ${request.name} has non-empty .spec.schedulingGates`;
  }
  return undefined;
}

function conflict(message: string): ClusterApiError {
  return new ClusterApiError('conflict', message, { httpStatus: 409, reason: 'Conflict' });
}
