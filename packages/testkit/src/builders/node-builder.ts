import type { Node, NodeAddress, ResourceList, Taint } from '@catamaran/model';

export interface NodeShape {
  /** Quantity; 4 cores. */
  readonly cpu?: string;
  /** Quantity; 16Gi. */
  readonly memory?: string;
  /** Most pods it takes; 110. */
  readonly pods?: string;
  /** Further resources, such as `example.com/gpu`. */
  readonly resources?: ResourceList;
  /** Where it differs from capacity. */
  readonly allocatable?: ResourceList;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly unschedulable?: boolean;
  readonly addresses?: readonly NodeAddress[];
  readonly ready?: boolean;
}

/** A healthy node with a hostname label, as a kubelet would register it. */
export function nodeOf(name: string, shape: NodeShape = {}): Node {
  const capacity: ResourceList = {
    cpu: shape.cpu ?? '4',
    memory: shape.memory ?? '16Gi',
    pods: shape.pods ?? '110',
    ...shape.resources,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...shape.labels } },
    spec: {
      ...(shape.taints === undefined ? {} : { taints: shape.taints }),
      ...(shape.unschedulable === undefined ? {} : { unschedulable: shape.unschedulable }),
    },
    status: {
      capacity,
      allocatable: { ...capacity, ...shape.allocatable },
      addresses: shape.addresses ?? [{ type: 'Hostname', address: name }],
      conditions: [{ type: 'Ready', status: shape.ready === false ? 'False' : 'True' }],
    },
  };
}
