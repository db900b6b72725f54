import {
  type Container,
  type ContainerStatus,
  type KubernetesObject,
  LOAD_CEILING_ANNOTATION,
  type Node,
  type Pod,
  type PodCondition,
} from '@catamaran/model';

/** Conditions of pods that tell how a pod is doing on its node; every pod has them. */
const KUBELET_CONDITIONS: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
  'Ready',
]);

/** Half of a typical object, and of use to nobody here. */
export function dropManagedFields<T extends KubernetesObject>(object: T): T {
  const { managedFields, ...metadata } = object.metadata as T['metadata'] & {
    readonly managedFields?: unknown;
  };
  return managedFields === undefined ? object : { ...object, metadata };
}

/**
 * A pod as scheduling reads it. Of the metadata, containers and status only the modelled fields are kept; the spec
 * keeps every field, so that unknown constraints stay visible.
 */
export function projectPod(pod: Pod): Pod {
  const { containers, initContainers, ephemeralContainers: _ephemeral, ...spec } = pod.spec;
  return {
    metadata: projectMetadata(pod.metadata),
    spec: {
      ...spec,
      ...(containers === undefined ? {} : { containers: containers.map(projectContainer) }),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(projectContainer) }),
    },
    ...(pod.status === undefined ? {} : { status: projectPodStatus(pod.status) }),
  };
}

/** A node as scheduling reads it: without image list, foreign annotations and kubelet details. */
export function projectNode(node: Node): Node {
  const { spec, status } = node;
  return {
    metadata: projectMetadata(node.metadata),
    ...(spec === undefined ? {} : { spec: pick(spec, ['unschedulable', 'taints', 'providerID']) }),
    ...(status === undefined
      ? {}
      : { status: pick(status, ['capacity', 'allocatable', 'addresses', 'conditions', 'declaredFeatures']) }),
  };
}

/** Of the annotations only our own is kept. */
function projectMetadata(metadata: KubernetesObject['metadata']): KubernetesObject['metadata'] {
  const ceiling = metadata.annotations?.[LOAD_CEILING_ANNOTATION];
  const annotations = ceiling === undefined ? {} : { annotations: { [LOAD_CEILING_ANNOTATION]: ceiling } };
  const kept = pick(metadata, [
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'labels',
    'ownerReferences',
  ]);
  return { ...kept, ...annotations };
}

function projectContainer(container: Container): Container {
  return pick(container, ['name', 'image', 'resources', 'ports', 'restartPolicy', 'restartPolicyRules']);
}

function projectPodStatus(status: NonNullable<Pod['status']>): NonNullable<Pod['status']> {
  const { conditions, containerStatuses, initContainerStatuses } = status;
  return {
    ...pick(status, ['phase', 'startTime', 'nominatedNodeName', 'resources', 'allocatedResources']),
    ...(conditions === undefined ? {} : { conditions: schedulingConditions(conditions) }),
    ...(containerStatuses === undefined ? {} : { containerStatuses: containerStatuses.map(projectStatus) }),
    ...(initContainerStatuses === undefined
      ? {}
      : { initContainerStatuses: initContainerStatuses.map(projectStatus) }),
  };
}

/** Whatever an object that is damaged has instead of a list stays, for whoever checks it. */
function schedulingConditions(conditions: readonly PodCondition[]): readonly PodCondition[] {
  if (!Array.isArray(conditions)) return conditions;
  return conditions.filter(
    (condition: PodCondition | null) => !KUBELET_CONDITIONS.has(condition?.type ?? ''),
  );
}

function projectStatus(status: ContainerStatus): ContainerStatus {
  return pick(status, ['name', 'allocatedResources', 'resources']);
}

/** The named fields that are there; never adds a field that is not. */
function pick<T extends object, const F extends keyof T>(object: T, fields: readonly F[]): Pick<T, F> {
  const kept = {} as Pick<T, F>;
  for (const field of fields) {
    if (object[field] !== undefined) kept[field] = object[field];
  }
  return kept;
}
