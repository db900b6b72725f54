import { nearestName } from '@catamaran/platform';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import type { PluginValidators } from './plugin-args/plugin-config.js';
import { pluginValidators } from './plugin-args/plugin-validators.js';
import {
  effectiveClientConnection,
  effectiveLeaderElection,
  readClientConnectionFields,
  readLeaderElectionFields,
} from './process-sections.js';
import { readProfiles } from './profiles.js';
import { integerReader, isNull, objectReader, Report, readBoolean } from './reading.js';
import { type MapNode, parseSource, type SourceNode, type SourceProblem } from './source-node.js';

export type LoadedConfig =
  | { readonly ok: true; readonly config: SchedulerConfig; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[]; readonly warnings: readonly string[] };

const GROUP = 'kubescheduler.config.k8s.io';
const KIND = 'KubeSchedulerConfiguration';
const VERSION = `${GROUP}/v1`;
/** Same fields, same default plugins and weights as v1. */
const V1BETA3 = `${GROUP}/v1beta3`;
/** Other default weights, other plugins. */
const OLDER_VERSIONS = [`${GROUP}/v1beta1`, `${GROUP}/v1beta2`];

const EMPTY_FILE: MapNode = { kind: 'map', entries: new Map(), path: '', line: 1 };

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

/**
 * Reads a KubeSchedulerConfiguration strictly: raw text to the effective, frozen configuration.
 * @param path names the file in messages.
 * @returns everything that is wrong at once; each text has the path of the value, what is wrong, the remedy, file and
 * line.
 */
export function loadSchedulerConfig(
  text: string,
  path: string,
  validators: PluginValidators = pluginValidators(),
): LoadedConfig {
  const render = ({ path: where, line, text: what }: SourceProblem): string =>
    `${where === '' ? '' : `${where}: `}${what} (${path}, line ${line})`;
  const report = new Report();
  const source = parseSource(text);
  report.problems.push(...source.problems);
  if (source.root === undefined && source.problems.length === 0) {
    report.problem(EMPTY_FILE, 'the file is empty: expected a KubeSchedulerConfiguration');
  }
  const config = source.root === undefined ? undefined : readFile(source.root, validators, report);
  const warnings = inFileOrder(report.warnings).map(render);
  return config === undefined || report.problems.length > 0
    ? { ok: false, problems: inFileOrder(report.problems).map(render), warnings }
    : { ok: true, config: deepFreeze(config), warnings };
}

function inFileOrder(problems: readonly SourceProblem[]): readonly SourceProblem[] {
  return problems.toSorted((a, b) => a.line - b.line);
}

/** What runs without a configuration file: kube-scheduler's defaults. */
export function defaultSchedulerConfig(validators: PluginValidators = pluginValidators()): SchedulerConfig {
  return deepFreeze(readConfig(EMPTY_FILE, { validators, apiVersion: VERSION }, new Report()));
}

function readFile(
  root: SourceNode,
  validators: PluginValidators,
  report: Report,
): SchedulerConfig | undefined {
  if (root.kind !== 'map') {
    report.problem(root, `expected a ${KIND}, got ${root.kind === 'list' ? 'a list' : 'a single value'}`);
    return undefined;
  }
  const apiVersion = readVersion(root, report);
  return apiVersion === undefined ? undefined : readConfig(root, { validators, apiVersion }, report);
}

/** With another kind or version the rest would be noise, so reading ends here. */
function readVersion(root: MapNode, report: Report): string | undefined {
  const kind = textOf(root.entries.get('kind'));
  const version = textOf(root.entries.get('apiVersion'));
  if (kind !== KIND) {
    const near =
      kind !== undefined && nearestName(kind, [KIND]) !== undefined ? `: did you mean ${KIND}?` : '';
    const text =
      kind === undefined
        ? `Object 'Kind' is missing: write kind: ${KIND}`
        : `"${kind}" is not ${KIND}${near}`;
    report.problem(place(root, 'kind'), text);
  }
  if (version === V1BETA3) {
    report.warn(
      place(root, 'apiVersion'),
      `${V1BETA3} is gone from kube-scheduler 1.29 on: write ${VERSION}`,
    );
  } else if (version !== VERSION) {
    report.problem(place(root, 'apiVersion'), versionText(version));
  }
  return kind === KIND && (version === VERSION || version === V1BETA3) ? version : undefined;
}

function versionText(version: string | undefined): string {
  const supported = `supported are ${VERSION} and ${V1BETA3}`;
  if (version === undefined) {
    return `Object 'apiVersion' is missing: ${supported}`;
  }
  return OLDER_VERSIONS.includes(version)
    ? `${version} is not read yet, since its default plugins and weights differ: ${supported}`
    : `no kind "${KIND}" is registered for version "${version}": ${supported}`;
}

interface FileContext {
  readonly validators: PluginValidators;
  readonly apiVersion: string;
}

function readConfig(root: MapNode, context: FileContext, report: Report): SchedulerConfig {
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
  if (max < initial) {
    report.problem(
      place(root, 'podMaxBackoffSeconds'),
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

function place(root: MapNode, field: string): Pick<SourceNode, 'path' | 'line'> {
  return { path: field, line: root.entries.get(field)?.line ?? root.line };
}

function textOf(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : undefined;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
