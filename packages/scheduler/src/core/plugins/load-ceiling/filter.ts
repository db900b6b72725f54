import type { Ceilings } from './args.js';

/** Percent in use by name; undefined where it is not known. */
export type Use = (name: string) => number | undefined;

/** What speaks against a node: names above their ceilings, and names without a figure; in the ceilings' order. */
export interface CeilingVerdict {
  readonly above: readonly string[];
  readonly unknown: readonly string[];
  /** The largest use as a share of its ceiling: above 1 where the node is above one. 0 where nothing is known. */
  readonly worst: number;
}

export function ceilingVerdict(ceilings: Ceilings, use: Use): CeilingVerdict {
  const above: string[] = [];
  const unknown: string[] = [];
  let worst = 0;
  for (const [name, ceiling] of Object.entries(ceilings)) {
    const percent = use(name);
    if (percent === undefined) unknown.push(name);
    else {
      if (percent > ceiling) above.push(name);
      worst = Math.max(worst, percent / ceiling);
    }
  }
  return { above, unknown, worst };
}

/** The nodes with the least of the worst, all of them where several are equal. */
export function leastLoaded(worstByNode: ReadonlyMap<string, number>): ReadonlySet<string> {
  const least = Math.min(...worstByNode.values());
  return new Set([...worstByNode].flatMap(([node, worst]) => (worst === least ? [node] : [])));
}
