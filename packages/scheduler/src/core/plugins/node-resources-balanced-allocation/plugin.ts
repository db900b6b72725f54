import type { Int64 } from '@catamaran/model';
import type { ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import type { PodInfo } from '../../state/pod-info.js';
import { CPU_AND_MEMORY } from '../node-resources-fit/args.js';
import type { AskedResource } from '../node-resources-fit/resource-use.js';
import type { NodeResourcesBalancedAllocationArgs } from './args.js';
import { balancedKernel } from './row-kernel.js';
import { balancedScore, evenness } from './score.js';

const NAME = 'NodeResourcesBalancedAllocation';

function askedOf(name: string, { requests }: PodInfo): Int64 {
  if (name === 'cpu') return requests.cpuMilli;
  if (name === 'memory') return requests.memoryBytes;
  return name === 'ephemeral-storage' ? requests.ephemeralStorageBytes : (requests.others.get(name) ?? 0);
}

function balanced(names: readonly string[]): ScorePlugin<readonly AskedResource[]> {
  const kernel = balancedKernel(names);
  return {
    name: NAME,
    ...(kernel === undefined ? {} : { kernel }),
    preScore: ({ pod }) => {
      const resources = names.map((name) => ({ name, weight: 1, asked: askedOf(name, pod) }));
      const none = resources.every(({ asked }) => asked === 0);
      return none ? { kind: 'skip' } : { kind: 'continue', state: resources };
    },
    score: (_cycle, node, resources) => balancedScore(node, resources),
    explain: (_cycle, node, resources) => ({
      evennessWithout: evenness(node, resources, false),
      evennessWith: evenness(node, resources, true),
    }),
  };
}

/** Prefers nodes whose resources the pod makes more evenly used. A pod without requests is not scored. */
export const nodeResourcesBalancedAllocation = definePlugin<NodeResourcesBalancedAllocationArgs>(
  NAME,
  ({ resources }) => {
    const chosen = resources === undefined || resources.length === 0 ? CPU_AND_MEMORY : resources;
    return scorePart(balanced(chosen.map(({ name }) => name)));
  },
);
