import { addInt64, type CpuDemand, type Int64, int64ToNumber, toInt64 } from '@catamaran/model';
import type { NodeInfo } from '../state/node-info.js';
import { firstUnmeasured } from './unmeasured-pods.js';

/** How much CPU a container is taken to use. */
export interface Prediction {
  /** From request to expected use, where there is no limit. */
  readonly multiplier: number;
  /** Without limit and request. */
  readonly defaultCpuMilli: Int64;
}

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

/** What the containers' expected use is told from, for people: `limit`, `request`, `default`, or several of them. */
export function predictionBasis({ parts }: CpuDemand): string {
  const bases = parts.map(({ limitMilli, requestMilli }) => {
    if (limitMilli !== undefined) return 'limit';
    return requestMilli === undefined ? 'default' : 'request';
  });
  return ['limit', 'request', 'default']
    .filter((basis) => bases.some((each) => each === basis))
    .join(' and ');
}

function times(requestMilli: Int64, multiplier: number): Int64 {
  const product = Math.round(int64ToNumber(requestMilli) * multiplier);
  return Number.isSafeInteger(product) ? product : toInt64(BigInt(product));
}

/** What pods that measurements up to `endUnixSeconds` can't show are expected to use. Cost: the number of them. */
export function unmeasuredCpuMilli(node: NodeInfo, endUnixSeconds: number, settings: Prediction): number {
  const { pods } = node;
  let sum: Int64 = 0;
  for (let index = firstUnmeasured(node, endUnixSeconds); index < pods.length; index += 1) {
    const pod = pods[index];
    if (pod !== undefined) sum = addInt64(sum, predictedCpuMilli(pod.info.cpuDemand, settings));
  }
  return int64ToNumber(sum);
}
