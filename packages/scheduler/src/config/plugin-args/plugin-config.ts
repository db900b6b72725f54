import { nearestName } from '@catamaran/platform';
import type { ArgsOutcome, ArgsValidator } from '../../core/config/args-validator.js';
import { catalogueEntry, PLUGIN_CATALOGUE, REMOVED_PLUGINS } from '../../core/config/plugin-catalogue.js';
import { isNull, listReader, objectReader, type Report, readString } from '../reading.js';
import { type MapNode, nodeAt, plainValue, type SourceNode } from '../source-node.js';
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
  context: ArgsSetting & { readonly enabled: ReadonlySet<string> },
): Readonly<Record<string, unknown>> {
  const { enabled, validators, report } = context;
  const args = new Map<string, unknown>();
  const put = (name: string, value: unknown): void => {
    if (value !== undefined) args.set(name, value);
  };
  const entries = node === undefined ? [] : (listReader(readEntry)(node, report) ?? []);
  entries.forEach(({ name, nameNode, argsNode }, index) => {
    if (entries.findIndex((entry) => entry.name === name) < index) {
      report.problem(nameNode, `repeated config for plugin ${name}: keep one of them`);
      return;
    }
    const given = argsNode === undefined || isNull(argsNode) ? undefined : argsNode;
    put(name, readArgs(name, { ...context, given, nameNode }));
  });
  for (const name of enabled) {
    if (!args.has(name) && (STANDARD_ARGS.has(name) || validators.has(name))) {
      put(name, readArgs(name, { ...context, given: undefined, nameNode: node ?? EMPTY_ARGS }));
    }
  }
  return Object.fromEntries(args);
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
    report.problem(node, 'name is missing: write the plugin whose args these are');
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
    reportOutcome(outcome, body ?? nameNode, report);
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

function reportOutcome(outcome: ArgsOutcome, root: SourceNode, report: Report): void {
  const place = (path: string): Pick<SourceNode, 'path' | 'line'> => ({
    path: path === '' ? root.path : `${root.path}.${path}`,
    line: nodeAt(root, path).line,
  });
  for (const { path, text } of outcome.warnings) {
    report.warn(place(path), text);
  }
  for (const { path, text } of outcome.ok ? [] : outcome.problems) {
    report.problem(place(path), text);
  }
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
