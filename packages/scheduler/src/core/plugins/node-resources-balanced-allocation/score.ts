import { addInt64, type Int64, int64ToNumber } from '@catamaran/model';
import type { NodeInfo } from '../../state/node-info.js';
import { type AskedResource, countedAllocatable, statedRequest } from '../node-resources-fit/resource-use.js';

const MAX_NODE_SCORE = 100;
const HALF = MAX_NODE_SCORE / 2;

/**
 * How much more even the node's resources are used with the pod than without it (kube-scheduler 1.36 and later).
 * About 75 means no change.
 */
export function balancedScore(node: NodeInfo, resources: readonly AskedResource[]): number {
  return improvement(evenness(node, resources, false), evenness(node, resources, true));
}

export function improvement(before: number, after: number): number {
  return HALF + Math.trunc((HALF + after - before) / 2);
}

/** 0..100 from the standard deviation of two shares. */
export function evennessOfTwo(a: number, b: number): number {
  return Math.trunc((1 - Math.abs((a - b) / 2)) * MAX_NODE_SCORE);
}

/** 100 when the same share of each resource is requested; whole number, truncated. */
export function evenness(node: NodeInfo, resources: readonly AskedResource[], withPod: boolean): number {
  return Math.trunc((1 - deviation(node, resources, withPod)) * MAX_NODE_SCORE);
}

/** Standard deviation of the requested shares of the resources that count; nothing is allocated here. */
function deviation(node: NodeInfo, resources: readonly AskedResource[], withPod: boolean): number {
  let count = 0;
  let total = 0;
  let previous = 0;
  let last = 0;
  for (const resource of resources) {
    const allocatable = countedAllocatable(node, resource);
    if (allocatable === 0) continue;
    previous = last;
    last = share(node, resource, { allocatable, withPod });
    total += last;
    count += 1;
  }
  if (count < 2) return 0;
  if (count === 2) return Math.abs((previous - last) / 2);
  const mean = total / count;
  let squares = 0;
  for (const resource of resources) {
    const allocatable = countedAllocatable(node, resource);
    if (allocatable === 0) continue;
    const distance = share(node, resource, { allocatable, withPod }) - mean;
    squares += distance * distance;
  }
  return Math.sqrt(squares / count);
}

function share(
  node: NodeInfo,
  { name, asked }: AskedResource,
  { allocatable, withPod }: { readonly allocatable: Int64; readonly withPod: boolean },
): number {
  const stated = statedRequest(node, name);
  const requested = withPod ? addInt64(stated, asked) : stated;
  return Math.min(1, int64ToNumber(requested) / int64ToNumber(allocatable));
}
