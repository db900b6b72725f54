import type { ProfileConfig } from '../config/scheduler-config.js';
import type {
  BindPlugin,
  FilterPlugin,
  PermitPlugin,
  PostFilterPlugin,
  PreBindPlugin,
  ReservePlugin,
  ScorePlugin,
} from '../framework/plugin.js';
import type { PluginDefinition, PluginParts } from '../framework/plugin-definition.js';
import { PLUGIN_DEFINITIONS } from '../plugins/plugin-definitions.js';
import { ClassCache } from './class-cache.js';

export interface WeightedScore {
  readonly plugin: ScorePlugin;
  readonly weight: number;
}

/** A profile whose plugins are made from their arguments. Profiles share nothing but the cluster state. */
export interface CompiledProfile {
  readonly schedulerName: string;
  /** Undefined: all nodes. 0: kube-scheduler's share, which falls as clusters grow. */
  readonly percentageOfNodesToScore: number | undefined;
  readonly filters: readonly FilterPlugin[];
  readonly scores: readonly WeightedScore[];
  readonly postFilters: readonly PostFilterPlugin[];
  readonly reserves: readonly ReservePlugin[];
  readonly permits: readonly PermitPlugin[];
  readonly preBinds: readonly PreBindPlugin[];
  readonly binds: readonly BindPlugin[];
  /** `Filter` and `Score` plugins of the profile that have no code yet. */
  readonly unbuilt: readonly string[];
  /** Default spreading constraints that may refuse nodes: not built, so pods they would concern are refused. */
  readonly hardDefaultSpread: boolean;
  /** Verdicts kept between decisions; only speed depends on it. */
  readonly cache: ClassCache;
}

/** The part of a profile's configuration that decisions depend on. */
export interface ProfileSpec
  extends Pick<ProfileConfig, 'schedulerName' | 'percentageOfNodesToScore' | 'pluginArgs'> {
  readonly plugins: Pick<ProfileConfig['plugins'], 'filter' | 'score'> &
    Partial<Pick<ProfileConfig['plugins'], 'postFilter' | 'reserve' | 'permit' | 'preBind' | 'bind'>>;
}

/** Where plugins read, by plugin; and plugins beside the built-in ones. */
export interface PluginSources {
  readonly definitions?: readonly PluginDefinition[];
  readonly loadSources?: ReadonlyMap<string, string>;
  readonly signalSources?: ReadonlyMap<string, string>;
}

/**
 * @param options.loadSources which watcher a plugin reads, by plugin: see `ClusterState.setUtilization`; else `default`.
 * @param options.signalSources the source of its signals, by plugin: see `signalKey`; else `default`.
 */
export function compileProfile(spec: ProfileSpec, sources: PluginSources = {}): CompiledProfile {
  const { filter, score, postFilter = [], reserve = [], permit = [], preBind = [], bind = [] } = spec.plugins;
  const parts = createParts(
    spec,
    [filter, score, postFilter, reserve, permit, preBind, bind].flat(),
    sources,
  );
  return {
    schedulerName: spec.schedulerName,
    percentageOfNodesToScore: spec.percentageOfNodesToScore,
    filters: filter.flatMap(({ name }) => parts.get(name)?.filter ?? []),
    scores: score.flatMap(({ name, weight }) => {
      const plugin = parts.get(name)?.score;
      return plugin === undefined ? [] : [{ plugin, weight }];
    }),
    postFilters: postFilter.flatMap(({ name }) => parts.get(name)?.postFilter ?? []),
    reserves: reserve.flatMap(({ name }) => parts.get(name)?.reserve ?? []),
    permits: permit.flatMap(({ name }) => parts.get(name)?.permit ?? []),
    preBinds: preBind.flatMap(({ name }) => parts.get(name)?.preBind ?? []),
    binds: bind.flatMap(({ name }) => parts.get(name)?.bind ?? []),
    unbuilt: [
      ...filter.filter(({ name }) => parts.get(name)?.filter === undefined),
      ...score.filter(({ name }) => parts.get(name)?.score === undefined),
    ].map(({ name }) => name),
    hardDefaultSpread:
      filter.some(({ name }) => name === 'PodTopologySpread') &&
      hasHardConstraint(spec.pluginArgs.PodTopologySpread),
    cache: new ClassCache(),
  };
}

/** Each plugin that some point names is made once. */
function createParts(
  { pluginArgs }: ProfileSpec,
  choices: readonly { readonly name: string }[],
  { loadSources, signalSources, definitions = [] }: PluginSources,
): ReadonlyMap<string, PluginParts> {
  const names = new Set(choices.map(({ name }) => name));
  const chosen = [...PLUGIN_DEFINITIONS, ...definitions].filter(({ name }) => names.has(name));
  return new Map(
    chosen.map((definition) => {
      const { name } = definition;
      const loadSource = loadSources?.get(name) ?? 'default';
      const signalSource = signalSources?.get(name) ?? 'default';
      return [name, definition.create(pluginArgs[name], { loadSource, signalSource })];
    }),
  );
}

function hasHardConstraint(args: unknown): boolean {
  const { defaultConstraints } = (args ?? {}) as { readonly defaultConstraints?: unknown };
  return (
    Array.isArray(defaultConstraints) &&
    defaultConstraints.some(
      (constraint: { readonly whenUnsatisfiable?: unknown } | null) =>
        constraint?.whenUnsatisfiable !== 'ScheduleAnyway',
    )
  );
}
