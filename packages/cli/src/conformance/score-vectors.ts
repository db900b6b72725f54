import { type Metric, type Node, type Pod, podKey } from '@catamaran/model';
import {
  ClusterState,
  compileProfile,
  PLUGIN_DEFINITIONS,
  podInfo,
  readTargetLoadPackingArgs,
  scoreAll,
} from '@catamaran/scheduler';
import type { Entry, Outcome, RecordingFormat } from './format.js';
import { isMap } from './json-map.js';

/** One node, one pod, one score. */
interface ScoreVector {
  readonly id: string;
  readonly plugin: string;
  readonly args: unknown;
  readonly node: Pick<NonNullable<Node['status']>, 'capacity' | 'allocatable'>;
  /** `null`: the node is not in the watcher's document. */
  readonly metrics: readonly Pick<Metric, 'type' | 'operator' | 'value'>[] | null;
  readonly pod: Pick<Pod, 'spec'>;
  readonly nodePods?: readonly Pick<Pod, 'spec'>[];
  readonly recent?: readonly { readonly secondsAfterWindowEnd: number; readonly pod: Pick<Pod, 'spec'> }[];
  readonly upstream: number;
  /** A score, or `reject`: the arguments are refused. */
  readonly expect?: number | string;
}

const WINDOW_END_UNIX_SECONDS = 1_800_000_000;
const LONG_AGO_SECONDS = 7200;
const NODE_NAME = 'node';

/** `score-vectors.json`: the Trimaran plugins, a case at a time. */
export const scoreVectors: RecordingFormat = {
  name: 'score-vectors',
  entries: (documents) => {
    const [document] = documents;
    if (documents.length !== 1 || !isMap(document) || !Array.isArray(document.cases)) return undefined;
    return (document.cases as readonly ScoreVector[]).map(toEntry);
  },
};

function toEntry(vector: ScoreVector): Entry {
  return { id: vector.id, run: () => replay(vector) };
}

function replay(vector: ScoreVector): Outcome {
  if (!PLUGIN_DEFINITIONS.some(({ name }) => name === vector.plugin)) {
    return { kind: 'skipped', why: `plugin ${vector.plugin} is not built yet` };
  }
  const expected = String(vector.expect ?? vector.upstream);
  const got = outcomeOf(vector);
  return got === expected ? { kind: 'passed' } : { kind: 'failed', expected, got };
}

function outcomeOf(vector: ScoreVector): string {
  const args = readTargetLoadPackingArgs(vector.args);
  if (!args.ok) return 'reject';
  const profile = compileProfile({
    schedulerName: 'replay',
    percentageOfNodesToScore: undefined,
    plugins: { filter: [], score: [{ name: vector.plugin, weight: 1 }] },
    pluginArgs: { [vector.plugin]: args.value },
  });
  const snapshot = clusterOf(vector).snapshot(WINDOW_END_UNIX_SECONDS * 1000);
  const pod = podInfo({ ...vector.pod, metadata: { name: 'pending', namespace: 'default' } });
  const scores = scoreAll({ pod, snapshot }, profile, [...snapshot.nodes()]);
  return String(scores[0]?.total);
}

function clusterOf({ node, metrics, nodePods = [], recent = [] }: ScoreVector): ClusterState {
  const state = new ClusterState();
  state.upsertNode({ metadata: { name: NODE_NAME }, status: node });
  nodePods.forEach(({ spec }, index) => {
    state.upsertPod(assignedPod(`old-${index}`, spec, -LONG_AGO_SECONDS));
  });
  recent.forEach(({ pod: { spec }, secondsAfterWindowEnd }, index) => {
    state.upsertPod(assignedPod(`recent-${index}`, spec, secondsAfterWindowEnd));
  });
  const figures = (metrics ?? []).map((metric) => ({ name: '', rollup: '15m', ...metric }));
  state.setUtilization({
    timestampUnixSeconds: WINDOW_END_UNIX_SECONDS,
    window: {
      duration: '15m',
      startUnixSeconds: WINDOW_END_UNIX_SECONDS - 900,
      endUnixSeconds: WINDOW_END_UNIX_SECONDS,
    },
    source: 'recorded',
    nodes: new Map(metrics === null ? [] : [[NODE_NAME, figures]]),
  });
  return state;
}

function assignedPod(name: string, spec: Pod['spec'], secondsAfterWindowEnd: number): Pod {
  const at = new Date((WINDOW_END_UNIX_SECONDS + secondsAfterWindowEnd) * 1000).toISOString();
  const pod: Pod = {
    metadata: { name, namespace: 'default' },
    spec: { ...spec, nodeName: NODE_NAME },
    status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: at }] },
  };
  return { ...pod, metadata: { ...pod.metadata, uid: podKey(pod) } };
}
