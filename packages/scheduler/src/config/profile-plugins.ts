import { nearestName } from '@catamaran/platform';
import { EXTENSION_POINTS, type ExtensionPoint, pointTitle } from '../core/config/extension-point.js';
import { catalogueEntry, PLUGIN_CATALOGUE, REMOVED_PLUGINS } from '../core/config/plugin-catalogue.js';
import {
  type ExpandedPlugins,
  expandPlugins,
  type PluginChoice,
  type PluginSet,
} from '../core/config/plugin-set.js';
import {
  integerReader,
  listReader,
  objectReader,
  type Reader,
  type Report,
  readString,
  type Shape,
} from './reading.js';
import { nodeAt, type SourceNode } from './source-node.js';

const MAX_WEIGHT = 2 ** 31 - 1;

interface NamedNode extends PluginChoice {
  readonly node: SourceNode;
}

const readEnabled: Reader<NamedNode> = (node, report) => {
  const fields = objectReader({ name: readString, weight: integerReader({ min: 0, max: MAX_WEIGHT }) })(
    node,
    report,
  );
  return named(fields?.name, node, report) && { name: fields?.name ?? '', weight: fields?.weight ?? 0, node };
};

/** `weight` is in kube-scheduler's type for both lists; it says nothing in `disabled`. */
const readDisabled: Reader<NamedNode> = readEnabled;

function named(name: string | undefined, node: SourceNode, report: Report): true | undefined {
  if (name === undefined || name === '') {
    if (node.kind === 'map') {
      report.missing(node, 'name', 'name is missing: write the plugin');
    }
    return undefined;
  }
  return true;
}

const readSet = objectReader({ enabled: listReader(readEnabled), disabled: listReader(readDisabled) });

const POINT_KEYS: readonly (ExtensionPoint | 'multiPoint')[] = [...EXTENSION_POINTS, 'multiPoint'];

const readPoints = objectReader(
  Object.fromEntries(POINT_KEYS.map((point) => [point, readSet])) as Readonly<
    Record<ExtensionPoint | 'multiPoint', typeof readSet>
  > satisfies Shape,
);

/** Reads a profile's `plugins`, checks every name and expands them. */
export function readProfilePlugins(
  node: SourceNode | undefined,
  at: { readonly schedulerName: string; readonly profile: SourceNode },
  report: Report,
): ExpandedPlugins {
  const points = node === undefined ? undefined : readPoints(node, report);
  const plugins: Partial<Record<ExtensionPoint | 'multiPoint', PluginSet>> = {};
  for (const point of POINT_KEYS) {
    const set = points?.[point];
    if (set !== undefined) {
      plugins[point] = {
        enabled: (set.enabled ?? []).filter((choice, index, all) =>
          checkEnabled(point, { choice, index, all }, report),
        ),
        disabled: (set.disabled ?? []).map((choice) => checkDisabled(choice, report)),
      };
    }
  }
  const expanded = expandPlugins(plugins);
  checkIndispensable(expanded, { ...at, node: node ?? at.profile }, report);
  return expanded;
}

function checkEnabled(
  point: ExtensionPoint | 'multiPoint',
  {
    choice,
    index,
    all,
  }: { readonly choice: NamedNode; readonly index: number; readonly all: readonly NamedNode[] },
  report: Report,
): boolean {
  const at = nodeAt(choice.node, 'name');
  const text = enabledProblem(point, choice.name) ?? repeatedProblem(point, { choice, index, all });
  if (text !== undefined) {
    report.problem(at, text);
  }
  return text === undefined;
}

function enabledProblem(point: ExtensionPoint | 'multiPoint', name: string): string | undefined {
  const kind = `${point === 'multiPoint' ? 'MultiPoint' : pointTitle(point)}Plugin`;
  const entry = catalogueEntry(name);
  const replacement = REMOVED_PLUGINS.get(name);
  if (entry === undefined && replacement !== undefined) {
    return `plugin "${name}" was invalid in version "v1": use ${replacement}`;
  }
  if (entry === undefined) {
    const nearest = nearestPlugin(name);
    return `${kind} "${name}" does not exist${nearest === undefined ? '' : `: did you mean "${nearest}"?`}`;
  }
  if (!entry.built) {
    return `plugin "${name}" is not built yet in this scheduler: remove it here (the default set may keep it)`;
  }
  if (point !== 'multiPoint' && !entry.points.includes(point)) {
    return `plugin "${name}" does not extend ${pointTitle(point)} plugin: enable it at ${entry.points.join(', ')} or multiPoint`;
  }
  return undefined;
}

function repeatedProblem(
  point: ExtensionPoint | 'multiPoint',
  {
    choice,
    index,
    all,
  }: { readonly choice: NamedNode; readonly index: number; readonly all: readonly NamedNode[] },
): string | undefined {
  const first = all.findIndex(({ name }) => name === choice.name);
  const title = point === 'multiPoint' ? 'MultiPoint' : pointTitle(point);
  return first < index
    ? `plugin "${choice.name}" already registered as "${title}": keep one entry`
    : undefined;
}

/** kube-scheduler ignores unknown names here; we say so, since a typo leaves a plugin on. */
function checkDisabled(choice: NamedNode, report: Report): string {
  const { name, node } = choice;
  if (name !== '*' && catalogueEntry(name) === undefined) {
    const nearest = nearestPlugin(name);
    const hint = nearest === undefined ? '' : `, did you mean "${nearest}"?`;
    report.warn(
      nodeAt(node, 'name'),
      REMOVED_PLUGINS.has(name)
        ? `disabling "${name}" has no effect since v1beta2: the plugin no longer exists`
        : `disabling "${name}" has no effect: no such plugin${hint}`,
    );
  }
  return name;
}

function checkIndispensable(
  expanded: ExpandedPlugins,
  at: { readonly schedulerName: string; readonly node: SourceNode },
  report: Report,
): void {
  // What is misspelt may be what seems to be missing.
  if (report.isReported(at.node.path)) return;
  const sorters = expanded.queueSort.length;
  if (sorters !== 1) {
    report.problem(
      at.node,
      `only one queue sort plugin required for profile with scheduler name "${at.schedulerName}", but got ${sorters}: enable PrioritySort at queueSort`,
    );
  }
  if (expanded.bind.length === 0) {
    report.problem(
      at.node,
      `at least one bind plugin is needed for profile with scheduler name "${at.schedulerName}": enable DefaultBinder at bind`,
    );
  }
}

function nearestPlugin(name: string): string | undefined {
  return nearestName(
    name,
    PLUGIN_CATALOGUE.map((entry) => entry.name),
  );
}
