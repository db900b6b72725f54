import { decodeWatcherDocument, type Node, type Pod, type WatcherDocument } from '@catamaran/model';
import { ClusterState, type Evaluation, evaluate, expandPlugins, podInfo } from '@catamaran/scheduler';
import type { Entry, Outcome, RecordingFormat } from './format.js';
import { isMap } from './json-map.js';
import { orderProblem } from './node-order.js';
import { isBuilt, singlePluginProfile } from './single-plugin-profile.js';

interface BoundPod {
  readonly name: string;
  readonly node: string;
  readonly boundAt: number;
  readonly seenAt: number;
  readonly deleted?: boolean;
  readonly pod: Pick<Pod, 'spec'>;
}

interface WatcherAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly unreachable?: boolean;
}

/** One scheduling cycle of a running scheduler with one Trimaran plugin. */
interface LiveScenario {
  readonly id: string;
  readonly plugin: string;
  readonly args: unknown;
  readonly weight?: number;
  readonly scoredAt: number;
  readonly nodes: readonly ({ readonly name: string } & Pick<
    NonNullable<Node['status']>,
    'capacity' | 'allocatable'
  >)[];
  readonly bound: readonly BoundPod[];
  readonly watcher: readonly WatcherAnswer[];
  readonly fetches?: number;
  readonly pod: Pick<Pod, 'spec'>;
  readonly upstream: { readonly scores?: Readonly<Record<string, number>>; readonly error?: string };
  readonly expect?: {
    readonly scores?: Readonly<Record<string, number>>;
    readonly reject?: boolean;
    /** Groups of nodes from best to worst. */
    readonly order?: readonly (readonly string[])[];
    /** Nodes that rank behind all of them. */
    readonly last?: readonly string[];
  };
}

/** `trimaran-live.jsonl`: whole cycles recorded from a running scheduler, one a line. */
export const trimaranLive: RecordingFormat = {
  name: 'trimaran-live',
  entries: (documents) => {
    const known = documents.every((line) => isMap(line) && 'watcher' in line && 'upstream' in line);
    if (documents.length === 0 || !known) return undefined;
    return (documents as readonly LiveScenario[]).map(toEntry);
  },
};

function toEntry(scenario: LiveScenario): Entry {
  return { id: scenario.id, run: () => replay(scenario) };
}

function replay(scenario: LiveScenario): Outcome {
  const { plugin, expect } = scenario;
  if (!isBuilt(plugin)) return { kind: 'skipped', why: `plugin ${plugin} is not built yet` };
  const result = resultOf(scenario);
  if (expect?.order !== undefined) {
    const order = { order: expect.order, last: expect.last ?? [] };
    const problem = typeof result === 'string' ? result : orderProblem(order, result);
    if (problem === undefined) return { kind: 'passed' };
    return { kind: 'failed', expected: JSON.stringify(order), got: problem };
  }
  const expected = expectation(scenario);
  const got = typeof result === 'string' ? result : scoresText([...result]);
  return got === expected ? { kind: 'passed' } : { kind: 'failed', expected, got };
}

function expectation({ upstream, expect = upstream }: LiveScenario): string {
  if ('reject' in expect && expect.reject === true) return 'reject';
  if (expect.scores !== undefined) return scoresText(Object.entries(expect.scores));
  return upstream.error ?? 'an error';
}

/** Scores by node; or, where there are none, what happened instead. */
function resultOf(scenario: LiveScenario): ReadonlyMap<string, number> | string {
  const { plugin, weight = 1 } = scenario;
  const profile = singlePluginProfile(scenario, { weight, filter: expandPlugins({}).filter });
  if (profile === undefined) return 'reject';
  const snapshot = clusterOf(scenario).snapshot(scenario.scoredAt * 1000);
  const pod = podInfo({ ...scenario.pod, metadata: { name: 'pending', namespace: 'default' } });
  return scoresOf(evaluate({ pod, snapshot }, profile, 0), plugin);
}

function scoresOf(
  { decision, scores, feasible }: Evaluation,
  plugin: string,
): ReadonlyMap<string, number> | string {
  if (decision.kind !== 'placed') return decision.message;
  if (scores.length === 0) return `${feasible.join()} alone, not scored`;
  return new Map(scores.map(({ node, byPlugin }) => [node, byPlugin[plugin] ?? 0]));
}

function scoresText(scores: readonly (readonly [string, number])[]): string {
  const byName = [...scores].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.map(([node, score]) => `${node}=${score}`).join(' ');
}

function clusterOf(scenario: LiveScenario): ClusterState {
  const state = new ClusterState();
  for (const { name, capacity, allocatable } of scenario.nodes) {
    state.upsertNode({
      metadata: { name },
      status: {
        ...(capacity === undefined ? {} : { capacity }),
        ...(allocatable === undefined ? {} : { allocatable }),
      },
    });
  }
  for (const bound of scenario.bound) {
    if (bound.deleted !== true) state.upsertPod(assignedPod(bound, scenario.expect !== undefined));
  }
  state.setUtilization(lastGoodDocument(scenario));
  return state;
}

/** Upstream stamps a pod when it sees it; where we deliberately differ, by when it was bound. */
function assignedPod({ name, node, boundAt, seenAt, pod }: BoundPod, byBinding: boolean): Pod {
  const at = new Date((byBinding ? boundAt : seenAt) * 1000).toISOString();
  return {
    metadata: { name, namespace: 'default' },
    spec: { ...pod.spec, nodeName: node },
    status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: at }] },
  };
}

/** What a client holds after the fetches: an unusable answer leaves what was there, and so does an empty one. */
function lastGoodDocument({ watcher, fetches = 1 }: LiveScenario): WatcherDocument | undefined {
  let held: WatcherDocument | undefined;
  for (let fetch = 0; fetch < fetches; fetch += 1) {
    const answer = watcher[Math.min(fetch, watcher.length - 1)];
    if (answer === undefined || answer.unreachable === true || answer.status !== 200) continue;
    const decoded = decodeWatcherDocument(answer.text ?? JSON.stringify(answer.body));
    if (decoded.ok && (held === undefined || decoded.value.nodes.size > 0)) held = decoded.value;
  }
  return held;
}
