import { addInt64, type Int64 } from '@catamaran/model';
import type { AssignedPod, NodeInfo } from '../state/node-info.js';

/** Pods assigned less than this before the end of the measured window may not be in the figures yet. */
const REPORTING_SECONDS = 60;

/** Where the pods begin, in order of assignment, that measurements up to `endUnixSeconds` can't show. */
export function firstUnmeasured({ pods }: NodeInfo, endUnixSeconds: number): number {
  let first = pods.length;
  while (first > 0 && isUnmeasured(pods[first - 1], endUnixSeconds)) first -= 1;
  return first;
}

function isUnmeasured(pod: AssignedPod | undefined, endUnixSeconds: number): boolean {
  return pod !== undefined && endUnixSeconds - pod.assignedUnixSeconds < REPORTING_SECONDS;
}

/** What such pods request. Cost: the number of them. */
export function unmeasuredRequests(
  node: NodeInfo,
  endUnixSeconds: number,
): { readonly cpuMilli: Int64; readonly memoryBytes: Int64 } {
  let cpuMilli: Int64 = 0;
  let memoryBytes: Int64 = 0;
  for (let index = firstUnmeasured(node, endUnixSeconds); index < node.pods.length; index += 1) {
    const requests = node.pods[index]?.info.requests;
    if (requests === undefined) continue;
    cpuMilli = addInt64(cpuMilli, requests.cpuMilli);
    memoryBytes = addInt64(memoryBytes, requests.memoryBytes);
  }
  return { cpuMilli, memoryBytes };
}
