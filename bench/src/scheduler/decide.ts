import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type ClusterState,
  type CompiledProfile,
  compileProfile,
  decide,
  expandPlugins,
  podInfo,
} from '@catamaran/scheduler';
import { BENCH_NOW_MS, benchCluster, benchDocument, benchPod, seededRandom } from './bench-cluster.js';
import { plainDecision } from './plain-loop.js';

/** One decision from the pod's JSON to the assumption on its node. */
type Decide = (world: World, name: string, shape: number) => void;

interface World {
  readonly state: ClusterState;
  readonly profile: CompiledProfile;
}

/** Every pod alike. */
const EQUAL = -1;

const quickly: Decide = ({ state, profile }, name, shape) => {
  const pod = podInfo(podOf(name, shape));
  const decision = decide({ pod, snapshot: state.snapshot(BENCH_NOW_MS) }, profile, 1);
  if (decision.kind !== 'placed') throw new Error(decision.message);
  state.assume(pod, decision.node, BENCH_NOW_MS);
};

const plainly: Decide = ({ state, profile }, name, shape) => {
  const pod = podInfo(podOf(name, shape));
  const node = plainDecision({ pod, snapshot: state.snapshot(BENCH_NOW_MS) }, profile);
  if (node === undefined) throw new Error('no node left');
  state.assume(pod, node, BENCH_NOW_MS);
};

function podOf(name: string, shape: number): ReturnType<typeof benchPod> {
  return shape === EQUAL ? benchPod(name, 20, 32) : benchPod(name, 10 + (shape % 97), 16 + (shape % 509));
}

function benchProfile(): CompiledProfile {
  const score = { enabled: [{ name: 'TargetLoadPacking', weight: 5 }], disabled: [] };
  return compileProfile({
    schedulerName: 'bench',
    percentageOfNodesToScore: undefined,
    plugins: expandPlugins({ score }),
    pluginArgs: {},
  });
}

export interface DecideFigures {
  readonly nodes: number;
  readonly equalPerSecond: number;
  readonly distinctPerSecond: number;
  readonly plainPerSecond: number;
  /** The longest of 900 decisions while refreshes of all figures come in between, median of three runs. */
  readonly slowestAfterRefreshMs: number;
  readonly startUpMs: number;
  readonly rssMegabytes: number;
  readonly bytesPerPod: number;
  readonly bytesPerNode: number;
}

export interface DecideOptions {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Rounds of each kind, taken in turn so that all see the same machine. */
  readonly rounds: number;
}

/** Decisions a second at one size of cluster, without any API. */
export function measureDecisions({ nodes, podsPerNode, rounds }: DecideOptions): DecideFigures {
  const startedAt = performance.now();
  const state = benchCluster(nodes, nodes * podsPerNode);
  const startUpMs = performance.now() - startedAt;
  const world = { state, profile: benchProfile() };
  const spent = { equal: 0, distinct: 0, plain: 0 };
  const counts = { equal: 400, distinct: 40, plain: 10 };
  let shape = 0;
  const batch = (kind: keyof typeof spent, how: Decide, count: number): void => {
    const begun = performance.now();
    for (let index = 0; index < count; index += 1) {
      shape += 1;
      how(world, `${kind}-${shape}`, kind === 'equal' ? EQUAL : shape);
    }
    spent[kind] += performance.now() - begun;
  };
  batch('equal', quickly, 500);
  batch('distinct', quickly, 50);
  batch('plain', plainly, 20);
  spent.equal = 0;
  spent.distinct = 0;
  spent.plain = 0;
  for (let round = 0; round < rounds; round += 1) {
    batch('equal', quickly, counts.equal);
    batch('distinct', quickly, counts.distinct);
    batch('plain', plainly, counts.plain);
  }
  const perSecond = (kind: keyof typeof spent): number => (1000 * rounds * counts[kind]) / spent[kind];
  return {
    nodes,
    equalPerSecond: perSecond('equal'),
    distinctPerSecond: perSecond('distinct'),
    plainPerSecond: perSecond('plain'),
    slowestAfterRefreshMs: median([1, 2, 3].map((run) => slowestAfterRefresh(world, nodes, run))),
    startUpMs,
    rssMegabytes: process.memoryUsage().rss / 1e6,
    ...measureMemory(nodes, podsPerNode),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Eight classes take turns; every 50 decisions all figures change. */
function slowestAfterRefresh(world: World, nodes: number, run: number): number {
  const random = seededRandom(7);
  let slowest = 0;
  for (let index = 0; index < 1000; index += 1) {
    if (index % 50 === 0) world.state.setUtilization(benchDocument(nodes, random));
    const begun = performance.now();
    quickly(world, `refresh-${run}-${index}`, index % 8);
    if (index >= 100) slowest = Math.max(slowest, performance.now() - begun);
  }
  return slowest;
}

function measureMemory(nodes: number, podsPerNode: number): { bytesPerPod: number; bytesPerNode: number } {
  const before = liveBytes();
  const bare = benchCluster(nodes, 0);
  const withNodes = liveBytes();
  const full = benchCluster(nodes, nodes * podsPerNode);
  const withPods = liveBytes();
  // Keeps both alive up to here.
  if (bare.placedPodCount > full.placedPodCount) throw new Error('unreachable');
  return {
    bytesPerNode: (withNodes - before) / nodes,
    bytesPerPod: (withPods - withNodes - (withNodes - before)) / (nodes * podsPerNode),
  };
}

/** What is in use after a collection. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
