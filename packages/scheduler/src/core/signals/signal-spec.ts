/** A number per node that a PromQL query gives. */
export interface SignalSpec {
  /** For people and metrics; says nothing about what is asked. */
  readonly name: string;
  /** An instant vector whose series name nodes as those of the load-watcher's own queries do. */
  readonly promql: string;
  /**
   * What a value is: percent; a share of 1, which is kept as percent; an amount, kept as it is, or as percent of the
   * node's capacity where there is one.
   */
  readonly unit: 'percent' | 'ratio' | 'amount';
  /** What 100 % of an amount is: PromQL, by node, or a number for all nodes. */
  readonly capacity?: string | number | undefined;
  /** Label that holds the node's name, asked before all others. */
  readonly nodeLabel?: string | undefined;
  /** Which counts where several series are one node's: the one that speaks least for the node. */
  readonly counts: 'highest' | 'lowest';
}

/** One signal, and how old its values may get. */
export interface SignalUse {
  readonly spec: SignalSpec;
  /** Undefined: they never get too old. */
  readonly maxAgeMs: number | undefined;
}

/** Names what is asked of a source: plugins and profiles that ask the same share the answer. */
export function signalKey(source: string, { promql, unit, capacity, nodeLabel, counts }: SignalSpec): string {
  return JSON.stringify([source, promql, unit, capacity ?? null, nodeLabel ?? null, counts]);
}
