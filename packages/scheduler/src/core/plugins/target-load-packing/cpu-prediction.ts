import { addInt64, type CpuDemand, type Int64, int64ToNumber, toInt64 } from '@catamaran/model';
import type { NodeInfo } from '../../state/node-info.js';
import type { PackingSettings } from './args.js';

/** Pods assigned less than this before the end of the measured window may not be in the figures yet. */
export const REPORTING_SECONDS = 60;

/**
 * CPU a pod is expected to use, milli: each container and sidecar by its limit, else its request times the multiplier,
 * else the default; overhead on top.
 */
export function predictedCpuMilli(
  { parts, overheadMilli }: CpuDemand,
  { multiplier, defaultCpuMilli }: Pick<PackingSettings, 'multiplier' | 'defaultCpuMilli'>,
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

export interface UnmeasuredPods {
  readonly count: number;
  readonly cpuMilli: number;
}

const NO_UNMEASURED: UnmeasuredPods = { count: 0, cpuMilli: 0 };

/**
 * Pods on the node that measurements up to `endUnixSeconds` can't show: assigned later than 60 s before it. Cost: the
 * number of such pods.
 */
export function unmeasuredPods(
  { pods }: NodeInfo,
  endUnixSeconds: number,
  settings: Pick<PackingSettings, 'multiplier' | 'defaultCpuMilli'>,
): UnmeasuredPods {
  let count = 0;
  let sum: Int64 = 0;
  for (let index = pods.length - 1; index >= 0; index -= 1) {
    const pod = pods[index];
    if (pod === undefined || endUnixSeconds - pod.assignedUnixSeconds >= REPORTING_SECONDS) break;
    count += 1;
    sum = addInt64(sum, predictedCpuMilli(pod.info.cpuDemand, settings));
  }
  return count === 0 ? NO_UNMEASURED : { count, cpuMilli: int64ToNumber(sum) };
}
