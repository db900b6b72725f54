import type { Node, Pod, Toleration } from '@catamaran/model';
import { SeededRandom } from '@catamaran/simulator';

/** The label that tells a fake kubelet how much of its CPU request a pod uses, in percent; with 0 it uses no memory either. */
export const CPU_SHARE_LABEL = 'e2e.catamaran.example/cpu-share-percent';
const DEDICATED = 'e2e.catamaran.example/dedicated';
const ZONE = 'topology.kubernetes.io/zone';
const ZONES = ['a', 'b', 'c', 'd'];

export interface NodePlace {
  readonly ip: string;
  readonly kubeletPort: number;
}

/**
 * Nodes of two sizes in four zones; every tenth is tainted, every twentieth cordoned. Allocatable is less than
 * capacity, so that taking one for the other shows.
 */
export function plannedNode(index: number, place: NodePlace): Node {
  const name = nodeName(index);
  const isLarge = index % 3 === 0;
  const isDedicated = index % 10 === 9;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', [ZONE]: ZONES[index % 4] ?? '' },
    },
    spec: {
      ...(isDedicated ? { taints: [{ key: DEDICATED, value: 'batch', effect: 'NoSchedule' }] } : {}),
      ...(index % 20 === 7 ? { unschedulable: true } : {}),
    },
    status: {
      capacity: { cpu: isLarge ? '32' : '16', memory: isLarge ? '128Gi' : '64Gi', pods: '110' },
      allocatable: { cpu: isLarge ? '31500m' : '15500m', memory: isLarge ? '124Gi' : '61Gi', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'a node of the tests' }],
      addresses: [
        { type: 'InternalIP', address: place.ip },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: place.kubeletPort } },
      nodeInfo: { operatingSystem: 'linux', architecture: 'amd64', kubeletVersion: 'v1.37.2' },
    } as Node['status'] & object,
  };
}

export function nodeName(index: number): string {
  return `node-${String(index).padStart(4, '0')}`;
}

/** Pods of many sizes; some tolerate the taint, some are tied to a zone, some want a host port. */
export function plannedPods(options: {
  readonly count: number;
  readonly seed: number;
  readonly namespace: string;
  readonly schedulerName: string;
  readonly prefix?: string;
  /** Whether some want a host port; true. */
  readonly hostPorts?: boolean;
}): readonly Pod[] {
  const random = new SeededRandom(options.seed);
  return Array.from({ length: options.count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${options.prefix ?? 'pod'}-${String(index).padStart(5, '0')}`,
      namespace: options.namespace,
      labels: { [CPU_SHARE_LABEL]: String(10 + random.below(80)) },
    },
    spec: plannedSpec(random, options),
  }));
}

function plannedSpec(
  random: SeededRandom,
  options: { readonly schedulerName: string; readonly hostPorts?: boolean },
): Pod['spec'] {
  const requests = { cpu: `${100 * (1 + random.below(15))}m`, memory: `${256 * (1 + random.below(12))}Mi` };
  const wants = random.below(10);
  const zone = ZONES[random.below(4)] ?? 'a';
  const hostPort = 8000 + random.below(4);
  const tolerations: Toleration[] = [{ key: DEDICATED, operator: 'Exists', effect: 'NoSchedule' }];
  return {
    schedulerName: options.schedulerName,
    containers: [
      {
        name: 'main',
        image: 'registry.example/app:1',
        resources: { requests },
        ...(wants === 2 && options.hostPorts !== false ? { ports: [{ containerPort: 80, hostPort }] } : {}),
      },
    ],
    ...(wants === 0 ? { tolerations } : {}),
    ...(wants === 1 ? { affinity: { nodeAffinity: inZone(zone) } } : {}),
    ...(wants === 3 ? { nodeSelector: { [ZONE]: zone } } : {}),
  };
}

function inZone(zone: string) {
  return {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }],
    },
  };
}
