import type { FilterPlugin, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, filterPart, scorePart } from '../../framework/plugin-definition.js';
import { DEFAULT_STRATEGY, type NodeResourcesFitArgs, type ScoringStrategy } from './args.js';
import { fits, type IsIgnored, shortfalls } from './fit.js';
import { NAME } from './name.js';
import { nonZeroUse } from './resource-use.js';
import { compileStrategy } from './score.js';

function fitFilter(isIgnored: IsIgnored): FilterPlugin<undefined> {
  return {
    name: NAME,
    filter: ({ pod }, node) =>
      fits(pod.requests, node, isIgnored) ? undefined : shortfalls(pod.requests, node, isIgnored),
  };
}

function fitScore(strategy: ScoringStrategy): ScorePlugin<undefined> {
  const score = compileStrategy(strategy);
  return {
    name: NAME,
    score: ({ pod }, node) => score((name) => nonZeroUse(name, node, pod.scoredRequests)),
    explain: ({ pod }, node) => ({
      strategy: strategy.type,
      resources: Object.fromEntries(
        (strategy.resources ?? []).map(({ name }) => [name, nonZeroUse(name, node, pod.scoredRequests)]),
      ),
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
