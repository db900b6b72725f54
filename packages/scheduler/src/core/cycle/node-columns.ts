/** Verdicts and scores of all nodes for one pod, by slot. */
export interface NodeColumns {
  /** 1 where every filter is content. */
  readonly feasible: Uint8Array;
  /** Weighted sum of the scores that need no normalising; meaningless where not feasible. */
  readonly sums: Float64Array;
  /** Raw scores of the plugins that normalise, in their order. */
  readonly raws: readonly Float64Array[];
}

export function nodeColumns(nodeCount: number, rawCount: number): NodeColumns {
  return {
    feasible: new Uint8Array(nodeCount),
    sums: new Float64Array(nodeCount),
    raws: Array.from({ length: rawCount }, () => new Float64Array(nodeCount)),
  };
}
