import { nearestName } from '@catamaran/platform';
import type { ArgsNote, ArgsOutcome, ArgsValidator } from '../../core/config/args-validator.js';
import { catalogueEntry, PLUGIN_CATALOGUE, REMOVED_PLUGINS } from '../../core/config/plugin-catalogue.js';
import { isNull, listReader, objectReader, Report, readString } from '../reading.js';
import { type MapNode, nodeAt, plainValue, type SourceNode, type SourceProblem } from '../source-node.js';
import { V1 } from '../versions/api-versions.js';
import { STANDARD_ARGS } from './standard-args.js';

/** Plugins that read their own arguments, by name. */
export type PluginValidators = ReadonlyMap<string, ArgsValidator>;

interface ArgsSetting {
  readonly validators: PluginValidators;
  readonly report: Report;
}

const EMPTY_ARGS: SourceNode = { kind: 'map', entries: new Map(), path: '', line: 1 };

/**
 * Reads `pluginConfig` and adds the default arguments of enabled plugins that it doesn't mention. Arguments of
 * plugins that are not enabled are checked all the same.
 */
export function readPluginConfig(
  node: SourceNode | undefined,
  context: ArgsSetting & { readonly enabled: ReadonlySet<string>; readonly profile: SourceNode },
): Readonly<Record<string, unknown>> {
  const { enabled, validators, report, profile } = context;
  const args = new Map<string, unknown>();
  const entries = node === undefined ? [] : (listReader(readEntry)(node, report) ?? []);
  // Where an entry can't be read, it may hold what seems to be missing.
  const ofAbsent = report.isReported(`${profile.path}.pluginConfig`) ? new Report() : report;
  entries.forEach(({ name, nameNode, argsNode }, index) => {
    if (entries.findIndex((entry) => entry.name === name) < index) {
      report.problem(nameNode, `repeated config for plugin ${name}: keep one of them`);
      return;
    }
    const given = argsNode === undefined || isNull(argsNode) ? undefined : argsNode;
    args.set(
      name,
      readArgs(name, { ...context, report: given === undefined ? ofAbsent : report, given, nameNode }),
    );
  });
  const at = node ?? { ...EMPTY_ARGS, path: `${profile.path}.pluginConfig`, line: profile.line };
  for (const name of enabled) {
    if (!args.has(name) && (STANDARD_ARGS.has(name) || validators.has(name))) {
      args.set(name, readArgs(name, { ...context, report: ofAbsent, given: undefined, nameNode: at }));
    }
  }
  return Object.fromEntries([...args].filter(([, value]) => value !== undefined));
}

interface Entry {
  readonly name: string;
  readonly nameNode: SourceNode;
  readonly argsNode: SourceNode | undefined;
}

function readEntry(node: SourceNode, report: Report): Entry | undefined {
  const fields = objectReader({ name: readString, args: (value) => value })(node, report);
  if (fields === undefined) {
    return undefined;
  }
  if (fields.name === undefined || fields.name === '') {
    report.missing(node, 'name', 'name is missing: write the plugin whose args these are');
    return undefined;
  }
  return { name: fields.name, nameNode: nodeAt(node, 'name'), argsNode: fields.args };
}

interface ArgsContext extends ArgsSetting {
  readonly given: SourceNode | undefined;
  readonly nameNode: SourceNode;
}

function readArgs(name: string, { given, nameNode, validators, report }: ArgsContext): unknown {
  const replacement = REMOVED_PLUGINS.get(name);
  if (replacement !== undefined) {
    report.problem(nameNode, `plugin ${name} was removed from kube-scheduler: use ${replacement}`);
    return undefined;
  }
  if (given !== undefined && given.kind !== 'map') {
    report.problem(given, 'expected a map of arguments');
    return undefined;
  }
  const body =
    given === undefined ? undefined : withoutKind(given, { kind: `${name}Args`, apiVersion: V1, report });
  const plain = body === undefined ? undefined : plainValue(body);
  const validate = validators.get(name);
  if (validate !== undefined) {
    const outcome = validate(plain);
    reportOutcome(
      outcome,
      { root: body ?? nameNode, prefix: body === undefined ? `${name}'s ` : '' },
      report,
    );
    return outcome.ok ? outcome.value : undefined;
  }
  const standard = STANDARD_ARGS.get(name);
  if (standard !== undefined) {
    return standard(body ?? EMPTY_ARGS, report);
  }
  warnUnread(name, nameNode, report);
  return plain;
}

function warnUnread(name: string, nameNode: SourceNode, report: Report): void {
  const entry = catalogueEntry(name);
  if (entry === undefined) {
    const nearest = nearestName(
      name,
      PLUGIN_CATALOGUE.map((known) => known.name),
    );
    report.warn(
      nameNode,
      `plugin "${name}" is not known${nearest === undefined ? '' : `, did you mean "${nearest}"?`}: its args have no effect`,
    );
  } else {
    report.warn(
      nameNode,
      `plugin ${name} ${entry.built ? 'takes no args' : 'is not built yet'}: its args have no effect`,
    );
  }
}

/** @param prefix where there are no args to point at: it begins the text, and the path follows. */
function reportOutcome(
  outcome: ArgsOutcome,
  { root, prefix }: { readonly root: SourceNode; readonly prefix: string },
  report: Report,
): void {
  const note = ({ path, text }: ArgsNote): SourceProblem => ({
    path: path === '' || prefix !== '' ? root.path : `${root.path}.${path}`,
    line: nodeAt(root, path).line,
    text: prefix === '' ? text : `${prefix}${path} ${text}`,
  });
  report.warnings.push(...outcome.warnings.map(note));
  if (!outcome.ok) report.problems.push(...outcome.problems.map(note));
}

/** `args` may name their own version and kind; both must be the plugin's. */
function withoutKind(
  args: MapNode,
  expected: { readonly kind: string; readonly apiVersion: string; readonly report: Report },
): MapNode {
  const entries = new Map(args.entries);
  for (const field of ['kind', 'apiVersion'] as const) {
    expectText(entries.get(field), { expected: expected[field], report: expected.report });
    entries.delete(field);
  }
  return { ...args, entries };
}

function expectText(
  node: SourceNode | undefined,
  { expected, report }: { readonly expected: string; readonly report: Report },
): void {
  const value = node === undefined ? undefined : readString(node, report);
  if (node !== undefined && value !== undefined && value !== expected) {
    report.problem(node, `expected ${expected}, got ${value}: correct it or leave it out`);
  }
}
