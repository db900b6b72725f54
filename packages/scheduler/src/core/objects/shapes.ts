import { anything, flag, listOf, mapOf, number, record, type Shape, text } from './shape.js';

/** Quantities are read one by one elsewhere: a bad one counts as missing, the others stand. */
const quantities = mapOf(anything);

const metadata = record({
  name: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: number,
  creationTimestamp: text,
  deletionTimestamp: text,
  labels: mapOf(text),
  annotations: mapOf(text),
});

const requirement = record({ key: text, operator: text, values: listOf(text) }, ['key', 'operator']);
const labelSelector = record({ matchLabels: mapOf(text), matchExpressions: listOf(requirement) });
const nodeTerm = record({ matchExpressions: listOf(requirement), matchFields: listOf(requirement) });

const nodeAffinity = record({
  requiredDuringSchedulingIgnoredDuringExecution: record({ nodeSelectorTerms: listOf(nodeTerm) }),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    record({ weight: number, preference: nodeTerm }, ['weight', 'preference']),
  ),
});

const podTerm = record(
  {
    topologyKey: text,
    labelSelector,
    namespaces: listOf(text),
    namespaceSelector: labelSelector,
    matchLabelKeys: listOf(text),
    mismatchLabelKeys: listOf(text),
  },
  ['topologyKey'],
);

const podAffinity = record({
  requiredDuringSchedulingIgnoredDuringExecution: listOf(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    record({ weight: number, podAffinityTerm: podTerm }),
  ),
});

const resources = record({ requests: quantities, limits: quantities, claims: listOf(anything) });

const containers = listOf(
  record({
    name: text,
    image: text,
    resources,
    ports: listOf(record({ hostPort: number, hostIP: text, protocol: text })),
    restartPolicy: text,
    restartPolicyRules: listOf(anything),
  }),
);

const podSpec = record({
  nodeName: text,
  schedulerName: text,
  priority: number,
  preemptionPolicy: text,
  nodeSelector: mapOf(text),
  affinity: record({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity }),
  tolerations: listOf(record({ key: text, operator: text, value: text, effect: text })),
  topologySpreadConstraints: listOf(
    record({ maxSkew: number, topologyKey: text, whenUnsatisfiable: text, labelSelector }),
  ),
  containers,
  initContainers: containers,
  overhead: quantities,
  resources,
  volumes: listOf(record({ name: text })),
  schedulingGates: listOf(anything),
  resourceClaims: listOf(anything),
  hostNetwork: flag,
  hostUsers: flag,
});

const conditions = listOf(
  record({ type: text, status: text, reason: text, message: text, lastTransitionTime: text }),
);
const containerStatuses = listOf(record({ name: text, allocatedResources: quantities, resources }));

const podStatus = record({
  phase: text,
  startTime: text,
  nominatedNodeName: text,
  conditions,
  containerStatuses,
  initContainerStatuses: containerStatuses,
  resources,
  allocatedResources: quantities,
});

export const POD_SHAPE: Shape = record({ metadata, spec: podSpec, status: podStatus });

export const NODE_SHAPE: Shape = record({
  metadata,
  spec: record({
    unschedulable: flag,
    taints: listOf(record({ key: text, value: text, effect: text }, ['key', 'effect'])),
    providerID: text,
  }),
  status: record({
    capacity: quantities,
    allocatable: quantities,
    addresses: listOf(record({ type: text, address: text })),
    conditions,
    images: listOf(record({ names: listOf(text), sizeBytes: number })),
    declaredFeatures: listOf(text),
  }),
});

export const OBJECT_SHAPE: Shape = record({ metadata });
