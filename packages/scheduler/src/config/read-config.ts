import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import type { PluginValidators } from './plugin-args/plugin-config.js';
import {
  effectiveClientConnection,
  effectiveLeaderElection,
  readClientConnectionFields,
  readLeaderElectionFields,
} from './process-sections.js';
import { readProfiles } from './profiles.js';
import { integerReader, isNull, objectReader, type Report, readBoolean } from './reading.js';
import { type MapNode, placeOf, type SourceNode } from './source-node.js';

/** What a file without a word stands for. */
export const EMPTY_FILE: MapNode = { kind: 'map', entries: new Map(), path: '', line: 1 };

const keepNode = (node: SourceNode): SourceNode => node;

const readTopLevel = objectReader({
  apiVersion: keepNode,
  kind: keepNode,
  parallelism: integerReader({ min: 1 }),
  leaderElection: keepNode,
  clientConnection: keepNode,
  enableProfiling: readBoolean,
  enableContentionProfiling: readBoolean,
  percentageOfNodesToScore: integerReader({ min: 0, max: 100 }),
  podInitialBackoffSeconds: integerReader({ min: 1 }),
  podMaxBackoffSeconds: integerReader({ min: 1 }),
  profiles: keepNode,
  extenders: keepNode,
  delayCacheUntilActive: readBoolean,
});

/** The effective configuration of a v1 file, whose kind and version are right. */
export function readConfig(
  root: MapNode,
  context: { readonly validators: PluginValidators },
  report: Report,
): SchedulerConfig {
  const fields = readTopLevel(root, report);
  const section = (name: 'leaderElection' | 'clientConnection'): SourceNode => fields?.[name] ?? EMPTY_FILE;
  const percentageOfNodesToScore = fields?.percentageOfNodesToScore;
  const config: SchedulerConfig = {
    parallelism: fields?.parallelism ?? 16,
    leaderElection: effectiveLeaderElection(
      readLeaderElectionFields(section('leaderElection'), report),
      section('leaderElection'),
      report,
    ),
    clientConnection: effectiveClientConnection(
      readClientConnectionFields(section('clientConnection'), report),
      section('clientConnection'),
      report,
    ),
    enableProfiling: fields?.enableProfiling ?? true,
    enableContentionProfiling: fields?.enableContentionProfiling ?? true,
    percentageOfNodesToScore,
    podInitialBackoffSeconds: fields?.podInitialBackoffSeconds ?? 1,
    podMaxBackoffSeconds: fields?.podMaxBackoffSeconds ?? 10,
    delayCacheUntilActive: fields?.delayCacheUntilActive ?? false,
    profiles: readProfiles(fields?.profiles, { ...context, percentageOfNodesToScore }, report),
  };
  checkBackoff(config, root, report);
  refuseExtenders(fields?.extenders, report);
  return config;
}

function checkBackoff(config: SchedulerConfig, root: MapNode, report: Report): void {
  const { podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max } = config;
  const isReported = ['podInitialBackoffSeconds', 'podMaxBackoffSeconds'].some((field) =>
    report.isReported(field),
  );
  if (max < initial && !isReported) {
    report.problem(
      placeOf(root, 'podMaxBackoffSeconds'),
      `${max} must not be below podInitialBackoffSeconds ${initial}`,
    );
  }
}

function refuseExtenders(node: SourceNode | undefined, report: Report): void {
  if (node === undefined || isNull(node) || (node.kind === 'list' && node.items.length === 0)) {
    return;
  }
  report.problem(
    node,
    node.kind === 'list'
      ? 'calling extenders is not built yet: remove the list, or keep these pods with kube-scheduler'
      : 'expected a list: begin each entry with "- "',
  );
}
