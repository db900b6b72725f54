import { EXTENSION_POINTS, type ExtensionPoint } from './extension-point.js';
import { catalogueEntry, PLUGIN_CATALOGUE } from './plugin-catalogue.js';

export interface PluginChoice {
  readonly name: string;
  /** 0: none given. */
  readonly weight: number;
}

/** One `{enabled, disabled}` pair as a profile gives it. A disabled `*` stands for all defaults. */
export interface PluginSet {
  readonly enabled: readonly PluginChoice[];
  readonly disabled: readonly string[];
}

export type ProfilePlugins = Readonly<Partial<Record<ExtensionPoint | 'multiPoint', PluginSet>>>;

/** Plugins of each point in the order in which they run; weights are final (1 or more) at `score`, 0 elsewhere. */
export type ExpandedPlugins = Readonly<Record<ExtensionPoint, readonly PluginChoice[]>>;

const NOTHING: PluginSet = { enabled: [], disabled: [] };

/**
 * Merges a profile's plugins with kube-scheduler's default set and expands multiPoint, by the rules of v1:
 * a default named in `enabled` is replaced in place, weight included; an explicit entry of a point beats the
 * multiPoint one; in a point come first its explicit plugins that multiPoint has too, then the rest of multiPoint,
 * then the remaining explicit ones.
 */
export function expandPlugins(plugins: ProfilePlugins): ExpandedPlugins {
  const multiPoint = mergeWithDefaults(plugins.multiPoint ?? NOTHING);
  const expanded: Partial<Record<ExtensionPoint, readonly PluginChoice[]>> = {};
  for (const point of EXTENSION_POINTS) {
    const choices = expandPoint(point, plugins[point] ?? NOTHING, multiPoint);
    expanded[point] = choices.map(({ name, weight }) => ({
      name,
      weight: point === 'score' ? Math.max(1, weight) : 0,
    }));
  }
  return expanded as ExpandedPlugins;
}

function mergeWithDefaults(custom: PluginSet): readonly PluginChoice[] {
  const disabled = new Set(custom.disabled);
  const replaced = new Set<string>();
  const merged: PluginChoice[] = [];
  const defaults = disabled.has('*')
    ? []
    : PLUGIN_CATALOGUE.filter((entry) => entry.defaultWeight !== undefined);
  for (const { name, defaultWeight } of defaults) {
    if (disabled.has(name)) {
      continue;
    }
    const own = custom.enabled.find((choice) => choice.name === name);
    if (own !== undefined) {
      replaced.add(name);
    }
    merged.push(own ?? { name, weight: defaultWeight ?? 0 });
  }
  merged.push(...custom.enabled.filter((choice) => !replaced.has(choice.name)));
  return merged;
}

function expandPoint(
  point: ExtensionPoint,
  own: PluginSet,
  multiPoint: readonly PluginChoice[],
): readonly PluginChoice[] {
  const disabled = new Set(own.disabled);
  const explicit = new Set(own.enabled.map(({ name }) => name));
  const fromMultiPoint = disabled.has('*')
    ? []
    : multiPoint.filter(({ name }) => implementsPoint(name, point) && !disabled.has(name));
  const offered = new Set(fromMultiPoint.map(({ name }) => name));
  const overriding = own.enabled.filter(({ name }) => offered.has(name));
  const inherited = fromMultiPoint.filter(({ name }) => !explicit.has(name));
  const additional = own.enabled.filter(({ name }) => !offered.has(name));
  return [...overriding, ...inherited, ...additional];
}

function implementsPoint(name: string, point: ExtensionPoint): boolean {
  return catalogueEntry(name)?.points.includes(point) ?? false;
}
