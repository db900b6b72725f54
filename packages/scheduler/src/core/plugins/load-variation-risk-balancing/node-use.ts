import { int64ToNumber } from '@catamaran/model';
import { type LoadBasis, loadOf } from '../../node-statistics/load-basis.js';
import type { ResourceFigures } from '../../node-statistics/resource-figures.js';
import { mebibytes, type ResourceUse, resourceUse } from '../../node-statistics/resource-use.js';
import { unmeasuredRequests } from '../../node-statistics/unmeasured-pods.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { BalancingSettings } from './args.js';

/** One resource of a node, without the pod; undefined where nothing tells how much is used. */
export type Use = (ResourceUse & { readonly unmeasured: number }) | undefined;

export interface NodeUse {
  readonly basis: 'metrics' | 'requests' | 'none';
  readonly cpu: Use;
  readonly memory: Use;
}

export function nodeUse(node: NodeInfo, basis: LoadBasis, { load }: BalancingSettings): NodeUse {
  const cpuCapacity = int64ToNumber(node.allocatable.cpuMilli);
  const memoryCapacity = mebibytes(node.allocatable.memoryBytes);
  const { cpu, memory } = loadOf(node, basis) ?? {};
  if (cpu === undefined && memory === undefined) {
    if (basis.missing !== 'useRequests') return { basis: 'none', cpu: undefined, memory: undefined };
    const { cpuMilli, memoryBytes } = node.requested;
    return {
      basis: 'requests',
      cpu: requested(int64ToNumber(cpuMilli), cpuCapacity),
      memory: requested(mebibytes(memoryBytes), memoryCapacity),
    };
  }
  const added = load.countsUnmeasured
    ? unmeasuredRequests(node, basis.endUnixSeconds)
    : { cpuMilli: 0, memoryBytes: 0 };
  return {
    basis: 'metrics',
    cpu: measured(cpu, cpuCapacity, int64ToNumber(added.cpuMilli)),
    memory: measured(memory, memoryCapacity, mebibytes(added.memoryBytes)),
  };
}

function measured(figures: ResourceFigures | undefined, capacity: number, unmeasured: number): Use {
  return figures === undefined ? undefined : { ...resourceUse(figures, capacity), unmeasured };
}

function requested(used: number, capacity: number): Use {
  return { capacity, used, deviation: 0, unmeasured: 0 };
}
