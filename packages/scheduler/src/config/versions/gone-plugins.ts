import { REMOVED_PLUGINS } from '../../core/config/plugin-catalogue.js';
import type { Report } from '../reading.js';
import { type MapNode, nodeAt, type SourceNode } from '../source-node.js';
import type { OldVersion } from './api-versions.js';
import { entryOf, itemsOf, listNode, nameOf, withEntries } from './edited-source.js';

/** Plugins that can be left out without a loss, with what does their work now. */
const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ['SelectorSpread', 'PodTopologySpread of the default set'],
  ['DefaultPodTopologySpread', 'PodTopologySpread of the default set'],
  ['EBSLimits', 'NodeVolumeLimits of the default set'],
  ['GCEPDLimits', 'NodeVolumeLimits of the default set'],
  ['AzureDiskLimits', 'NodeVolumeLimits of the default set'],
  ['CinderLimits', 'NodeVolumeLimits of the default set'],
]);

/** Part of the default set of v1beta1 only; acts on an annotation of nodes that hardly anybody sets. */
const AVOIDED_PODS = 'NodePreferAvoidPods';

/**
 * Takes plugins that v1 no longer has out of all points: disabled ones, and those whose work another default plugin
 * does. Others stay, for the reader to refuse with their replacement.
 */
export function dropGonePlugins(plugins: MapNode, version: OldVersion, report: Report): MapNode {
  const points = [...plugins.entries].map(([point, set]): [string, SourceNode] => {
    if (set.kind !== 'map') return [point, set];
    const enabled = kept(set, 'enabled', (entry) => isKept(entry, version, report));
    const disabled = kept(set, 'disabled', (entry) => isStillThere(entry, version, report));
    return [point, withEntries(set, { ...enabled, ...disabled })];
  });
  return { ...plugins, entries: new Map(points) };
}

function kept(
  set: MapNode,
  field: 'enabled' | 'disabled',
  isWanted: (entry: SourceNode) => boolean,
): Readonly<Record<string, SourceNode | undefined>> {
  const list = entryOf(set, field);
  const items = itemsOf(list).filter(isWanted);
  if (list === undefined || items.length === itemsOf(list).length) return {};
  return { [field]: items.length === 0 ? undefined : listNode(items, list) };
}

function isKept(entry: SourceNode, version: OldVersion, report: Report): boolean {
  const name = nameOf(entry) ?? '';
  const replacement =
    name === AVOIDED_PODS && version.hasOwnAllocationPlugins ? 'taints of nodes' : LEFT_OUT.get(name);
  if (replacement === undefined) return true;
  report.warn(
    nodeAt(entry, 'name'),
    `plugin "${name}" is left out, it is gone: its work is done by ${replacement}`,
  );
  return false;
}

/** A v1 file without disabled plugins that no version has any more; a misspelt name stays, for people to correct. */
export function withoutGonePlugins(root: MapNode): MapNode {
  const profiles = root.entries.get('profiles');
  if (profiles?.kind !== 'list') return root;
  const items = profiles.items.map((profile) => {
    const plugins = entryOf(profile, 'plugins');
    if (profile.kind !== 'map' || plugins?.kind !== 'map') return profile;
    const points = [...plugins.entries].map(([point, set]): [string, SourceNode] => [
      point,
      set.kind === 'map' ? withEntries(set, kept(set, 'disabled', isThere)) : set,
    ]);
    return withEntries(profile, { plugins: { ...plugins, entries: new Map(points) } });
  });
  return withEntries(root, { profiles: listNode(items, profiles) });
}

function isThere(entry: SourceNode): boolean {
  return !REMOVED_PLUGINS.has(nameOf(entry) ?? '');
}

/** v1beta1 files disable them with good reason, so nothing is said there. */
function isStillThere(entry: SourceNode, version: OldVersion, report: Report): boolean {
  if (isThere(entry)) return true;
  const name = nameOf(entry) ?? '';
  if (!version.hasOwnAllocationPlugins) report.warn(nodeAt(entry, 'name'), goneText(name));
  return false;
}

function goneText(name: string): string {
  return `disabling "${name}" has no effect since v1beta2: the plugin no longer exists`;
}
