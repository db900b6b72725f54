import type { LabelSelector } from '@catamaran/model';
import { type Labels, requirementMatches } from './label-requirement.js';

/** An absent selector matches nothing, an empty one everything. */
export function labelSelectorMatches(selector: LabelSelector | undefined | null, labels: Labels): boolean {
  if (selector === undefined || selector === null) return false;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (!Object.hasOwn(labels, key) || labels[key] !== value) return false;
  }
  return (selector.matchExpressions ?? []).every((requirement) => requirementMatches(requirement, labels));
}
