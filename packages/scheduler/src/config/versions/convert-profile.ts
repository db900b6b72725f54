import { catalogueEntry } from '../../core/config/plugin-catalogue.js';
import { isNull, type Report } from '../reading.js';
import type { MapNode, SourceNode } from '../source-node.js';
import { type AllocationStrategy, convertAllocation } from './allocation-plugins.js';
import type { OldVersion } from './api-versions.js';
import { convertPluginConfig } from './convert-plugin-config.js';
import {
  entryOf,
  itemsOf,
  listNode,
  mapNode,
  named,
  nameOf,
  scalarNode,
  withEntries,
} from './edited-source.js';
import { dropGonePlugins } from './gone-plugins.js';

/** A profile of an older version, in v1. */
export function convertProfile(profile: MapNode, version: OldVersion, report: Report): MapNode {
  const given = profile.entries.get('plugins');
  const plugins =
    given === undefined || isNull(given)
      ? mapNode({}, { ...profile, path: `${profile.path}.plugins` })
      : given;
  if (plugins.kind !== 'map') return profile;
  refuseMultiPoint(plugins, version, report);
  const allocation: AllocationStrategy = version.hasOwnAllocationPlugins
    ? convertAllocation(entryOf(plugins, 'score'), plugins, report)
    : { score: undefined, active: undefined };
  const scored = allocation.score === undefined ? plugins : withEntries(plugins, { score: allocation.score });
  const converted = withOldWeights(dropGonePlugins(scored, version, report), version);
  const pluginConfig = convertPluginConfig(profile, { version, active: allocation.active, report });
  return withEntries(profile, {
    ...(converted.entries.size === 0 ? {} : { plugins: converted }),
    ...(pluginConfig === undefined ? {} : { pluginConfig }),
  });
}

function refuseMultiPoint(plugins: MapNode, version: OldVersion, report: Report): void {
  const multiPoint = plugins.entries.get('multiPoint');
  if (multiPoint !== undefined && !version.hasMultiPoint) {
    report.problem(multiPoint, `${version.apiVersion} has no multiPoint: enable the plugins point by point`);
  }
}

/** Writes out the weights that the version gives to default score plugins, where nobody gave another. */
function withOldWeights(plugins: MapNode, { weights }: OldVersion): MapNode {
  const score = plugins.entries.get('score');
  const [enabled, disabled] = [itemsOf(entryOf(score, 'enabled')), itemsOf(entryOf(score, 'disabled'))];
  if (named(disabled, '*') !== undefined) return plugins;
  const kept = Object.entries(weights).filter(
    ([name]) =>
      catalogueEntry(name)?.built === true &&
      [...enabled, ...disabled].every((entry) => nameOf(entry) !== name),
  );
  if (kept.length === 0) return plugins;
  const at = { path: `${plugins.path}.multiPoint`, line: plugins.line };
  const entries = kept.map(([name, weight]) => pluginEntry(name, weight, at));
  return withEntries(plugins, { multiPoint: mapNode({ enabled: listNode(entries, at) }, at) });
}

function pluginEntry(name: string, weight: number, at: Pick<SourceNode, 'path' | 'line'>): MapNode {
  return mapNode({ name: scalarNode(name, at), weight: scalarNode(weight, at) }, at);
}
