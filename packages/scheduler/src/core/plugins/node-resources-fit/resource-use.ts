import type { Int64 } from '@catamaran/model';
import type { NodeInfo } from '../../state/node-info.js';

/** A resource that a score looks at, and how much of it the pending pod asks for. */
export interface AskedResource {
  readonly name: string;
  readonly asked: Int64;
  readonly weight: number;
}

/** Resources beyond the three that every node has count only for a pod that asks for them. */
export function isAlwaysCounted({ name, asked }: AskedResource): boolean {
  return asked !== 0 || name === 'cpu' || name === 'memory' || name === 'ephemeral-storage';
}

/** How much of the resource the node has; 0 also where it does not count. */
export function countedAllocatable(node: NodeInfo, resource: AskedResource): Int64 {
  return isAlwaysCounted(resource) ? allocatableOf(node, resource.name) : 0;
}

export function allocatableOf({ allocatable }: NodeInfo, name: string): Int64 {
  switch (name) {
    case 'cpu':
      return allocatable.cpuMilli;
    case 'memory':
      return allocatable.memoryBytes;
    case 'ephemeral-storage':
      return allocatable.ephemeralStorageBytes;
    default:
      return allocatable.others.get(name) ?? 0;
  }
}

/** What the pods on the node ask for, by what they state. */
export function statedRequest({ requested }: NodeInfo, name: string): Int64 {
  switch (name) {
    case 'cpu':
      return requested.cpuMilli;
    case 'memory':
      return requested.memoryBytes;
    case 'ephemeral-storage':
      return requested.ephemeralStorageBytes;
    default:
      return requested.others.get(name) ?? 0;
  }
}

/** The same with defaults for the CPU and memory that containers don't state. */
export function nonZeroRequest(node: NodeInfo, name: string): Int64 {
  if (name === 'cpu') return node.nonZeroCpuMilli;
  return name === 'memory' ? node.nonZeroMemoryBytes : statedRequest(node, name);
}
