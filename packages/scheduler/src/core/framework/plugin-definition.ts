import type {
  BindPlugin,
  FilterPlugin,
  PermitPlugin,
  PostFilterPlugin,
  PreBindPlugin,
  ReservePlugin,
  ScorePlugin,
} from './plugin.js';

/** What a plugin may know beside its arguments. */
export interface PluginContext {
  /** The load source that it reads: see `ClusterState.setUtilization`. */
  readonly loadSource: string;
  /** The source of its signals: see `signalKey`; `default` unless given. */
  readonly signalSource?: string;
}

export interface PluginParts {
  readonly filter?: FilterPlugin;
  readonly score?: ScorePlugin;
  readonly postFilter?: PostFilterPlugin;
  readonly reserve?: ReservePlugin;
  readonly permit?: PermitPlugin;
  readonly preBind?: PreBindPlugin;
  readonly bind?: BindPlugin;
}

/** A plugin as the registry knows it. */
export interface PluginDefinition {
  readonly name: string;
  /** @param args as the config reader left them; absent arguments and fields take their defaults. */
  create(args: unknown, context: PluginContext): PluginParts;
}

/** A definition with its argument type hidden, so that a registry can hold different ones. */
export function definePlugin<Args extends object>(
  name: string,
  create: (args: Partial<Args>, context: PluginContext) => PluginParts,
): PluginDefinition {
  return { name, create: (args, context) => create((args ?? {}) as Partial<Args>, context) };
}

/** A filter whose state type the framework need not know: it only hands it back. */
export function filterPart<State>(plugin: FilterPlugin<State>): PluginParts {
  return { filter: plugin as FilterPlugin };
}

/** The same for a score. */
export function scorePart<State>(plugin: ScorePlugin<State>): PluginParts {
  return { score: plugin as ScorePlugin };
}
