import {
  addAmounts,
  type ContainerAmounts,
  containerAmounts,
  type Int64,
  maxAmounts,
  maxInt64,
  NO_AMOUNTS,
  type Pod,
  type QuantityProblem,
  readAmounts,
} from '@catamaran/model';
import type { PodInfo } from '../state/pod-info.js';

/** What a pod may use at most, where it says so, and at least what it requests. */
export interface PodLimits {
  readonly cpuMilli: Int64;
  readonly memoryBytes: Int64;
}

/**
 * Limits of a pod by the rule for its requests: all that runs at one moment, or a step of the start-up, whichever is
 * more; pod-level limits in place of that; overhead on top; never below the requests.
 */
export function podLimits({ pod, requests }: Pick<PodInfo, 'pod' | 'requests'>): PodLimits {
  const unused: QuantityProblem[] = [];
  const stated = readAmounts(pod.spec.resources?.limits, '', unused);
  const overhead = readAmounts(pod.spec.overhead, '', unused);
  const summed = mostAtOnce(pod);
  const limitOf = (name: 'cpu' | 'memory', request: Int64): Int64 => {
    const limit = new Map([[name, stated.get(name) ?? summed.get(name) ?? 0]]);
    return maxInt64(addAmounts(limit, overhead).get(name) ?? 0, request);
  };
  return {
    cpuMilli: limitOf('cpu', requests.cpuMilli),
    memoryBytes: limitOf('memory', requests.memoryBytes),
  };
}

function mostAtOnce(pod: Pod): ContainerAmounts['limits'] {
  const unused: QuantityProblem[] = [];
  let running = NO_AMOUNTS;
  for (const { limits } of containerAmounts(pod, 'containers', unused)) running = addAmounts(running, limits);
  let sidecars = NO_AMOUNTS;
  let peak = NO_AMOUNTS;
  for (const { limits, sidecar } of containerAmounts(pod, 'initContainers', unused)) {
    const together = addAmounts(limits, sidecars);
    if (sidecar) sidecars = together;
    peak = maxAmounts(peak, together);
  }
  return maxAmounts(addAmounts(running, sidecars), peak);
}

/** Remembers the limits of pods as long as their infos live: a node's pods are looked at whenever one of them changes. */
export class PodLimitsMemo {
  readonly #known = new WeakMap<PodInfo, PodLimits>();

  of(info: PodInfo): PodLimits {
    const known = this.#known.get(info);
    if (known !== undefined) return known;
    const limits = podLimits(info);
    this.#known.set(info, limits);
    return limits;
  }
}
