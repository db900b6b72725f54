import type { Cycle, Plugin } from '../framework/plugin.js';
import { type FilterRun, prepareFilters } from './filter-run.js';
import type { CompiledProfile } from './profile.js';
import { type ActiveScore, prepareScores } from './score-run.js';

/** All that the plugins worked out in advance for a pod. */
export interface Prepared {
  readonly filters: FilterRun;
  readonly scores: readonly ActiveScore[];
}

/** Undefined when the pod as a whole is refused. */
export function prepare(cycle: Cycle, profile: CompiledProfile): Prepared | undefined {
  const filters = prepareFilters(cycle, profile);
  if (filters.kind === 'rejected') return undefined;
  return { filters: filters.run, scores: prepareScores(cycle, profile) };
}

/** Stands for everything that verdicts and scores depend on beside the nodes and the pod's class. */
export function inputsKey(cycle: Cycle, { filters, scores }: CompiledProfile): string {
  let key = '';
  for (const plugin of filters) key += part(cycle, plugin);
  for (const { plugin } of scores) key += part(cycle, plugin);
  return key;
}

function part(cycle: Cycle, plugin: Plugin): string {
  return plugin.inputsKey === undefined ? '' : `${plugin.inputsKey(cycle)}|`;
}
