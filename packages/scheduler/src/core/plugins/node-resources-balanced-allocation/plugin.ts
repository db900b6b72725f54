import { type Int64, subInt64 } from '@catamaran/model';
import type { ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { PodInfo } from '../../state/pod-info.js';
import { CPU_AND_MEMORY } from '../node-resources-fit/args.js';
import { statedUse } from '../node-resources-fit/resource-use.js';
import type { NodeResourcesBalancedAllocationArgs } from './args.js';
import { type BalancedUse, balancedScore } from './score.js';

const NAME = 'NodeResourcesBalancedAllocation';

interface Asked {
  readonly name: string;
  readonly amount: Int64;
}

function askedOf(name: string, { requests }: PodInfo): Int64 {
  if (name === 'cpu') return requests.cpuMilli;
  if (name === 'memory') return requests.memoryBytes;
  return name === 'ephemeral-storage' ? requests.ephemeralStorageBytes : (requests.others.get(name) ?? 0);
}

function usesOf(node: NodeInfo, asked: readonly Asked[]): readonly BalancedUse[] {
  const uses: BalancedUse[] = [];
  for (const { name, amount } of asked) {
    const use = statedUse(name, node, amount);
    if (use === undefined) continue;
    const { allocatable, requested } = use;
    uses.push({ allocatable, withPod: requested, without: subInt64(requested, amount) });
  }
  return uses;
}

function balanced(names: readonly string[]): ScorePlugin<readonly Asked[]> {
  return {
    name: NAME,
    preScore: ({ pod }) => {
      const asked = names.map((name) => ({ name, amount: askedOf(name, pod) }));
      const none = asked.every(({ amount }) => amount === 0);
      return none ? { kind: 'skip' } : { kind: 'continue', state: asked };
    },
    score: (_cycle, node, asked) => balancedScore(usesOf(node, asked)),
    explain: (_cycle, node, asked) => ({ uses: usesOf(node, asked) }),
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
