import { addInt64, type Int64, type ResourceAmounts } from '@catamaran/model';
import type { NodeInfo } from '../../state/node-info.js';

/** One resource of a node as a strategy sees it: what it has, and what is asked of it with the pod on it. */
export interface ResourceUse {
  readonly allocatable: Int64;
  readonly requested: Int64;
}

/**
 * CPU and memory of the pods already there count with defaults for what they don't state. Undefined: the resource does
 * not count, since the node has none of it, or it is an extended one that the pod does not ask for.
 */
export function nonZeroUse(
  name: string,
  node: NodeInfo,
  podRequests: ResourceAmounts,
): ResourceUse | undefined {
  const asked = podRequests.get(name) ?? 0;
  switch (name) {
    case 'cpu':
      return use(node.allocatable.cpuMilli, node.nonZeroCpuMilli, asked);
    case 'memory':
      return use(node.allocatable.memoryBytes, node.nonZeroMemoryBytes, asked);
    default:
      return statedUse(name, node, asked);
  }
}

/** The same by what the pods state. */
export function statedUse(name: string, node: NodeInfo, asked: Int64): ResourceUse | undefined {
  const { allocatable, requested } = node;
  switch (name) {
    case 'cpu':
      return use(allocatable.cpuMilli, requested.cpuMilli, asked);
    case 'memory':
      return use(allocatable.memoryBytes, requested.memoryBytes, asked);
    case 'ephemeral-storage':
      return use(allocatable.ephemeralStorageBytes, requested.ephemeralStorageBytes, asked);
    default: {
      if (asked === 0) return undefined;
      return use(allocatable.others.get(name) ?? 0, requested.others.get(name) ?? 0, asked);
    }
  }
}

function use(allocatable: Int64, used: Int64, asked: Int64): ResourceUse | undefined {
  return allocatable === 0 ? undefined : { allocatable, requested: addInt64(used, asked) };
}
