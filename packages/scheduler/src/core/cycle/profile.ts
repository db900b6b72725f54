import type { FilterPlugin, ScorePlugin } from '../framework/plugin.js';
import { PLUGIN_DEFINITIONS } from '../plugins/plugin-definitions.js';
import { ClassCache } from './class-cache.js';

/** A profile after merging and expansion of its plugin lists: what runs, in order. */
export interface ProfileSpec {
  readonly schedulerName: string;
  /** Undefined or 100 and above: all nodes. 0: kube-scheduler's adaptive share. */
  readonly percentageOfNodesToScore?: number | undefined;
  /** Filter plugins in order. Names without code yet are allowed: the cycle refuses pods that would need them. */
  readonly filters: readonly string[];
  /** Score plugins in order. */
  readonly scores: readonly { readonly name: string; readonly weight: number }[];
  /** Decoded arguments by plugin name. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Which watcher this profile reads. */
  readonly loadSource?: string;
}

export interface WeightedScore {
  readonly plugin: ScorePlugin;
  readonly weight: number;
}

export interface CompiledProfile {
  readonly spec: ProfileSpec;
  readonly filters: readonly FilterPlugin[];
  readonly scores: readonly WeightedScore[];
  /** Names in the profile that have no code yet. */
  readonly unbuilt: readonly string[];
  /** Default spreading constraints that may refuse nodes: not built, so pods they would concern are refused. */
  readonly hardDefaultSpread: boolean;
  /** Verdicts kept between decisions; only speed depends on it. */
  readonly cache: ClassCache;
}

/** @throws PluginArgsError when arguments of an enabled plugin can't be used. */
export function compileProfile(spec: ProfileSpec): CompiledProfile {
  const names = new Set([...spec.filters, ...spec.scores.map(({ name }) => name)]);
  const context = { loadSource: spec.loadSource ?? 'default' };
  const parts = new Map(
    PLUGIN_DEFINITIONS.filter(({ name }) => names.has(name)).map((definition) => [
      definition.name,
      definition.create(spec.args?.[definition.name], context),
    ]),
  );
  const filters = spec.filters.flatMap((name) => parts.get(name)?.filter ?? []);
  const scores = spec.scores.flatMap(({ name, weight }) => {
    const plugin = parts.get(name)?.score;
    return plugin === undefined ? [] : [{ plugin, weight }];
  });
  return {
    spec,
    filters,
    scores,
    unbuilt: [...names].filter((name) => !parts.has(name)),
    hardDefaultSpread: names.has('PodTopologySpread') && hasHardDefault(spec.args?.['PodTopologySpread']),
    cache: new ClassCache(),
  };
}

function hasHardDefault(args: unknown): boolean {
  const { defaultConstraints } = (args ?? {}) as { readonly defaultConstraints?: unknown };
  return (
    Array.isArray(defaultConstraints) &&
    defaultConstraints.some(
      (constraint: { readonly whenUnsatisfiable?: unknown } | null) =>
        constraint?.whenUnsatisfiable !== 'ScheduleAnyway',
    )
  );
}
