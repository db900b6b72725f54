import { type Metric, type Node, type Pod, podKey } from '@catamaran/model';
import { ClusterState } from '@catamaran/scheduler';

/** One node, one pod, one score. */
export interface ScoreVector {
  readonly id: string;
  readonly plugin: string;
  readonly args: unknown;
  readonly node: NodeResources;
  /** `null`: the node is not in the watcher's document. */
  readonly metrics: readonly VectorMetric[] | null;
  readonly pod: Pick<Pod, 'spec'>;
  readonly nodePods?: readonly Pick<Pod, 'spec'>[];
  readonly recent?: readonly { readonly secondsAfterWindowEnd: number; readonly pod: Pick<Pod, 'spec'> }[];
  readonly upstream: unknown;
  readonly expect?: unknown;
}

export type NodeResources = Pick<NonNullable<Node['status']>, 'capacity' | 'allocatable'>;
export type VectorMetric = Pick<Metric, 'type' | 'operator' | 'value'>;

/** A node beside the one of the vector. */
export interface Peer {
  readonly name: string;
  readonly resources: NodeResources;
  readonly metrics: readonly VectorMetric[];
}

export const WINDOW_END_UNIX_SECONDS = 1_800_000_000;
export const NODE_NAME = 'node';
const LONG_AGO_SECONDS = 7200;

export function vectorWorld(vector: ScoreVector, peers: readonly Peer[] = []): ClusterState {
  const { node, metrics, nodePods = [], recent = [] } = vector;
  const state = new ClusterState();
  state.upsertNode({ metadata: { name: NODE_NAME }, status: node });
  for (const { name, resources } of peers) state.upsertNode({ metadata: { name }, status: resources });
  nodePods.forEach(({ spec }, index) => {
    state.upsertPod(assignedPod(`old-${index}`, spec, -LONG_AGO_SECONDS));
  });
  recent.forEach(({ pod: { spec }, secondsAfterWindowEnd }, index) => {
    state.upsertPod(assignedPod(`recent-${index}`, spec, secondsAfterWindowEnd));
  });
  const measured = peers.map((peer) => [peer.name, peer.metrics.map(toMetric)] as const);
  state.setUtilization({
    timestampUnixSeconds: WINDOW_END_UNIX_SECONDS,
    window: {
      duration: '15m',
      startUnixSeconds: WINDOW_END_UNIX_SECONDS - 900,
      endUnixSeconds: WINDOW_END_UNIX_SECONDS,
    },
    source: 'recorded',
    nodes: new Map(metrics === null ? measured : [[NODE_NAME, metrics.map(toMetric)], ...measured]),
  });
  return state;
}

function toMetric(metric: VectorMetric): Metric {
  return { name: '', rollup: '15m', ...metric };
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
