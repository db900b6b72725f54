import type { Node, Pod, ResourceList } from '@catamaran/model';
import { type NodeLoadSpec, SERVER_VERSION, SeededRandom } from '@catamaran/simulator';
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

/**
 * @param position of the node in the plan; its address follows from it.
 * @param nowMs when its kubelet reports.
 */
export function nodeManifest(node: PlannedNode, position: number, nowMs: number): Node {
  const now = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', ...times };
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
      addresses: [
        { type: 'InternalIP', address: addressOf(position) },
        { type: 'Hostname', address: node.name },
      ],
      conditions: [ready],
      nodeInfo: NODE_INFO,
    },
  };
}

const NODE_INFO = {
  kubeletVersion: SERVER_VERSION.gitVersion,
  osImage: 'embedded',
  kernelVersion: 'none',
  containerRuntimeVersion: 'embedded://1',
  operatingSystem: 'linux',
  architecture: 'amd64',
};

/** In 10.0.0.0/8, from 10.0.0.1 on. */
function addressOf(position: number): string {
  const host = position + 1;
  return `10.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;
}

function resources(cpuMilli: number, memoryBytes: number, gpu: ResourceList): ResourceList {
  return { cpu: `${cpuMilli}m`, memory: String(memoryBytes), pods: String(PODS_PER_NODE), ...gpu };
}

/**
 * @param seed decides the uid, and with it which of several equally good nodes is taken; the same pod has the same
 * uid in both worlds.
 */
export function podManifest(pod: PlannedPod, seed: number): Pod {
  const { load, gpuMilli, reservedPool } = pod;
  const requests: ResourceList = {
    cpu: `${load.cpuRequestMilli}m`,
    memory: String(load.memoryRequestBytes),
    ...(gpuMilli > 0 ? { [GPU_RESOURCE]: String(gpuMilli) } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: pod.name,
      namespace: DEMO_NAMESPACE,
      uid: podUid(pod.name, seed),
      labels: { app: pod.workload },
    },
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

function podUid(name: string, seed: number): string {
  const random = SeededRandom.for(seed, name);
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random.below(16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
