export interface NodeOrder {
  /** Groups of nodes from best to worst; nodes of a group are equally good. */
  readonly order: readonly (readonly string[])[];
  /** Nodes that rank behind all of them. */
  readonly last: readonly string[];
}

/**
 * What scores have against an expected order; undefined when they follow it. Scores are whole numbers from 0 to 100, so
 * neighbouring groups may share one, but not the first with the last, nor any with the nodes behind all.
 */
export function orderProblem(
  { order, last }: NodeOrder,
  scores: ReadonlyMap<string, number>,
): string | undefined {
  const expected = [...order.flat(), ...last].sort().join();
  const scored = [...scores.keys()].sort().join();
  if (expected !== scored) return `other nodes: ${scored}`;
  const groups = order.map((names) => names.map((name) => scores.get(name) ?? Number.NaN));
  const highestLast = Math.max(
    ...last.map((name) => scores.get(name) ?? Number.NaN),
    Number.NEGATIVE_INFINITY,
  );
  const sound =
    groups.every((group) => new Set(group).size === 1) &&
    groups.every((group, index) => index === 0 || first(group) <= first(groups[index - 1])) &&
    (groups.length < 2 || first(groups[0]) > first(groups.at(-1))) &&
    groups.flat().every((score) => score > highestLast);
  return sound ? undefined : [...scores].map(([name, score]) => `${name}=${score}`).join(' ');
}

function first(group: readonly number[] | undefined): number {
  return group?.[0] ?? Number.NaN;
}
