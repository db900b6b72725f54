import type { AbsenceReason } from '../figures/figures.js';
import { AMBIGUOUS, type Hit, hostOfInstance, type NodeIndex } from './node-index.js';

export type Labels = Readonly<Partial<Record<string, string>>>;

/** What info metrics say, as tables from a key to every node name seen for it. */
export interface InfoTables {
  /** `namespace/pod` → node, from kube_pod_info. */
  readonly nodesByPod: ReadonlyMap<string, ReadonlySet<string>>;
  /** Internal IP → node, from kube_node_info. */
  readonly nodesByIp: ReadonlyMap<string, ReadonlySet<string>>;
  /** `instance` → kernel host name, from node_uname_info. */
  readonly hostnamesByInstance: ReadonlyMap<string, ReadonlySet<string>>;
}

export const NO_INFO: InfoTables = {
  nodesByPod: new Map(),
  nodesByIp: new Map(),
  hostnamesByInstance: new Map(),
};

export type Resolution =
  | { readonly node: string; readonly rule: string }
  | { readonly node: undefined; readonly reason: AbsenceReason; readonly detail: string };

export interface MappingContext {
  /** Undefined where the nodes of the cluster are not known: names are then taken as they come. */
  readonly index: NodeIndex | undefined;
  readonly info: InfoTables;
  /** Asked before all others. */
  readonly configuredLabel?: string;
}

/**
 * Which node a series belongs to. The first rule that hits an existing node wins; a rule that hits several ends the
 * search, because a guess would credit one machine with another's load.
 */
export function resolveNode(labels: Labels, context: MappingContext): Resolution {
  const rules =
    context.index === undefined ? unverifiedRules(labels, context) : rulesOf(labels, context.index, context);
  for (const { rule, hit } of rules) {
    const found = hit();
    if (found === AMBIGUOUS) {
      return {
        node: undefined,
        reason: 'ambiguous-instance',
        detail: `${describeLabels(labels)}: more than one node by ${rule}; give the series a node label`,
      };
    }
    if (found !== undefined) return { node: found, rule };
  }
  return { node: undefined, reason: 'unmatched-instance', detail: unmatched(labels, context) };
}

interface Rule {
  readonly rule: string;
  readonly hit: () => Hit;
}

function rulesOf(labels: Labels, index: NodeIndex, context: MappingContext): readonly Rule[] {
  const { info } = context;
  const instance = labels.instance ?? '';
  const host = hostOfInstance(instance);
  const pod = podKey(labels);
  return [
    ...labelRules(labels, context, (name) => index.byName(name)),
    { rule: 'instance', hit: () => index.byName(instance) ?? index.byName(host) },
    { rule: 'address', hit: () => index.byAddress(host) },
    { rule: 'kube_pod_info', hit: () => existing(info.nodesByPod.get(pod), index) },
    { rule: 'kube_node_info', hit: () => existing(info.nodesByIp.get(host), index) },
    { rule: 'node_uname_info', hit: () => byHostname(info.hostnamesByInstance.get(instance), index) },
    { rule: 'short name', hit: () => index.byShortName(host) },
  ];
}

/** `namespace/pod`, or a key that no table has where a series names no pod. */
function podKey({ namespace, pod }: Labels): string {
  return namespace === undefined || pod === undefined ? '' : `${namespace}/${pod}`;
}

/** Without the cluster's nodes: a label says the name, or info metrics do, else `instance` without its port. */
function unverifiedRules(labels: Labels, context: MappingContext): readonly Rule[] {
  const host = hostOfInstance(labels.instance ?? '');
  const pod = podKey(labels);
  const named = (name: string): Hit => (name === '' ? undefined : name);
  return [
    ...labelRules(labels, context, named),
    { rule: 'kube_pod_info', hit: () => only(context.info.nodesByPod.get(pod)) },
    { rule: 'kube_node_info', hit: () => only(context.info.nodesByIp.get(host)) },
    { rule: 'instance', hit: () => named(host) },
  ];
}

function labelRules(labels: Labels, context: MappingContext, hit: (name: string) => Hit): readonly Rule[] {
  return labelKeys(context).flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value === undefined ? [] : [{ rule: `label ${key}`, hit: () => hit(value) }];
  });
}

/** Labels that hold the name of a node, in the order in which they are asked. */
function labelKeys({ configuredLabel }: MappingContext): readonly string[] {
  return [...(configuredLabel === undefined ? [] : [configuredLabel]), 'node', 'kubernetes_node'];
}

function existing(names: ReadonlySet<string> | undefined, index: NodeIndex): Hit {
  return only(new Set([...(names ?? [])].filter((name) => index.byName(name) !== undefined)));
}

function byHostname(hostnames: ReadonlySet<string> | undefined, index: NodeIndex): Hit {
  const hits = new Set([...(hostnames ?? [])].map((name) => index.byName(name) ?? index.byAddress(name)));
  hits.delete(undefined);
  return hits.size > 1 ? AMBIGUOUS : [...hits][0];
}

function only(names: ReadonlySet<string> | undefined): Hit {
  if (names === undefined || names.size === 0) return undefined;
  return names.size > 1 ? AMBIGUOUS : [...names][0];
}

function unmatched(labels: Labels, context: MappingContext): string {
  if (context.index === undefined) return `${describeLabels(labels)}: no label names a node`;
  const ghosts = labelKeys(context)
    .filter((key) => Object.hasOwn(labels, key) && labels[key] !== '')
    .map((key) => `${key}=${JSON.stringify(labels[key])}`);
  const ghost =
    ghosts.length === 0
      ? ''
      : `; ${ghosts.join(', ').slice(0, 200)} names a node that is not there, or not any more`;
  return `${describeLabels(labels)}: no node of the cluster by label, name, address, kube_pod_info, kube_node_info, node_uname_info or short name${ghost}`;
}

/** As Prometheus prints a selector, shortened. */
function describeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `{${pairs.join(', ')}}`.slice(0, 200);
}
