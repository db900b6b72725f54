import type { NodeSelectorTerm } from '@catamaran/model';
import { nodeTermMatches, type SelectableNode } from '../../selectors/node-selector.js';

export interface WeightedTerm {
  readonly weight: number;
  readonly preference: NodeSelectorTerm;
}

/** Sum of the weights of the preferred terms that the node matches. */
export function preferenceSum(terms: readonly WeightedTerm[], node: SelectableNode): number {
  let sum = 0;
  for (const { weight, preference } of terms) {
    if (weight !== 0 && nodeTermMatches(preference, node)) sum += weight;
  }
  return sum;
}
