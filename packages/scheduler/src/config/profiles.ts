import type { ProfileConfig } from '../core/config/scheduler-config.js';
import { type PluginValidators, readPluginConfig } from './plugin-args/plugin-config.js';
import { readProfilePlugins } from './profile-plugins.js';
import { integerReader, listReader, objectReader, type Report, readString } from './reading.js';
import { nodeAt, type SourceNode } from './source-node.js';

const DEFAULT_SCHEDULER_NAME = 'default-scheduler';

export interface ProfileDefaults {
  readonly percentageOfNodesToScore: number | undefined;
  readonly validators: PluginValidators;
}

const EMPTY_PROFILE: SourceNode = { kind: 'map', entries: new Map(), path: 'profiles[0]', line: 1 };

const keepNode = (node: SourceNode): SourceNode => node;

const readFields = objectReader({
  schedulerName: readString,
  percentageOfNodesToScore: integerReader({ min: 0, max: 100 }),
  plugins: keepNode,
  pluginConfig: keepNode,
});

/** Reads `profiles`; without any there is the one that kube-scheduler would run. */
export function readProfiles(
  node: SourceNode | undefined,
  defaults: ProfileDefaults,
  report: Report,
): readonly ProfileConfig[] {
  const listed = node === undefined ? [] : (listReader(keepNode)(node, report) ?? []);
  const nodes = listed.length === 0 ? [EMPTY_PROFILE] : listed;
  const names = nodes.map((profile) => profileName(profile, nodes.length));
  reportDuplicates(nodes, names, report);
  const profiles = nodes
    .map((profile, index) => readProfile(profile, names[index] ?? '', { ...defaults, report }))
    .filter((profile) => profile !== undefined);
  reportNameless(nodes, names, report);
  checkSameQueueSort(profiles, node ?? EMPTY_PROFILE, report);
  return profiles;
}

/** Empty where there is none to be had. */
function profileName(profile: SourceNode, count: number): string {
  const node = profile.kind === 'map' ? profile.entries.get('schedulerName') : undefined;
  const name = node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  return name === '' && profile.kind === 'map' && count === 1 ? DEFAULT_SCHEDULER_NAME : name;
}

function reportNameless(nodes: readonly SourceNode[], names: readonly string[], report: Report): void {
  nodes.forEach(({ path, line }, index) => {
    const at = { path: `${path}.schedulerName`, line };
    if (names[index] === '' && !report.isReported(at.path)) {
      report.problem(at, 'is needed when there are several profiles');
    }
  });
}

function reportDuplicates(nodes: readonly SourceNode[], names: readonly string[], report: Report): void {
  names.forEach((name, index) => {
    const first = names.indexOf(name);
    const at = nodes[index];
    if (name !== '' && first < index && at !== undefined) {
      report.problem(nodeAt(at, 'schedulerName'), `"${name}" is a duplicate of profiles[${first}]`);
    }
  });
}

function readProfile(
  node: SourceNode,
  schedulerName: string,
  context: ProfileDefaults & { readonly report: Report },
): ProfileConfig | undefined {
  const fields = readFields(node, context.report);
  if (fields === undefined) {
    return undefined;
  }
  const plugins = readProfilePlugins(fields.plugins, { schedulerName, profile: node }, context.report);
  const enabled = new Set(Object.values(plugins).flatMap((choices) => choices.map(({ name }) => name)));
  return {
    schedulerName,
    percentageOfNodesToScore: fields.percentageOfNodesToScore ?? context.percentageOfNodesToScore,
    plugins,
    pluginArgs: readPluginConfig(fields.pluginConfig, { ...context, enabled, profile: node }),
  };
}

function checkSameQueueSort(profiles: readonly ProfileConfig[], at: SourceNode, report: Report): void {
  const sorters = profiles.map(({ plugins }) => plugins.queueSort).filter(({ length }) => length === 1);
  if (new Set(sorters.map(([sorter]) => sorter?.name)).size > 1) {
    report.problem(at, 'queueSort must be the same in all profiles');
  }
}
