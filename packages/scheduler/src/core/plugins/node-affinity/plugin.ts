import type { NodeSelectorTerm } from '@catamaran/model';
import type { FilterPlugin, Rejection, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, filterPart, scorePart } from '../../framework/plugin-definition.js';
import { shareOfMax } from '../../framework/share-of-max.js';
import { nodeTermsMatch } from '../../selectors/node-selector.js';
import type { NodeAffinityArgs } from './args.js';
import { namedNodes, type RequiredNodes, requiredNodes, satisfies } from './required-nodes.js';
import { preferenceSum, type WeightedTerm } from './score.js';

const NAME = 'NodeAffinity';

function rejection(reason: string): Rejection {
  return { plugin: NAME, code: 'UnschedulableAndUnresolvable', reasons: [reason] };
}

const NO_MATCH = rejection("node(s) didn't match Pod's node affinity/selector");
const NOT_ENFORCED = rejection("node(s) didn't match scheduler-enforced node affinity");
const CONFLICT = rejection('pod affinity terms conflict');

function affinityFilter(
  added: readonly NodeSelectorTerm[] | undefined,
): FilterPlugin<RequiredNodes | undefined> {
  return {
    name: NAME,
    scope: 'node-object',
    preFilter: ({ pod }) => {
      const required = requiredNodes(pod.pod.spec);
      if (required === undefined && added === undefined) return { kind: 'skip' };
      const nodeNames = required?.terms === undefined ? undefined : namedNodes(required.terms);
      if (nodeNames === undefined) return { kind: 'continue', state: required };
      if (nodeNames.size === 0) return { kind: 'reject', rejection: CONFLICT };
      return { kind: 'continue', state: required, nodeNames };
    },
    filter: (_cycle, node, required) => {
      if (added !== undefined && !nodeTermsMatch(added, node)) return NOT_ENFORCED;
      return required === undefined || satisfies(node, required) ? undefined : NO_MATCH;
    },
  };
}

function affinityScore(added: readonly WeightedTerm[]): ScorePlugin<readonly WeightedTerm[]> {
  return {
    name: NAME,
    scope: 'node-object',
    preScore: ({ pod }) => {
      const own = pod.pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
      const terms = [...added, ...own];
      return terms.length === 0 ? { kind: 'skip' } : { kind: 'continue', state: terms };
    },
    score: (_cycle, node, terms) => preferenceSum(terms, node),
    normalize: shareOfMax,
    explain: (_cycle, node, terms) => ({ matchedWeight: preferenceSum(terms, node) }),
  };
}

/** `nodeSelector` and node affinity of the pod, and the affinity that the profile adds to all pods. */
export const nodeAffinity = definePlugin<NodeAffinityArgs>(NAME, ({ addedAffinity }) => ({
  ...filterPart(
    affinityFilter(addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms),
  ),
  ...scorePart(affinityScore(addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])),
}));
