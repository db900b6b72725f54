import type { Report } from '../reading.js';
import { isNull } from '../reading.js';
import type { MapNode, SourceNode } from '../source-node.js';
import { type OldVersion, V1 } from './api-versions.js';
import { convertProfile } from './convert-profile.js';
import { entryOf, listNode, mapNode, scalarNode, textOf, withEntries } from './edited-source.js';

/** Locks that election once took; leases are what is left. */
const OLD_LOCKS = ['endpoints', 'configmaps', 'endpointsleases', 'configmapsleases'];
const DEFAULT_SCHEDULER_NAME = 'default-scheduler';

/**
 * The same configuration in v1: what older versions meant by default is written out, what is gone is left out with a
 * warning. What is no configuration at all stays as it is, for the reader to refuse.
 */
export function convertToV1(root: MapNode, version: OldVersion, report: Report): MapNode {
  const withoutAddresses = version.hasBindAddresses ? dropBindAddresses(root, report) : root;
  const leaderElection = convertElection(root.entries.get('leaderElection'), report);
  return withEntries(withoutAddresses, {
    apiVersion: scalarNode(V1, root.entries.get('apiVersion') ?? root),
    ...(leaderElection === undefined ? {} : { leaderElection }),
    ...convertProfiles(root, version, report),
  });
}

function convertProfiles(
  root: MapNode,
  version: OldVersion,
  report: Report,
): { readonly profiles?: SourceNode } {
  const profiles = root.entries.get('profiles');
  const isAbsent =
    profiles === undefined || isNull(profiles) || (profiles.kind === 'list' && profiles.items.length === 0);
  if (isAbsent) return defaultProfile(root, version, report);
  if (profiles.kind !== 'list') return {};
  const items = profiles.items.map((item) =>
    item.kind === 'map' ? convertProfile(item, version, report) : item,
  );
  return { profiles: listNode(items, profiles) };
}

/** The profile that runs where none is written, if its defaults are not those of v1. */
function defaultProfile(
  root: MapNode,
  version: OldVersion,
  report: Report,
): { readonly profiles?: SourceNode } {
  const at = { path: 'profiles[0]', line: root.line };
  const written = mapNode({ schedulerName: scalarNode(DEFAULT_SCHEDULER_NAME, at) }, at);
  const converted = convertProfile(written, version, report);
  return converted.entries.size === written.entries.size ? {} : { profiles: listNode([converted], at) };
}

function dropBindAddresses(root: MapNode, report: Report): MapNode {
  for (const field of ['healthzBindAddress', 'metricsBindAddress']) {
    const node = root.entries.get(field);
    const address = textOf(node);
    if (node === undefined || address === undefined || address === '' || /(?:^|:)0$/.test(address)) continue;
    const flags =
      field === 'healthzBindAddress'
        ? 'probes are answered at --secure-port, in the clear with --address and --port'
        : 'metrics are served at --secure-port';
    report.warn(node, `"${address}" has no effect, the field is gone: ${flags}`);
  }
  return withEntries(root, { healthzBindAddress: undefined, metricsBindAddress: undefined });
}

function convertElection(node: SourceNode | undefined, report: Report): SourceNode | undefined {
  const lock = entryOf(node, 'resourceLock');
  if (node?.kind !== 'map' || lock === undefined || !OLD_LOCKS.includes(textOf(lock) ?? '')) return undefined;
  report.warn(lock, `"${textOf(lock)}" is gone from Kubernetes 1.24 on: leases are used`);
  return withEntries(node, { resourceLock: scalarNode('leases', lock) });
}
