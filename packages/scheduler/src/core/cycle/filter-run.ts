import type { Cycle, FilterPlugin, Rejection } from '../framework/plugin.js';
import { type NodeInfo, withPromised } from '../state/node-info.js';
import type { CompiledProfile } from './profile.js';

/** The filters that have something to check for this pod, with what they worked out in advance. */
export interface FilterRun {
  readonly active: readonly { readonly plugin: FilterPlugin; readonly state: unknown }[];
  /** Plugins that look at promised pods even when they skip everything else. */
  readonly promising: readonly FilterPlugin[];
  /** The only candidates, where some plugin names them. */
  readonly nodeNames: ReadonlySet<string> | undefined;
  /** What nodes outside of `nodeNames` are refused with. */
  readonly outside: Rejection;
}

export type PreparedFilters =
  | { readonly kind: 'run'; readonly run: FilterRun }
  /** The pod as a whole is refused. */
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export function prepareFilters(cycle: Cycle, { filters }: CompiledProfile): PreparedFilters {
  const prepared = prepareAlone(cycle, filters);
  if (prepared.kind === 'rejected' || filters.every((plugin) => plugin.preFilterAmong === undefined)) {
    return prepared;
  }
  const others = prepared.run;
  const candidates = { [Symbol.iterator]: () => candidateNodes(cycle, others) };
  const active = filters.flatMap((plugin) =>
    plugin.preFilterAmong === undefined
      ? others.active.filter((one) => one.plugin === plugin)
      : [{ plugin, state: plugin.preFilterAmong(cycle, candidates) }],
  );
  return { kind: 'run', run: { ...others, active } };
}

/** Nodes that the filters of the run let through. */
function* candidateNodes(cycle: Cycle, run: FilterRun): Generator<NodeInfo> {
  const { snapshot } = cycle;
  const named = run.nodeNames && [...run.nodeNames].flatMap((name) => snapshot.node(name) ?? []);
  for (const node of named ?? snapshot.nodes()) {
    if (filterNode(cycle, run, node) === undefined) yield node;
  }
}

/** Those that need not know what the others say. */
function prepareAlone(cycle: Cycle, filters: readonly FilterPlugin[]): PreparedFilters {
  const active: { plugin: FilterPlugin; state: unknown }[] = [];
  const naming: string[] = [];
  let nodeNames: ReadonlySet<string> | undefined;
  for (const plugin of filters) {
    if (plugin.preFilterAmong !== undefined) continue;
    const outcome = plugin.preFilter?.(cycle) ?? { kind: 'continue', state: undefined };
    if (outcome.kind === 'reject') return { kind: 'rejected', rejection: outcome.rejection };
    if (outcome.kind === 'skip') continue;
    active.push({ plugin, state: outcome.state });
    if (outcome.nodeNames === undefined) continue;
    naming.push(plugin.name);
    nodeNames = nodeNames === undefined ? outcome.nodeNames : intersection(nodeNames, outcome.nodeNames);
    if (nodeNames.size === 0) return { kind: 'rejected', rejection: nothingLeft(naming) };
  }
  const promising = filters.filter((plugin) => plugin.filterPromised !== undefined);
  return { kind: 'run', run: { active, promising, nodeNames, outside: outsideOf(naming) } };
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter((name) => b.has(name)));
}

function nothingLeft(naming: readonly string[]): Rejection {
  const reason =
    naming.length === 1
      ? `node(s) didn't satisfy plugin ${naming[0]}`
      : `node(s) didn't satisfy plugin(s) [${naming.join(' ')}] simultaneously`;
  return { plugin: naming.at(-1) ?? '', code: 'UnschedulableAndUnresolvable', reasons: [reason] };
}

function outsideOf(naming: readonly string[]): Rejection {
  return {
    plugin: '',
    code: 'UnschedulableAndUnresolvable',
    reasons: [`node(s) didn't satisfy plugin(s) [${naming.join(' ')}]`],
  };
}

/** The first refusal of the node; undefined when it will do. */
export function filterNode(cycle: Cycle, run: FilterRun, node: NodeInfo): Rejection | undefined {
  if (run.nodeNames !== undefined && !run.nodeNames.has(node.name)) return run.outside;
  const promised = node.nominated.length === 0 ? node.nominated : promisedBefore(cycle, node);
  if (promised.length > 0) {
    const rejection = filterPromisedNode(cycle, run, { node, promised });
    if (rejection !== undefined) return rejection;
  }
  for (const { plugin, state } of run.active) {
    const rejection = plugin.filter(cycle, node, state);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/** Pods of the same or a higher priority that the node is promised to: their place is theirs. */
function promisedBefore({ pod }: Cycle, { nominated }: NodeInfo): NodeInfo['nominated'] {
  return nominated.filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority);
}

function filterPromisedNode(
  cycle: Cycle,
  run: FilterRun,
  { node, promised }: { readonly node: NodeInfo; readonly promised: NodeInfo['nominated'] },
): Rejection | undefined {
  const filled = withPromised(node, promised);
  for (const { plugin, state } of run.active) {
    const rejection = plugin.filter(cycle, filled, state);
    if (rejection !== undefined) return rejection;
  }
  for (const plugin of run.promising) {
    const rejection = plugin.filterPromised?.(cycle, filled, promised);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
