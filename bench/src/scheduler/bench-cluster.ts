import type { Metric, Node, Pod, WatcherDocument } from '@catamaran/model';
import { ClusterState } from '@catamaran/scheduler';

export const BENCH_NOW_MS = Date.UTC(2026, 10, 30, 12);
const WINDOW_END_UNIX_SECONDS = BENCH_NOW_MS / 1000 - 30;

/** Small, fast, the same everywhere: mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Nodes of four sizes in three zones, one in ten with a hard taint, one in seven with a soft one. */
function benchNode(index: number): Node {
  const cores = [8, 16, 32, 64][index % 4] ?? 8;
  const taints = [
    ...(index % 10 === 0 ? [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' as const }] : []),
    ...(index % 7 === 0 ? [{ key: 'spot', effect: 'PreferNoSchedule' as const }] : []),
  ];
  const amounts = { cpu: String(cores), memory: `${cores * 4}Gi`, 'ephemeral-storage': '200Gi', pods: '110' };
  return {
    metadata: {
      name: nodeName(index),
      labels: {
        'kubernetes.io/hostname': nodeName(index),
        'kubernetes.io/arch': index % 5 === 0 ? 'arm64' : 'amd64',
        'topology.kubernetes.io/zone': `zone-${index % 3}`,
      },
    },
    spec: { taints },
    status: { capacity: amounts, allocatable: amounts },
  };
}

function nodeName(index: number): string {
  return `node-${String(index).padStart(5, '0')}`;
}

/** A pod of one container. */
export function benchPod(name: string, cpuMilli: number, memoryMi: number): Pod {
  return {
    metadata: {
      name,
      namespace: 'bench',
      uid: `uid-${name}`,
      labels: { app: 'bench' },
      creationTimestamp: '2026-11-30T08:00:00Z',
    },
    spec: {
      schedulerName: 'bench',
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
      containers: [
        {
          name: 'app',
          image: 'registry.example/app:1',
          resources: { requests: { cpu: `${cpuMilli}m`, memory: `${memoryMi}Mi` } },
        },
      ],
    },
  };
}

/** The watcher's document with a CPU and a memory figure for every node. */
export function benchDocument(nodes: number, random: () => number): WatcherDocument {
  const figures = new Map<string, readonly Metric[]>();
  for (let index = 0; index < nodes; index += 1) {
    figures.set(nodeName(index), [
      { name: '', type: 'CPU', operator: 'AVG', rollup: '15m', value: Math.round(random() * 6000) / 100 },
      { name: '', type: 'Memory', operator: 'AVG', rollup: '15m', value: Math.round(random() * 8000) / 100 },
    ]);
  }
  return {
    timestampUnixSeconds: WINDOW_END_UNIX_SECONDS,
    window: {
      duration: '15m',
      startUnixSeconds: WINDOW_END_UNIX_SECONDS - 900,
      endUnixSeconds: WINDOW_END_UNIX_SECONDS,
    },
    source: 'Prometheus',
    nodes: figures,
  };
}

/** A cluster with ten bound pods a node. */
export function benchCluster(nodes: number, pods: number): ClusterState {
  const random = seededRandom(nodes);
  const state = new ClusterState();
  for (let index = 0; index < nodes; index += 1) state.upsertNode(benchNode(index));
  for (let index = 0; index < pods; index += 1) {
    const pod = benchPod(`bound-${index}`, 50 + Math.floor(random() * 400), 64 + Math.floor(random() * 1000));
    const startedAt = '2026-11-30T08:00:00Z';
    state.upsertPod({
      ...pod,
      spec: { ...pod.spec, nodeName: nodeName(index % nodes) },
      status: {
        phase: 'Running',
        conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: startedAt }],
      },
    });
  }
  state.setUtilization(benchDocument(nodes, random));
  return state;
}
