import { addInt64, type Int64, int64ToNumber } from '@catamaran/model';
import { type LoadBasis, loadOf } from '../../node-statistics/load-basis.js';
import type { PodLimits, PodLimitsMemo } from '../../node-statistics/pod-limits.js';
import type { ResourceFigures } from '../../node-statistics/resource-figures.js';
import { mebibytes, resourceUse, type Shares, sharesWith } from '../../node-statistics/resource-use.js';
import { unmeasuredRequests } from '../../node-statistics/unmeasured-pods.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { OverCommitmentSettings } from './args.js';
import { loadRisk } from './score.js';

/** One resource of a node, CPU in milli or memory in bytes, without the pod to be placed. */
export interface ResourceState {
  readonly capacity: number;
  readonly requests: number;
  readonly limits: number;
  /** Undefined where it was not measured. */
  readonly use: Shares | undefined;
  readonly loadRisk: number;
}

export interface NodeState {
  readonly basis: 'metrics' | 'requests' | 'none';
  readonly cpu: ResourceState;
  readonly memory: ResourceState;
}

export interface Reader {
  readonly settings: OverCommitmentSettings;
  readonly limits: PodLimitsMemo;
}

export function nodeState(node: NodeInfo, basis: LoadBasis, reader: Reader): NodeState {
  const { load } = reader.settings;
  const figures = loadOf(node, basis);
  const known = figures?.cpu !== undefined || figures?.memory !== undefined || figures?.hasOthers === true;
  const limits = limitsOn(node, reader.limits);
  const added = load.countsUnmeasured
    ? unmeasuredRequests(node, basis.endUnixSeconds)
    : { cpuMilli: 0, memoryBytes: 0 };
  const unknownBasis = basis.missing === 'useRequests' ? 'requests' : 'none';
  const { allocatable, requested } = node;
  return {
    basis: known ? 'metrics' : unknownBasis,
    cpu: resourceState(
      { capacity: allocatable.cpuMilli, requests: requested.cpuMilli, limits: limits.cpuMilli },
      { figures: figures?.cpu, added: int64ToNumber(added.cpuMilli), unit: int64ToNumber },
      reader.settings,
    ),
    memory: resourceState(
      { capacity: allocatable.memoryBytes, requests: requested.memoryBytes, limits: limits.memoryBytes },
      { figures: figures?.memory, added: mebibytes(added.memoryBytes), unit: mebibytes },
      reader.settings,
    ),
  };
}

interface Amounts {
  readonly capacity: Int64;
  readonly requests: Int64;
  readonly limits: Int64;
}

interface Measured {
  readonly figures: ResourceFigures | undefined;
  readonly added: number;
  /** From the unit of amounts to that of use. */
  readonly unit: (amount: Int64) => number;
}

function resourceState(
  amounts: Amounts,
  { figures, added, unit }: Measured,
  { windowSize }: OverCommitmentSettings,
): ResourceState {
  const capacity = int64ToNumber(amounts.capacity);
  const requests = int64ToNumber(amounts.requests);
  const limits = int64ToNumber(amounts.limits);
  const use =
    figures === undefined ? undefined : sharesWith(resourceUse(figures, unit(amounts.capacity)), added);
  const claims = { capacity, requests: Math.min(requests, capacity), limits };
  return {
    capacity,
    requests,
    limits,
    use,
    loadRisk: use === undefined ? 0 : loadRisk(use, claims, windowSize),
  };
}

function limitsOn({ pods }: NodeInfo, memo: PodLimitsMemo): PodLimits {
  let cpuMilli: Int64 = 0;
  let memoryBytes: Int64 = 0;
  for (const { info } of pods) {
    const limits = memo.of(info);
    cpuMilli = addInt64(cpuMilli, limits.cpuMilli);
    memoryBytes = addInt64(memoryBytes, limits.memoryBytes);
  }
  return { cpuMilli, memoryBytes };
}
