import type { PodSpec } from '@catamaran/model';

/** Fields that are known within a part of the spec; `ANY`: whatever is in it has no say in where the pod may run. */
type Known = typeof ANY | { readonly fields: Readonly<Record<string, Known>> } | { readonly each: Known };

const ANY = 'any';

function names(...fields: readonly string[]): Readonly<Record<string, Known>> {
  return Object.fromEntries(fields.map((field) => [field, ANY]));
}

const LABEL_SELECTOR: Known = {
  fields: {
    matchLabels: ANY,
    matchExpressions: { each: { fields: names('key', 'operator', 'values') } },
  },
};

const NODE_TERM: Known = {
  fields: {
    matchExpressions: { each: { fields: names('key', 'operator', 'values') } },
    matchFields: { each: { fields: names('key', 'operator', 'values') } },
  },
};

const POD_TERM: Known = {
  fields: {
    ...names('topologyKey', 'namespaces', 'matchLabelKeys', 'mismatchLabelKeys'),
    labelSelector: LABEL_SELECTOR,
    namespaceSelector: LABEL_SELECTOR,
  },
};

const POD_AFFINITY: Known = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { each: POD_TERM },
    preferredDuringSchedulingIgnoredDuringExecution: {
      each: { fields: { weight: ANY, podAffinityTerm: POD_TERM } },
    },
  },
};

const NODE_AFFINITY: Known = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { fields: { nodeSelectorTerms: { each: NODE_TERM } } },
    preferredDuringSchedulingIgnoredDuringExecution: {
      each: { fields: { weight: ANY, preference: NODE_TERM } },
    },
  },
};

const RESOURCES: Known = { fields: names('requests', 'limits', 'claims') };

const SPREAD: Known = {
  fields: {
    ...names('maxSkew', 'topologyKey', 'whenUnsatisfiable', 'minDomains', 'matchLabelKeys'),
    ...names('nodeAffinityPolicy', 'nodeTaintsPolicy'),
    labelSelector: LABEL_SELECTOR,
  },
};

/** Fields that are honoured here, or that have no say in where a pod may run. */
const SPEC: Readonly<Record<string, Known>> = {
  ...names(
    'activeDeadlineSeconds',
    'automountServiceAccountToken',
    'containers',
    'dnsConfig',
    'dnsPolicy',
    'enableServiceLinks',
    'ephemeralContainers',
    'hostAliases',
    'hostIPC',
    'hostNetwork',
    'hostPID',
    'hostUsers',
    'hostname',
    'hostnameOverride',
    'imagePullSecrets',
    'initContainers',
    'nodeName',
    'nodeSelector',
    'os',
    'overhead',
    'preemptionPolicy',
    'priority',
    'priorityClassName',
    'readinessGates',
    'resourceClaims',
    'restartPolicy',
    'runtimeClassName',
    'schedulerName',
    'schedulingGates',
    'schedulingGroup',
    'securityContext',
    'serviceAccount',
    'serviceAccountName',
    'setHostnameAsFQDN',
    'shareProcessNamespace',
    'subdomain',
    'terminationGracePeriodSeconds',
    'volumes',
  ),
  affinity: {
    fields: { nodeAffinity: NODE_AFFINITY, podAffinity: POD_AFFINITY, podAntiAffinity: POD_AFFINITY },
  },
  resources: RESOURCES,
  tolerations: { each: { fields: names('key', 'operator', 'value', 'effect', 'tolerationSeconds') } },
  topologySpreadConstraints: { each: SPREAD },
};

/** Of containers only what they ask for is looked at: everything else is the kubelet's. */
const CONTAINER_LISTS = ['containers', 'initContainers'] as const;

/**
 * The path of the first field that is not known, in any part of the spec that says where a pod may run: a constraint
 * that is not known must not be ignored. Fields that are null ask for nothing.
 */
export function unknownField(spec: PodSpec): string | undefined {
  const found = unknownIn(spec, { fields: SPEC }, 'spec');
  if (found !== undefined) return found;
  for (const list of CONTAINER_LISTS) {
    for (const { name, resources } of spec[list] ?? []) {
      const unknown = unknownIn(resources, RESOURCES, `spec.${list}[${name}].resources`);
      if (unknown !== undefined) return unknown;
    }
  }
  return undefined;
}

function unknownIn(value: unknown, known: Known, path: string): string | undefined {
  if (known === ANY || typeof value !== 'object' || value === null) return undefined;
  if ('each' in known) {
    if (!Array.isArray(value)) return undefined;
    for (const [index, item] of value.entries()) {
      const found = unknownIn(item, known.each, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const map = value as Readonly<Record<string, unknown>>;
  for (const field in map) {
    const member = map[field];
    if (member === undefined || member === null) continue;
    const inner = Object.hasOwn(known.fields, field) ? known.fields[field] : undefined;
    if (inner === undefined) return `${path}.${field}`;
    if (inner === ANY) continue;
    const found = unknownIn(member, inner, `${path}.${field}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
