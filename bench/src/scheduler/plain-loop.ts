import type { CompiledProfile, Cycle } from '@catamaran/scheduler';

type Node = ReturnType<Cycle['snapshot']['nodeAt']>;

/**
 * The rival: filters and scores every node from scratch with the plugins' own arithmetic, keeps nothing, explains
 * nothing, and takes the first of the best nodes.
 */
export function plainDecision(cycle: Cycle, { filters, scores }: CompiledProfile): string | undefined {
  const active = filters.flatMap((plugin) => {
    const outcome = plugin.preFilter?.(cycle) ?? { kind: 'continue', state: undefined };
    return outcome.kind === 'continue' ? [{ plugin, state: outcome.state }] : [];
  });
  const feasible: Node[] = [];
  for (const node of cycle.snapshot.nodes()) {
    if (active.every(({ plugin, state }) => plugin.filter(cycle, node, state) === undefined))
      feasible.push(node);
  }
  const totals = new Float64Array(feasible.length);
  for (const { plugin, weight } of scores) {
    const outcome = plugin.preScore?.(cycle) ?? { kind: 'continue', state: undefined };
    if (outcome.kind === 'skip') continue;
    const raw = feasible.map((node) => plugin.score(cycle, node, outcome.state));
    const range = { min: Math.min(...raw), max: Math.max(...raw), someBehind: false };
    raw.forEach((value, index) => {
      totals[index] = (totals[index] ?? 0) + (plugin.normalize?.(value, range) ?? value) * weight;
    });
  }
  return feasible[totals.indexOf(Math.max(...totals))]?.name;
}
