import { type FilterRun, prepareFilters } from '../core/cycle/filter-run.js';
import type { CompiledProfile } from '../core/cycle/profile.js';
import type { ActiveScore } from '../core/cycle/score-run.js';
import type { Cycle } from '../core/framework/plugin.js';
import type { NodeInfo } from '../core/state/node-info.js';
import type { ExplainedNode } from './explanation.js';

/** A figure that a filter lacks. */
export interface FilterGap {
  readonly plugin: string;
  readonly figure: string;
  /** `never-read`, `too-old`, `from-the-future` or `no-figure`. */
  readonly reason: string;
  /** Of the figures, where that is why. */
  readonly ageSeconds?: number;
  readonly maxAgeSeconds?: number;
  /** How many nodes passed without it. */
  readonly nodes: number;
}

interface ActivePlugins {
  readonly active: readonly ActiveScore[];
  readonly filters: FilterRun['active'];
}

/** None where a filter refuses the pod as a whole. */
export function activeFilters(cycle: Cycle, profile: CompiledProfile): FilterRun['active'] {
  const prepared = prepareFilters(cycle, profile);
  return prepared.kind === 'run' ? prepared.run.active : [];
}

/** The node with what its scores or its refusal were worked out from. */
export function withInputs(node: ExplainedNode, cycle: Cycle, plugins: ActivePlugins): ExplainedNode {
  const info = cycle.snapshot.node(node.name);
  if (info === undefined) return node;
  const inputs = inputsOf(node, { cycle, info }, plugins);
  return inputs.length === 0 ? node : { ...node, inputs: Object.fromEntries(inputs) };
}

function inputsOf(
  { rejectedBy }: ExplainedNode,
  { cycle, info }: { readonly cycle: Cycle; readonly info: NodeInfo },
  { active, filters }: ActivePlugins,
): readonly (readonly [plugin: string, inputs: Readonly<Record<string, unknown>>])[] {
  const told =
    rejectedBy === undefined
      ? [...active, ...filters.filter(({ plugin }) => plugin.explainsPassed)]
      : filters.filter(({ plugin }) => plugin.name === rejectedBy);
  return told.flatMap(({ plugin, state }) =>
    plugin.explain === undefined ? [] : [[plugin.name, plugin.explain(cycle, info, state)] as const],
  );
}

/** What filters could not check on these nodes, which passed them: counted over all. */
export function gapsOf(
  feasible: readonly string[],
  cycle: Cycle,
  filters: FilterRun['active'],
): readonly FilterGap[] {
  const counted = new Map<string, FilterGap>();
  for (const { plugin, state } of filters) {
    if (plugin.explainsPassed !== true) continue;
    for (const name of feasible) {
      const info = cycle.snapshot.node(name);
      const told = info === undefined ? undefined : plugin.explain?.(cycle, info, state);
      const gaps = (told?.gaps ?? []) as readonly Omit<FilterGap, 'plugin' | 'nodes'>[];
      for (const gap of gaps) {
        const key = JSON.stringify([plugin.name, gap.figure, gap.reason]);
        const nodes = (counted.get(key)?.nodes ?? 0) + 1;
        counted.set(key, { plugin: plugin.name, ...gap, nodes });
      }
    }
  }
  return [...counted.values()];
}
