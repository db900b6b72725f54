import { isNull, type Report } from '../reading.js';
import { type MapNode, nodeAt, type SourceNode } from '../source-node.js';
import { ALLOCATION_PLUGINS } from './allocation-plugins.js';
import { type OldVersion, V1 } from './api-versions.js';
import {
  entryOf,
  itemsOf,
  listNode,
  mapNode,
  nameOf,
  scalarNode,
  textOf,
  withEntries,
} from './edited-source.js';

const FIT = 'NodeResourcesFit';

interface ArgsContext {
  readonly version: OldVersion;
  /** The allocation plugin of v1beta1 that scores. */
  readonly active: string | undefined;
  readonly report: Report;
}

/** The `pluginConfig` of a profile in v1; undefined where it has none and needs none, or is no list. */
export function convertPluginConfig(profile: MapNode, context: ArgsContext): SourceNode | undefined {
  const given = profile.entries.get('pluginConfig');
  const written = given === undefined || isNull(given) ? undefined : given;
  if (written !== undefined && written.kind !== 'list') return undefined;
  const entries = itemsOf(written).map((entry) => convertEntry(entry, context));
  const strategy = strategyOf(entries, context);
  const rest = context.version.hasOwnAllocationPlugins
    ? entries.filter((entry) => !ALLOCATION_PLUGINS.has(nameOf(entry) ?? ''))
    : entries;
  const at = given ?? { path: `${profile.path}.pluginConfig`, line: profile.line };
  const converted = strategy === undefined ? rest : withStrategy(rest, strategy, at);
  return converted.length === 0 && written === undefined ? undefined : listNode(converted, at);
}

function convertEntry(entry: SourceNode, context: ArgsContext): SourceNode {
  const args = entryOf(entry, 'args');
  if (entry.kind !== 'map' || args?.kind !== 'map') return entry;
  const converted = withDefaultingType(nameOf(entry), withVersion(args, context), context);
  return withEntries(entry, { args: converted });
}

/** Arguments that name a version must name that of the file. */
function withVersion(args: MapNode, { version, report }: ArgsContext): MapNode {
  const node = args.entries.get('apiVersion');
  const named = textOf(node);
  if (node === undefined || named === undefined) return args;
  if (named === version.apiVersion) return withEntries(args, { apiVersion: scalarNode(V1, node) });
  report.problem(node, `expected ${version.apiVersion}, got ${named}: correct it or leave it out`);
  return withEntries(args, { apiVersion: undefined });
}

/** In v1beta1 constraints that are listed are meant to be used. */
function withDefaultingType(name: string | undefined, args: MapNode, { version }: ArgsContext): MapNode {
  const constraints = args.entries.get('defaultConstraints');
  const isListed = constraints?.kind === 'list' && constraints.items.length > 0;
  const isMeant = version.hasOwnAllocationPlugins && name === 'PodTopologySpread' && isListed;
  return isMeant && !args.entries.has('defaultingType')
    ? withEntries(args, { defaultingType: scalarNode('List', constraints) })
    : args;
}

/** `scoringStrategy` of NodeResourcesFit for the plugin that scores; undefined where the default says the same. */
function strategyOf(entries: readonly SourceNode[], context: ArgsContext): MapNode | undefined {
  const { active, version, report } = context;
  if (!version.hasOwnAllocationPlugins) return undefined;
  let found: SourceNode | undefined;
  for (const entry of entries) {
    const name = nameOf(entry) ?? '';
    if (name === active) found = entryOf(entry, 'args');
    else if (ALLOCATION_PLUGINS.has(name)) {
      report.warn(nodeAt(entry, 'name'), `${name} does not score: its args have no effect and are left out`);
    }
  }
  const type = ALLOCATION_PLUGINS.get(active ?? '');
  if (type === undefined || (type === 'LeastAllocated' && found === undefined)) return undefined;
  return strategyNode(type, found ?? { path: '', line: 1, kind: 'map', entries: new Map() });
}

/** Fields that no strategy has stay, for the reader to refuse. */
function strategyNode(type: string, args: SourceNode): MapNode {
  const fields = args.kind === 'map' ? args : mapNode({}, args);
  const shape = fields.entries.get('shape');
  const rest = withEntries(fields, { apiVersion: undefined, kind: undefined, shape: undefined });
  const typed = mapNode({ type: scalarNode(type, args) }, args);
  return {
    ...typed,
    entries: new Map([
      ...typed.entries,
      ...rest.entries,
      ...(shape === undefined ? [] : [['requestedToCapacityRatio', mapNode({ shape }, shape)] as const]),
    ]),
  };
}

function withStrategy(
  entries: readonly SourceNode[],
  scoringStrategy: MapNode,
  at: Pick<SourceNode, 'path' | 'line'>,
): readonly SourceNode[] {
  const own = entries.find((entry) => nameOf(entry) === FIT);
  const args = entryOf(own, 'args');
  const base = args?.kind === 'map' ? args : mapNode({}, scoringStrategy);
  const entry = mapNode(
    { name: scalarNode(FIT, own ?? at), args: withEntries(base, { scoringStrategy }) },
    own ?? at,
  );
  return own === undefined ? [...entries, entry] : entries.map((each) => (each === own ? entry : each));
}
