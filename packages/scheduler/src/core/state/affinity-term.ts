import type { LabelSelector, LabelSelectorRequirement, Pod, PodAffinityTerm } from '@catamaran/model';
import type { Labels } from '../selectors/label-requirement.js';
import { labelSelectorMatches } from '../selectors/label-selector.js';

/** A pod (anti-)affinity term made ready: own namespace filled in, matchLabelKeys merged into the selector. */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly selector: LabelSelector | undefined;
  /** Names that count; `namespaceSelector` may add more. */
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: LabelSelector | undefined;
  /** Equal for terms that mean the same. */
  readonly signature: string;
}

/** The terms of `requiredDuringSchedulingIgnoredDuringExecution` of a pod's anti-affinity, ready to match. */
export function requiredAntiAffinityTerms(pod: Pod): readonly AffinityTerm[] {
  const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.length === 0 ? NO_TERMS : terms.map((term) => compileTerm(term, pod));
}

const NO_TERMS: readonly AffinityTerm[] = [];

function compileTerm(term: PodAffinityTerm, owner: Pod): AffinityTerm {
  const named = term.namespaces ?? [];
  const own = named.length === 0 && !isPresent(term.namespaceSelector);
  const namespaces = own ? [owner.metadata.namespace ?? 'default'] : [...named].sort();
  const selector = withLabelKeys(term, owner.metadata.labels ?? {});
  const namespaceSelector = isPresent(term.namespaceSelector) ? term.namespaceSelector : undefined;
  return {
    topologyKey: term.topologyKey,
    selector,
    namespaces: new Set(namespaces),
    namespaceSelector,
    signature: JSON.stringify([term.topologyKey, selector, namespaces, namespaceSelector]),
  };
}

function isPresent<T>(value: T | undefined | null): value is T {
  return value !== undefined && value !== null;
}

/** The API server has usually merged the keys already; doing so again changes nothing. */
function withLabelKeys(term: PodAffinityTerm, labels: Labels): LabelSelector | undefined {
  if (!isPresent(term.labelSelector)) return undefined;
  const added: LabelSelectorRequirement[] = [];
  for (const key of term.matchLabelKeys ?? []) {
    if (Object.hasOwn(labels, key)) added.push({ key, operator: 'In', values: [labels[key] ?? ''] });
  }
  for (const key of term.mismatchLabelKeys ?? []) {
    if (Object.hasOwn(labels, key)) added.push({ key, operator: 'NotIn', values: [labels[key] ?? ''] });
  }
  if (added.length === 0) return term.labelSelector;
  return {
    ...term.labelSelector,
    matchExpressions: [...(term.labelSelector.matchExpressions ?? []), ...added],
  };
}

/** @param namespaceLabels labels of the pod's namespace; empty when it is not known. */
export function termMatches(
  term: AffinityTerm,
  pod: { readonly namespace: string; readonly labels: Labels },
  namespaceLabels: Labels,
): boolean {
  const inNamespace =
    term.namespaces.has(pod.namespace) ||
    (term.namespaceSelector !== undefined && labelSelectorMatches(term.namespaceSelector, namespaceLabels));
  return inNamespace && labelSelectorMatches(term.selector, pod.labels);
}
