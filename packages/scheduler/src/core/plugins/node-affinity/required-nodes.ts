import type { NodeSelectorTerm, PodSpec } from '@catamaran/model';
import type { Labels } from '../../selectors/label-requirement.js';
import { nodeTermsMatch, type SelectableNode } from '../../selectors/node-selector.js';

/** What the pod itself requires of a node: its selector and, if it states any, one of its required terms. */
export interface RequiredNodes {
  readonly selector: readonly (readonly [string, string])[];
  /** Undefined: no required affinity. An empty list matches no node. */
  readonly terms: readonly NodeSelectorTerm[] | undefined;
}

export function requiredNodes(spec: PodSpec): RequiredNodes | undefined {
  const selector = Object.entries(spec.nodeSelector ?? {});
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  // Without terms there is nothing a node could match.
  const terms = required === undefined ? undefined : (required.nodeSelectorTerms ?? []);
  return selector.length === 0 && terms === undefined ? undefined : { selector, terms };
}

export function satisfies(node: SelectableNode, { selector, terms }: RequiredNodes): boolean {
  return hasLabels(node.labels, selector) && (terms === undefined || nodeTermsMatch(terms, node));
}

function hasLabels(labels: Labels, wanted: RequiredNodes['selector']): boolean {
  return wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/**
 * Node names that the terms restrict the pod to, by `metadata.name In`. Undefined when some term names none: then
 * every node may do. Empty when the names within each term exclude each other.
 */
export function namedNodes(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const { matchFields = [] } of terms) {
    let inTerm: readonly string[] | undefined;
    for (const { key, operator, values = [] } of matchFields) {
      if (key !== 'metadata.name' || operator !== 'In') continue;
      inTerm = inTerm === undefined ? values : inTerm.filter((name) => values.includes(name));
    }
    if (inTerm === undefined) return undefined;
    for (const name of inTerm) names.add(name);
  }
  return terms.length === 0 ? undefined : names;
}
