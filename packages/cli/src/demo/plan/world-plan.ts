import type { PodLoad } from '@catamaran/simulator';

/** A node before it becomes a Kubernetes object. What is allocatable is the capacity less the system's share. */
export interface PlannedNode {
  readonly name: string;
  readonly cpuCapacityMilli: number;
  readonly memoryCapacityBytes: number;
  /** `example.com/gpu-milli`; 0 leaves the resource out. */
  readonly gpuMilli: number;
  /** Name of the pool whose pods alone may run here, or undefined for everybody. */
  readonly reservedFor: string | undefined;
}

/** A pod before it becomes a Kubernetes object, with the load it will make wherever it lands. */
export interface PlannedPod {
  readonly name: string;
  /** Replicas of one workload share it. */
  readonly workload: string;
  /** Since the start of the simulation; whole seconds, off the instants at which services work. */
  readonly arrivalOffsetMs: number;
  readonly gpuMilli: number;
  readonly reservedPool: string | undefined;
  readonly load: PodLoad;
}

/** Everything that is equal in both worlds. */
export interface WorldPlan {
  readonly nodes: readonly PlannedNode[];
  /** In order of arrival. */
  readonly pods: readonly PlannedPod[];
  readonly simulatedMinutes: number;
  /** What a reader must know to judge the figures, one sentence each. */
  readonly notes: readonly string[];
}

/** The part of a node that is kept from pods. */
const SYSTEM_RESERVED = { cpuShare: 0.02, memoryShare: 0.05 };
/** What a node without pods uses. */
export const IDLE_USE = { cpuShare: 0.01, memoryShare: 0.03 };
/** kubelet's default. */
export const PODS_PER_NODE = 110;

export function allocatableCpuMilli(node: PlannedNode): number {
  return Math.floor(node.cpuCapacityMilli * (1 - SYSTEM_RESERVED.cpuShare));
}

export function allocatableMemoryBytes(node: PlannedNode): number {
  return Math.floor(node.memoryCapacityBytes * (1 - SYSTEM_RESERVED.memoryShare));
}

/** CPU requests of all pods in percent of what the nodes can give. */
export function requestedCpuPercent(plan: WorldPlan): number {
  const asked = plan.pods.reduce((sum, pod) => sum + pod.load.cpuRequestMilli, 0);
  const given = plan.nodes.reduce((sum, node) => sum + allocatableCpuMilli(node), 0);
  return (100 * asked) / given;
}
