import type { Cycle, Rejection } from '../../framework/plugin.js';
import { definePlugin, filterPart } from '../../framework/plugin-definition.js';
import { termMatches } from '../../state/affinity-term.js';
import type { PlacedTerm } from '../../state/anti-affinity-index.js';
import type { NodeInfo } from '../../state/node-info.js';

const NAME = 'InterPodAffinity';
const REJECTION: Rejection = {
  plugin: NAME,
  code: 'Unschedulable',
  reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"],
};

function matchingTerms({ pod, snapshot }: Cycle): readonly PlacedTerm[] {
  return snapshot.antiAffinity.matching(pod, snapshot.namespaceLabels(pod.namespace));
}

function isForbidden({ labels }: NodeInfo, terms: readonly PlacedTerm[]): boolean {
  return terms.some(({ term, values }) => {
    const value = Object.hasOwn(labels, term.topologyKey) ? labels[term.topologyKey] : undefined;
    return value !== undefined && values.has(value);
  });
}

/**
 * The part of InterPodAffinity that protects pods already placed: their required anti-affinity keeps the pod out of
 * their topology domain. The pod's own terms are not built: pods with hard ones are refused, soft ones count nothing.
 */
export const interPodAffinity = definePlugin(NAME, () =>
  filterPart<readonly PlacedTerm[]>({
    name: NAME,
    inputsKey: (cycle) => {
      if (cycle.snapshot.antiAffinity.size === 0) return '';
      return matchingTerms(cycle)
        .map(({ term, revision }) => `${revision}:${term.signature}`)
        .join();
    },
    preFilter: (cycle) => {
      const terms = matchingTerms(cycle);
      return terms.length === 0 ? { kind: 'skip' } : { kind: 'continue', state: terms };
    },
    filter: (_cycle, node, terms) => (isForbidden(node, terms) ? REJECTION : undefined),
    filterPromised: ({ pod, snapshot }, node, promised) => {
      const namespaceLabels = snapshot.namespaceLabels(pod.namespace);
      const kept = promised.some(({ requiredAntiAffinity }) =>
        requiredAntiAffinity.some(
          (term) => Object.hasOwn(node.labels, term.topologyKey) && termMatches(term, pod, namespaceLabels),
        ),
      );
      return kept ? REJECTION : undefined;
    },
  }),
);
