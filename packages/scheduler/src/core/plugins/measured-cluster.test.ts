import type { Metric, Pod, ResourceList } from '@catamaran/model';
import { evaluate } from '../cycle/evaluate.js';
import { type CompiledProfile, compileProfile } from '../cycle/profile.js';
import { scoreAll } from '../cycle/score-all.js';
import { prepareScores } from '../cycle/score-run.js';
import type { Cycle } from '../framework/plugin.js';
import { signalReading } from '../signals/signal-reading.js';
import { signalKey } from '../signals/signal-spec.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo } from '../state/pod-info.js';
import { signalNeeds } from './signal-users.js';

/** A small cluster with figures, for the tests of plugins that go by load. */
export const NOW_MS = Date.UTC(2026, 10, 30, 12);
const END_UNIX_SECONDS = NOW_MS / 1000 - 30;

export interface MeasuredNode {
  /** Capacity and, unless given apart, what is allocatable. */
  readonly capacity?: ResourceList;
  readonly allocatable?: ResourceList;
  /** [type, operator, percent]; undefined: the node is not in the document. */
  readonly metrics?: readonly (readonly [string, string, number])[] | undefined;
  readonly pods?: readonly Pod[];
}

const CAPACITY: ResourceList = { cpu: '4', memory: '8Gi', pods: '110' };

export function cluster(nodes: Readonly<Record<string, MeasuredNode>>): ClusterState {
  const state = new ClusterState();
  const documentNodes = new Map<string, readonly Metric[]>();
  for (const [name, { capacity = CAPACITY, allocatable = capacity, metrics, pods = [] }] of Object.entries(
    nodes,
  )) {
    state.upsertNode({ metadata: { name }, status: { capacity, allocatable } });
    if (metrics !== undefined) documentNodes.set(name, metrics.map(toMetric));
    for (const placed of pods) state.upsertPod({ ...placed, spec: { ...placed.spec, nodeName: name } });
  }
  tell(state, documentNodes);
  return state;
}

/** Hands over a document whose window ended 30 s ago. */
export function tell(state: ClusterState, nodes: ReadonlyMap<string, readonly Metric[]>): void {
  state.setUtilization({
    timestampUnixSeconds: END_UNIX_SECONDS + 1,
    window: { duration: '15m', startUnixSeconds: END_UNIX_SECONDS - 900, endUnixSeconds: END_UNIX_SECONDS },
    source: 'Prometheus',
    nodes,
  });
}

/** Samples by signal: node and value, as the query would give them. */
export type Samples = Readonly<Record<string, readonly (readonly [string, number])[]>>;

/** Hands over what was read of the signals that a plugin with these arguments reads. */
export function tellSignals(
  state: ClusterState,
  { plugin, args }: { readonly plugin: string; readonly args: Readonly<Record<string, unknown>> },
  { samples, readMs = NOW_MS - 20_000 }: { readonly samples: Samples; readonly readMs?: number },
): void {
  const uses = signalNeeds(plugin, args)?.uses ?? [];
  const readings = uses.flatMap(({ spec }) => {
    const given = samples[spec.name];
    if (given === undefined) return [];
    const all = given.map(([node, value]) => ({ node, value }));
    return [signalReading(signalKey('default', spec), spec, { samples: all, readMs })];
  });
  state.setSignals(readings);
}

function toMetric([type, operator, value]: readonly [string, string, number]): Metric {
  return { name: '', rollup: '15m', type, operator, value };
}

/** A pod of one container. @param boundSecondsAgo where it is placed: how long before now. */
export function pod(
  name: string,
  { requests = {}, limits }: { readonly requests?: ResourceList; readonly limits?: ResourceList },
  boundSecondsAgo = 9000,
): Pod {
  const lastTransitionTime = new Date(NOW_MS - boundSecondsAgo * 1000).toISOString();
  const resources = { requests, ...(limits === undefined ? {} : { limits }) };
  return {
    metadata: { name, namespace: 'default', uid: name },
    spec: { containers: [{ name: 'c', resources }] },
    status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime }] },
  };
}

export function profileOf(plugin: string, args: Readonly<Record<string, unknown>>): CompiledProfile {
  return compileProfile({
    schedulerName: 'test',
    percentageOfNodesToScore: undefined,
    plugins: { filter: [], score: [{ name: plugin, weight: 1 }] },
    pluginArgs: { [plugin]: args },
  });
}

export interface Question {
  readonly plugin: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly pod: Pod;
}

export function cycleOf(state: ClusterState, pending: Pod, nowMs = NOW_MS): Cycle {
  const { status: _status, ...rest } = pending;
  return { pod: podInfo(rest), snapshot: state.snapshot(nowMs) };
}

/** Scores by node. */
export function scores(
  state: ClusterState,
  { plugin, args = {}, pod: pending }: Question,
  nowMs = NOW_MS,
): Readonly<Record<string, number>> {
  const cycle = cycleOf(state, pending, nowMs);
  const scored = scoreAll(cycle, profileOf(plugin, args), [...cycle.snapshot.nodes()]);
  return Object.fromEntries(scored.map(({ node, total }) => [node, total]));
}

/** What the cycle says when it can't place the pod. */
export function failure(state: ClusterState, { plugin, args = {}, pod: pending }: Question): string {
  const { decision } = evaluate(cycleOf(state, pending), profileOf(plugin, args), 0);
  return decision.kind === 'placed' ? '' : decision.message;
}

export function explanation(
  state: ClusterState,
  node: string,
  { plugin, args = {}, pod: pending }: Question,
): Readonly<Record<string, unknown>> {
  const cycle = cycleOf(state, pending);
  const [active] = prepareScores(cycle, profileOf(plugin, args));
  const info = cycle.snapshot.node(node);
  if (active === undefined || info === undefined) return {};
  return active.plugin.explain?.(cycle, info, active.state) ?? {};
}
