import type { Node, Pod, ResourceList } from '@catamaran/model';
import type { NodeLoadSpec } from '@catamaran/simulator';
import {
  allocatableCpuMilli,
  allocatableMemoryBytes,
  IDLE_USE,
  type PlannedNode,
  type PlannedPod,
  PODS_PER_NODE,
} from './world-plan.js';

const GPU_RESOURCE = 'example.com/gpu-milli';
const POOL_LABEL = 'example.com/pool';
export const DEMO_NAMESPACE = 'default';
export const DEMO_SCHEDULER_NAME = 'catamaran';

export function nodeManifest(node: PlannedNode): Node {
  const gpu: ResourceList = node.gpuMilli > 0 ? { [GPU_RESOURCE]: String(node.gpuMilli) } : {};
  const { reservedFor } = node;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name,
      labels: {
        'kubernetes.io/hostname': node.name,
        ...(reservedFor === undefined ? {} : { [POOL_LABEL]: reservedFor }),
      },
    },
    spec:
      reservedFor === undefined
        ? {}
        : { taints: [{ key: POOL_LABEL, value: reservedFor, effect: 'NoSchedule' }] },
    status: {
      capacity: resources(node.cpuCapacityMilli, node.memoryCapacityBytes, gpu),
      allocatable: resources(allocatableCpuMilli(node), allocatableMemoryBytes(node), gpu),
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
    },
  };
}

function resources(cpuMilli: number, memoryBytes: number, gpu: ResourceList): ResourceList {
  return { cpu: `${cpuMilli}m`, memory: String(memoryBytes), pods: String(PODS_PER_NODE), ...gpu };
}

export function podManifest(pod: PlannedPod): Pod {
  const { load, gpuMilli, reservedPool } = pod;
  const requests: ResourceList = {
    cpu: `${load.cpuRequestMilli}m`,
    memory: String(load.memoryRequestBytes),
    ...(gpuMilli > 0 ? { [GPU_RESOURCE]: String(gpuMilli) } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: pod.name, namespace: DEMO_NAMESPACE, labels: { app: pod.workload } },
    spec: {
      schedulerName: DEMO_SCHEDULER_NAME,
      containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests } }],
      ...(reservedPool === undefined ? {} : poolConstraints(reservedPool)),
    },
  };
}

function poolConstraints(pool: string): Pick<Pod['spec'], 'nodeSelector' | 'tolerations'> {
  return {
    nodeSelector: { [POOL_LABEL]: pool },
    tolerations: [{ key: POOL_LABEL, operator: 'Equal', value: pool, effect: 'NoSchedule' }],
  };
}

export function nodeLoadSpec(node: PlannedNode): NodeLoadSpec {
  return {
    name: node.name,
    cpuCapacityMilli: node.cpuCapacityMilli,
    memoryCapacityBytes: node.memoryCapacityBytes,
    idleCpuMilli: node.cpuCapacityMilli * IDLE_USE.cpuShare,
    idleMemoryBytes: node.memoryCapacityBytes * IDLE_USE.memoryShare,
  };
}
