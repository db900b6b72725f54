import type { FilterPlugin, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, filterPart, scorePart } from '../../framework/plugin-definition.js';
import { CPU_AND_MEMORY, DEFAULT_STRATEGY, type NodeResourcesFitArgs, type ScoringStrategy } from './args.js';
import { fitKernel, fits, type IsIgnored, shortfalls, type Wanted, wanted } from './fit.js';
import { NAME } from './name.js';
import { type AskedResource, countedAllocatable, nonZeroRequest } from './resource-use.js';
import { compileStrategy } from './score.js';

function fitFilter(isIgnored: IsIgnored): FilterPlugin<Wanted> {
  return {
    name: NAME,
    preFilter: ({ pod }) => ({ kind: 'continue', state: wanted(pod.requests) }),
    filter: (_cycle, node, { amounts }) =>
      fits(amounts, node, isIgnored) ? undefined : shortfalls(amounts, node, isIgnored),
    kernel: fitKernel,
  };
}

function fitScore(strategy: ScoringStrategy): ScorePlugin<readonly AskedResource[]> {
  const { resources = CPU_AND_MEMORY } = strategy;
  const weighted = resources.length === 0 ? CPU_AND_MEMORY : resources;
  const compiled = compileStrategy(strategy, weighted);
  return {
    name: NAME,
    preScore: ({ pod }) => ({
      kind: 'continue',
      state: weighted.map(({ name, weight }) => ({ name, weight, asked: pod.scoredRequests.get(name) ?? 0 })),
    }),
    score: (_cycle, node, asked) => compiled.score(node, asked),
    ...(compiled.kernel === undefined ? {} : { kernel: compiled.kernel }),
    explain: (_cycle, node, asked) => ({
      strategy: strategy.type,
      resources: asked.map((resource) => ({
        ...resource,
        requested: nonZeroRequest(node, resource.name),
        allocatable: countedAllocatable(node, resource),
      })),
    }),
  };
}

/** Names with a domain that is not Kubernetes' own are extended resources; only those can be ignored. */
function ignores({ ignoredResources, ignoredResourceGroups }: Partial<NodeResourcesFitArgs>): IsIgnored {
  const names = new Set(ignoredResources);
  const groups = new Set(ignoredResourceGroups);
  if (names.size === 0 && groups.size === 0) return () => false;
  return (name) => {
    const [group = '', rest] = name.split('/');
    const extended = rest !== undefined && !group.endsWith('kubernetes.io');
    return extended && (names.has(name) || groups.has(group));
  };
}

/** Room for the pod by its requests, and a score from how much is asked of the node. */
export const nodeResourcesFit = definePlugin<NodeResourcesFitArgs>(NAME, (args) => ({
  ...filterPart(fitFilter(ignores(args))),
  ...scorePart(fitScore(args.scoringStrategy ?? DEFAULT_STRATEGY)),
}));
