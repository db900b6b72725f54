import type { Pod } from '../kubernetes/pod.js';
import type { Int64 } from '../quantity/int64.js';
import { type ContainerAmounts, containerAmounts, isResizeInfeasible } from './container-amounts.js';
import {
  addAmounts,
  maxAmounts,
  NO_AMOUNTS,
  type QuantityProblem,
  type ResourceAmounts,
  readAmounts,
} from './resource-amounts.js';

/** What scoring assumes for a container that states no request. */
export const DEFAULT_CPU_MILLI = 100;
export const DEFAULT_MEMORY_BYTES = 200 * 1024 * 1024;

/**
 * What a pod holds on its node, or will.
 *
 * Follows Kubernetes' pod request arithmetic: the larger of the running containers' sum and the peaks of the start-up
 * phase, pod-level requests in place of that for the resources they name, overhead on top.
 */
export interface PodAmounts {
  readonly requests: ResourceAmounts;
  /** CPU and memory with a default for each container that states nothing; pod-level requests replace them. */
  readonly nonZeroCpuMilli: Int64;
  readonly nonZeroMemoryBytes: Int64;
  readonly cpuDemand: CpuDemand;
  readonly problems: readonly QuantityProblem[];
}

/** Input of load prediction. CPU in milli; undefined means that the key is absent. */
export interface CpuDemand {
  /** Containers and sidecars in order, or one entry for the whole pod where pod-level CPU is stated. */
  readonly parts: readonly {
    readonly limitMilli: Int64 | undefined;
    readonly requestMilli: Int64 | undefined;
  }[];
  readonly overheadMilli: Int64;
}

const DEFAULTS: ResourceAmounts = new Map([
  ['cpu', DEFAULT_CPU_MILLI],
  ['memory', DEFAULT_MEMORY_BYTES],
]);

export function podAmounts(pod: Pod): PodAmounts {
  const problems: QuantityProblem[] = [];
  const init = containerAmounts(pod, 'initContainers', problems);
  const app = containerAmounts(pod, 'containers', problems);
  const podLevel = podLevelRequests(pod, problems);
  const podLimits = readAmounts(pod.spec.resources?.limits, 'spec.resources.limits', problems);
  const overhead = readAmounts(pod.spec.overhead, 'spec.overhead', problems);
  const summed = aggregate(init, app, NO_AMOUNTS);
  const requests = addAmounts(replace(summed, podLevel), overhead);
  const filled = aggregate(init, app, DEFAULTS);
  const nonZero = podLevel.size === 0 ? addAmounts(filled, overhead) : filledUp(requests, filled);
  return {
    requests,
    nonZeroCpuMilli: nonZero.get('cpu') ?? 0,
    nonZeroMemoryBytes: nonZero.get('memory') ?? 0,
    cpuDemand: cpuDemand([...app, ...init.filter(({ sidecar }) => sidecar)], {
      limitMilli: podLimits.get('cpu'),
      requestMilli: podLevel.get('cpu'),
      overheadMilli: overhead.get('cpu') ?? 0,
    }),
    problems: problems.length === 0 ? NO_PROBLEMS : problems,
  };
}

const NO_PROBLEMS: readonly QuantityProblem[] = [];

/** Requests as the scoring strategies see a pending pod: with defaults, and without pod-level requests. */
export function scoredRequests(pod: Pod): ResourceAmounts {
  const problems: QuantityProblem[] = [];
  const init = containerAmounts(pod, 'initContainers', problems);
  const app = containerAmounts(pod, 'containers', problems);
  const overhead = readAmounts(pod.spec.overhead, 'spec.overhead', problems);
  return addAmounts(aggregate(init, app, DEFAULTS), overhead);
}

function podLevelRequests(pod: Pod, problems: QuantityProblem[]): ResourceAmounts {
  const stated = pod.spec.resources?.requests;
  if (stated === undefined || stated === null) return NO_AMOUNTS;
  const asked = readAmounts(stated, 'spec.resources.requests', problems);
  const held = maxAmounts(
    readAmounts(pod.status?.resources?.requests, 'status.resources.requests', problems),
    readAmounts(pod.status?.allocatedResources, 'status.allocatedResources', problems),
  );
  if (held.size === 0) return asked;
  return isResizeInfeasible(pod) ? held : maxAmounts(asked, held);
}

/** The most that runs at one moment: all containers with all sidecars, or a step of the start-up. */
function aggregate(
  init: readonly ContainerAmounts[],
  app: readonly ContainerAmounts[],
  defaults: ResourceAmounts,
): ResourceAmounts {
  let running = NO_AMOUNTS;
  for (const { requests } of app) running = addAmounts(running, withDefaults(requests, defaults));
  let sidecars = NO_AMOUNTS;
  let peak = NO_AMOUNTS;
  for (const container of init) {
    const together = addAmounts(withDefaults(container.requests, defaults), sidecars);
    if (container.sidecar) sidecars = together;
    peak = maxAmounts(peak, together);
  }
  return maxAmounts(addAmounts(running, sidecars), peak);
}

function withDefaults(requests: ResourceAmounts, defaults: ResourceAmounts): ResourceAmounts {
  if (defaults.size === 0) return requests;
  const filled = new Map(defaults);
  for (const [name, amount] of requests) filled.set(name, amount);
  return filled;
}

/** Pod-level requests exist for cpu, memory and huge pages; others are not honoured by Kubernetes either. */
function replace(summed: ResourceAmounts, podLevel: ResourceAmounts): ResourceAmounts {
  if (podLevel.size === 0) return summed;
  const replaced = new Map(summed);
  for (const [name, amount] of podLevel) {
    if (name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')) replaced.set(name, amount);
  }
  return replaced;
}

/** With pod-level requests a default is taken only for a resource that nothing in the pod asks for. */
function filledUp(requests: ResourceAmounts, filled: ResourceAmounts): ResourceAmounts {
  return new Map([...filled, ...requests]);
}

interface PodLevelCpu {
  readonly limitMilli: Int64 | undefined;
  readonly requestMilli: Int64 | undefined;
  readonly overheadMilli: Int64;
}

function cpuDemand(running: readonly ContainerAmounts[], podLevel: PodLevelCpu): CpuDemand {
  const { limitMilli, requestMilli, overheadMilli } = podLevel;
  if (limitMilli !== undefined || requestMilli !== undefined) {
    return { parts: [{ limitMilli, requestMilli }], overheadMilli };
  }
  const parts = running.map(({ limits, requests }) => ({
    limitMilli: limits.get('cpu'),
    requestMilli: requests.get('cpu'),
  }));
  return { parts, overheadMilli };
}
