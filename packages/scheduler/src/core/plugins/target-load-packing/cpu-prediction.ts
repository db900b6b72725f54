import { addInt64, type CpuDemand, type Int64, int64ToNumber, toInt64 } from '@catamaran/model';
import type { AssignedPod, NodeInfo } from '../../state/node-info.js';
import type { PackingSettings } from './args.js';

/** Pods assigned less than this before the end of the measured window may not be in the figures yet. */
export const REPORTING_SECONDS = 60;

type Prediction = Pick<PackingSettings, 'multiplier' | 'defaultCpuMilli'>;

/**
 * CPU a pod is expected to use, milli: each container and sidecar by its limit, else its request times the multiplier,
 * else the default; overhead on top.
 */
export function predictedCpuMilli(
  { parts, overheadMilli }: CpuDemand,
  { multiplier, defaultCpuMilli }: Prediction,
): Int64 {
  let sum: Int64 = overheadMilli;
  for (const { limitMilli, requestMilli } of parts) {
    if (limitMilli !== undefined) sum = addInt64(sum, limitMilli);
    else if (requestMilli !== undefined) sum = addInt64(sum, times(requestMilli, multiplier));
    else sum = addInt64(sum, defaultCpuMilli);
  }
  return sum;
}

function times(requestMilli: Int64, multiplier: number): Int64 {
  const product = Math.round(int64ToNumber(requestMilli) * multiplier);
  return Number.isSafeInteger(product) ? product : toInt64(BigInt(product));
}

/** Where the pods begin, in order of assignment, that measurements up to `endUnixSeconds` can't show. */
export function firstUnmeasured({ pods }: NodeInfo, endUnixSeconds: number): number {
  let first = pods.length;
  while (first > 0 && isUnmeasured(pods[first - 1], endUnixSeconds)) first -= 1;
  return first;
}

function isUnmeasured(pod: AssignedPod | undefined, endUnixSeconds: number): boolean {
  return pod !== undefined && endUnixSeconds - pod.assignedUnixSeconds < REPORTING_SECONDS;
}

/** What such pods are expected to use. Cost: the number of them. */
export function unmeasuredCpuMilli(node: NodeInfo, endUnixSeconds: number, settings: Prediction): number {
  const { pods } = node;
  let sum: Int64 = 0;
  for (let index = firstUnmeasured(node, endUnixSeconds); index < pods.length; index += 1) {
    const pod = pods[index];
    if (pod !== undefined) sum = addInt64(sum, predictedCpuMilli(pod.info.cpuDemand, settings));
  }
  return int64ToNumber(sum);
}
