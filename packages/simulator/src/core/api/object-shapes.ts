import type { Shape } from './shape.js';

const STRINGS: Shape = { mapOf: 'string' };
const STRING_LIST: Shape = { listOf: 'string' };
const QUANTITIES: Shape = { mapOf: 'scalar' };

const listOf = (fields: Readonly<Record<string, Shape>>): Shape => ({ listOf: { fields } });

const METADATA: Shape = {
  fields: {
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    uid: 'string',
    resourceVersion: 'string',
    generation: 'number',
    creationTimestamp: 'string',
    deletionTimestamp: 'string',
    labels: STRINGS,
    annotations: STRINGS,
    finalizers: STRING_LIST,
    ownerReferences: listOf({ kind: 'string', name: 'string', uid: 'string', controller: 'boolean' }),
  },
};

const CONDITIONS = listOf({
  type: 'string',
  status: 'string',
  reason: 'string',
  message: 'string',
  lastTransitionTime: 'string',
  observedGeneration: 'number',
});

const RESOURCES: Shape = {
  fields: { requests: QUANTITIES, limits: QUANTITIES, claims: listOf({ name: 'string' }) },
};

const CONTAINERS = listOf({
  name: 'string',
  image: 'string',
  restartPolicy: 'string',
  resources: RESOURCES,
  ports: listOf({
    containerPort: 'number',
    hostPort: 'number',
    hostIP: 'string',
    protocol: 'string',
    name: 'string',
  }),
});

const REQUIREMENTS = listOf({ key: 'string', operator: 'string', values: STRING_LIST });
const LABEL_SELECTOR: Shape = { fields: { matchLabels: STRINGS, matchExpressions: REQUIREMENTS } };
const NODE_TERM: Readonly<Record<string, Shape>> = {
  matchExpressions: REQUIREMENTS,
  matchFields: REQUIREMENTS,
};
const POD_TERM: Readonly<Record<string, Shape>> = {
  topologyKey: 'string',
  labelSelector: LABEL_SELECTOR,
  namespaces: STRING_LIST,
  namespaceSelector: LABEL_SELECTOR,
  matchLabelKeys: STRING_LIST,
  mismatchLabelKeys: STRING_LIST,
};

const POD_AFFINITY: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: listOf(POD_TERM),
    preferredDuringSchedulingIgnoredDuringExecution: listOf({
      weight: 'number',
      podAffinityTerm: { fields: POD_TERM },
    }),
  },
};

const NODE_AFFINITY: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { fields: { nodeSelectorTerms: listOf(NODE_TERM) } },
    preferredDuringSchedulingIgnoredDuringExecution: listOf({
      weight: 'number',
      preference: { fields: NODE_TERM },
    }),
  },
};

const TOLERATIONS = listOf({
  key: 'string',
  operator: 'string',
  value: 'string',
  effect: 'string',
  tolerationSeconds: 'number',
});

const SPREAD = listOf({
  maxSkew: 'number',
  topologyKey: 'string',
  whenUnsatisfiable: 'string',
  labelSelector: LABEL_SELECTOR,
  minDomains: 'number',
  nodeAffinityPolicy: 'string',
  nodeTaintsPolicy: 'string',
  matchLabelKeys: STRING_LIST,
});

const POD: Shape = {
  fields: {
    metadata: METADATA,
    spec: {
      fields: {
        nodeName: 'string',
        schedulerName: 'string',
        priority: 'number',
        priorityClassName: 'string',
        preemptionPolicy: 'string',
        nodeSelector: STRINGS,
        affinity: {
          fields: { nodeAffinity: NODE_AFFINITY, podAffinity: POD_AFFINITY, podAntiAffinity: POD_AFFINITY },
        },
        tolerations: TOLERATIONS,
        topologySpreadConstraints: SPREAD,
        containers: CONTAINERS,
        initContainers: CONTAINERS,
        overhead: QUANTITIES,
        resources: RESOURCES,
        volumes: listOf({ name: 'string' }),
        schedulingGates: listOf({ name: 'string' }),
        resourceClaims: listOf({ name: 'string' }),
        hostNetwork: 'boolean',
      },
    },
    status: {
      fields: {
        phase: 'string',
        startTime: 'string',
        nominatedNodeName: 'string',
        conditions: CONDITIONS,
        containerStatuses: listOf({ name: 'string', resources: RESOURCES, allocatedResources: QUANTITIES }),
        initContainerStatuses: listOf({
          name: 'string',
          resources: RESOURCES,
          allocatedResources: QUANTITIES,
        }),
        resources: RESOURCES,
        allocatedResources: QUANTITIES,
      },
    },
  },
};

const NODE: Shape = {
  fields: {
    metadata: METADATA,
    spec: {
      fields: {
        unschedulable: 'boolean',
        providerID: 'string',
        taints: listOf({ key: 'string', value: 'string', effect: 'string', timeAdded: 'string' }),
      },
    },
    status: {
      fields: {
        capacity: QUANTITIES,
        allocatable: QUANTITIES,
        addresses: listOf({ type: 'string', address: 'string' }),
        conditions: CONDITIONS,
        images: listOf({ names: STRING_LIST, sizeBytes: 'number' }),
        declaredFeatures: STRING_LIST,
      },
    },
  },
};

const REFERENCE: Shape = {
  fields: { kind: 'string', apiVersion: 'string', namespace: 'string', name: 'string', uid: 'string' },
};

const EVENT: Shape = {
  fields: {
    metadata: METADATA,
    eventTime: 'string',
    type: 'string',
    reason: 'string',
    action: 'string',
    note: 'string',
    reportingController: 'string',
    reportingInstance: 'string',
    regarding: REFERENCE,
    related: REFERENCE,
    series: { fields: { count: 'number', lastObservedTime: 'string' } },
  },
};

const LEASE: Shape = {
  fields: {
    metadata: METADATA,
    spec: {
      fields: {
        holderIdentity: 'string',
        leaseDurationSeconds: 'number',
        acquireTime: 'string',
        renewTime: 'string',
        leaseTransitions: 'number',
      },
    },
  },
};

const BY_KIND: Readonly<Record<string, Shape>> = { Pod: POD, Node: NODE, Event: EVENT, Lease: LEASE };

/** The shape of a kind; of others only the metadata is known. */
export function shapeOfKind(kind: string): Shape {
  return BY_KIND[kind] ?? { fields: { metadata: METADATA } };
}
