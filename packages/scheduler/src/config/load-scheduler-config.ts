import { maskSecrets, nearestName } from '@catamaran/platform';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import { documentText } from './document-text.js';
import { parseSource } from './parse-source.js';
import type { PluginValidators } from './plugin-args/plugin-config.js';
import { pluginValidators } from './plugin-args/plugin-validators.js';
import { EMPTY_FILE, readConfig } from './read-config.js';
import { Report } from './reading.js';
import { type MapNode, placeOf, plainValue, type SourceNode, type SourceProblem } from './source-node.js';
import { KIND, OLD_VERSIONS, type OldVersion, SUPPORTED_VERSIONS, V1 } from './versions/api-versions.js';
import { convertToV1 } from './versions/convert-to-v1.js';
import { withoutGonePlugins } from './versions/gone-plugins.js';

export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: SchedulerConfig;
      /** The file as v1 has it, secrets and all. */
      readonly document: unknown;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[]; readonly warnings: readonly string[] };

/** Longer files are converted, but not shown in a warning. */
const MAX_SHOWN = 16_384;

/**
 * Reads a KubeSchedulerConfiguration strictly: raw text to the effective, frozen configuration. Versions before v1
 * are converted first.
 * @param path names the file in messages.
 * @returns everything that is wrong at once; each text has the path of the value, what is wrong, the remedy, file and
 * line. The warning about an old version goes on with the file to write instead, secrets masked.
 */
export function loadSchedulerConfig(
  text: string,
  path: string,
  validators: PluginValidators = pluginValidators(),
): LoadedConfig {
  const { config, v1, problems, warnings } = read(text, validators);
  const remarks = { warnings: rendered(warnings, path) };
  return config === undefined || v1 === undefined || problems.length > 0
    ? { ok: false, problems: rendered(problems, path), ...remarks }
    : { ok: true, config: deepFreeze(config), document: plainValue(v1), ...remarks };
}

export type ConvertedConfig =
  | { readonly ok: true; readonly document: unknown; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[]; readonly warnings: readonly string[] };

/** The same configuration as a v1 document, secrets and all; nothing where the scheduler would not take it. */
export function convertSchedulerConfig(
  text: string,
  path: string,
  validators: PluginValidators = pluginValidators(),
): ConvertedConfig {
  const { config, v1, problems, warnings } = read(text, validators);
  // What the file to write instead looks like is what this answers.
  const remarks = {
    warnings: rendered(
      warnings.map(({ path: where, line, text: what }) => ({ path: where, line, text: what })),
      path,
    ),
  };
  return config === undefined || v1 === undefined || problems.length > 0
    ? { ok: false, problems: rendered(problems, path), ...remarks }
    : { ok: true, document: plainValue(withoutGonePlugins(v1)), ...remarks };
}

interface ReadFile {
  readonly config: SchedulerConfig | undefined;
  /** The file as v1 has it. */
  readonly v1: MapNode | undefined;
  readonly problems: readonly SourceProblem[];
  readonly warnings: readonly SourceProblem[];
}

function read(text: string, validators: PluginValidators): ReadFile {
  const report = new Report();
  const source = parseSource(text);
  report.problems.push(...source.problems);
  if (source.root === undefined && source.problems.length === 0) {
    report.problem(EMPTY_FILE, 'the file is empty: expected a KubeSchedulerConfiguration');
  }
  const v1 = source.root === undefined ? undefined : asV1(source.root, report);
  const config = v1 === undefined ? undefined : readConfig(v1, { validators }, report);
  return { config, v1, problems: report.problems, warnings: report.warnings };
}

/** In the order of the file. */
function rendered(problems: readonly SourceProblem[], file: string): readonly string[] {
  return problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ path, line, text, remedy = '', appendix }) => {
      const said = `${path === '' ? '' : `${path}: `}${text}${remedy} (${file}, line ${line})`;
      return appendix === undefined ? said : `${said}:\n${appendix}`;
    });
}

/** What runs without a configuration file: kube-scheduler's defaults. */
export function defaultSchedulerConfig(validators: PluginValidators = pluginValidators()): SchedulerConfig {
  return deepFreeze(readConfig(EMPTY_FILE, { validators }, new Report()));
}

function asV1(root: SourceNode, report: Report): MapNode | undefined {
  if (root.kind !== 'map') {
    report.problem(root, `expected a ${KIND}, got ${root.kind === 'list' ? 'a list' : 'a single value'}`);
    return undefined;
  }
  const version = readVersion(root, report);
  if (version === undefined || version === V1) return version && root;
  const converted = convertToV1(root, version, report);
  warnOfVersion(version, { root, converted }, report);
  return converted;
}

/** With another kind or version the rest would be noise, so reading ends here. */
function readVersion(root: MapNode, report: Report): OldVersion | typeof V1 | undefined {
  const kind = textOf(root.entries.get('kind'));
  const version = textOf(root.entries.get('apiVersion'));
  if (kind !== KIND) {
    const near =
      kind !== undefined && nearestName(kind, [KIND]) !== undefined ? `: did you mean ${KIND}?` : '';
    const text =
      kind === undefined
        ? `Object 'Kind' is missing: write kind: ${KIND}`
        : `"${kind}" is not ${KIND}${near}`;
    report.problem(placeOf(root, 'kind'), text);
  }
  const known = version === V1 ? V1 : OLD_VERSIONS.get(version ?? '');
  if (known === undefined) report.problem(placeOf(root, 'apiVersion'), versionText(version));
  return kind === KIND ? known : undefined;
}

function versionText(version: string | undefined): string {
  return version === undefined
    ? `Object 'apiVersion' is missing: supported are ${SUPPORTED_VERSIONS}`
    : `no kind "${KIND}" is registered for version "${version}": supported are ${SUPPORTED_VERSIONS}`;
}

function warnOfVersion(
  { apiVersion, goneSince }: OldVersion,
  { root, converted }: { readonly root: MapNode; readonly converted: MapNode },
  report: Report,
): void {
  const shown = documentText(maskSecrets(plainValue(converted)));
  const isShort = shown.length <= MAX_SHOWN;
  report.warnings.push({
    ...placeOf(root, 'apiVersion'),
    text: `${apiVersion} is gone from kube-scheduler ${goneSince} on, and read with its own defaults`,
    remedy: `; catamaran config convert writes the ${V1} file to use instead`,
    ...(isShort ? { appendix: shown } : {}),
  });
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
