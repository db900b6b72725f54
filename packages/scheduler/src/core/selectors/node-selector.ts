import type { LabelSelectorRequirement, NodeSelectorTerm } from '@catamaran/model';
import { type Labels, requirementMatches } from './label-requirement.js';

/** What a node selector looks at. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: Labels;
}

/** A term without any expression matches no node; else all of its expressions and fields must hold. */
export function nodeTermMatches(term: NodeSelectorTerm, node: SelectableNode): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  return (
    expressions.every((requirement) => requirementMatches(requirement, node.labels)) &&
    fields.every((requirement) => fieldMatches(requirement, node.name))
  );
}

export function nodeTermsMatch(terms: readonly NodeSelectorTerm[], node: SelectableNode): boolean {
  return terms.some((term) => nodeTermMatches(term, node));
}

/** Only `metadata.name` exists, with `In` and `NotIn` and one value. */
function fieldMatches({ key, operator, values = [] }: LabelSelectorRequirement, name: string): boolean {
  if (key !== 'metadata.name') return false;
  if (operator === 'In') return values.includes(name);
  return operator === 'NotIn' && !values.includes(name);
}
