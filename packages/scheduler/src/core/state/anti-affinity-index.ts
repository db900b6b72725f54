import type { Labels } from '../selectors/label-requirement.js';
import { type AffinityTerm, termMatches } from './affinity-term.js';

/** A required anti-affinity term of pods already placed, with the topology values where such a pod is. */
export interface PlacedTerm {
  readonly term: AffinityTerm;
  readonly values: ReadonlySet<string>;
  /** Grows whenever `values` changes. */
  readonly revision: number;
}

/** What the pods already placed forbid. Immutable. */
export interface AntiAffinityView {
  readonly size: number;
  /** Terms that keep this pod away from their topology values. Cost: the terms that look at its namespace. */
  matching(
    pod: { readonly namespace: string; readonly labels: Labels },
    namespaceLabels: Labels,
  ): readonly PlacedTerm[];
}

interface Entry {
  readonly term: AffinityTerm;
  readonly counts: Map<string, number>;
  placed: PlacedTerm | undefined;
}

const NONE: readonly PlacedTerm[] = [];

/**
 * Counts, for each different term, the topology values that hold a pod with it. Pods of one workload share a term, so
 * that the index stays small whatever their number.
 */
export class AntiAffinityIndex {
  readonly #entries = new Map<string, Entry>();
  #revision = 0;
  #view: AntiAffinityView | undefined = undefined;

  add(term: AffinityTerm, value: string): void {
    const entry = this.#entries.get(term.signature) ?? { term, counts: new Map(), placed: undefined };
    this.#entries.set(term.signature, entry);
    const count = entry.counts.get(value) ?? 0;
    entry.counts.set(value, count + 1);
    if (count === 0) this.#touch(entry);
  }

  remove(term: AffinityTerm, value: string): void {
    const entry = this.#entries.get(term.signature);
    const count = entry?.counts.get(value) ?? 0;
    if (entry === undefined || count === 0) return;
    if (count > 1) {
      entry.counts.set(value, count - 1);
      return;
    }
    entry.counts.delete(value);
    if (entry.counts.size === 0) this.#entries.delete(term.signature);
    this.#touch(entry);
  }

  /** The same object until something changes. */
  view(): AntiAffinityView {
    this.#view ??= buildView([...this.#entries.values()].map((entry) => this.#placed(entry)));
    return this.#view;
  }

  #touch(entry: Entry): void {
    this.#revision += 1;
    entry.placed = undefined;
    this.#view = undefined;
  }

  #placed(entry: Entry): PlacedTerm {
    entry.placed ??= { term: entry.term, values: new Set(entry.counts.keys()), revision: this.#revision };
    return entry.placed;
  }
}

function buildView(terms: readonly PlacedTerm[]): AntiAffinityView {
  const byNamespace = new Map<string, PlacedTerm[]>();
  const selecting: PlacedTerm[] = [];
  for (const placed of terms) {
    if (placed.term.namespaceSelector !== undefined) {
      selecting.push(placed);
      continue;
    }
    for (const namespace of placed.term.namespaces) {
      const list = byNamespace.get(namespace);
      if (list === undefined) byNamespace.set(namespace, [placed]);
      else list.push(placed);
    }
  }
  return {
    size: terms.length,
    matching: (pod, namespaceLabels) => {
      const candidates = byNamespace.get(pod.namespace) ?? NONE;
      if (candidates.length === 0 && selecting.length === 0) return NONE;
      return [...candidates, ...selecting].filter(({ term }) => termMatches(term, pod, namespaceLabels));
    },
  };
}
