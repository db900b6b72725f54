import { curveFromPercents } from '@catamaran/simulator';
import { arrivalSlotMs } from '../plan/arrival-slots.js';
import {
  allocatableCpuMilli,
  type PlannedNode,
  type PlannedPod,
  type WorldPlan,
} from '../plan/world-plan.js';
import { TraceError } from './trace-error.js';
import type { PercentRows, TraceFolder, TraceNode, TracePod } from './trace-folder.js';

export interface TracePlanOptions {
  /** The first so many pods of the trace. */
  readonly pods: number;
  /** Undefined: as many as make the requests REQUESTED_SHARE of what is allocatable. */
  readonly nodes: number | undefined;
}

const MINUTE_MS = 60_000;
const MIB = 1024 ** 2;
const ARRIVAL_MINUTES = 120;
const SIMULATED_MINUTES = 150;
const REQUESTED_SHARE = 0.66;
const GPU_MILLI = 1000;
const LARGE_POOL = 'large-gpu';
/**
 * Nodes taken of each kind (by number of GPUs), in every twenty. Machines with 8 GPUs come more often than in the
 * trace (12 instead of 8): there the requests of all pods take 98 % of the GPUs, and no scheduler that spreads could
 * place them all.
 */
const MIX: ReadonlyMap<number, number> = new Map([
  [0, 4],
  [2, 3],
  [4, 1],
  [8, 12],
]);

/** A world made of a trace: its requests in its order, a real usage curve for each pod, its kinds of nodes. */
export function tracePlan(trace: TraceFolder, options: TracePlanOptions): WorldPlan {
  if (options.pods > trace.pods.length) {
    throw new TraceError([
      `--pods=${options.pods}: the trace has ${trace.pods.length} pods; give --pods=${trace.pods.length} or less`,
    ]);
  }
  const taken = trace.pods.slice(0, options.pods);
  const machineMilli = Math.max(...trace.nodes.map((node) => node.gpus)) * GPU_MILLI;
  const isLarge = (pod: TracePod): boolean => machineMilli > 0 && pod.gpuMilli >= machineMilli / 2;
  const pods = taken.map((pod, index) => ({
    ...plannedPod(pod, index, trace),
    arrivalOffsetMs: arrivalSlotMs((index / taken.length) * ARRIVAL_MINUTES * MINUTE_MS),
    reservedPool: isLarge(pod) ? LARGE_POOL : undefined,
  }));
  const pool = largePool(trace.nodes, taken.filter(isLarge).length);
  if (options.nodes !== undefined && options.nodes <= pool.length) {
    throw new TraceError([
      `--nodes=${options.nodes}: ${pool.length} pods need machines of their own; give at least --nodes=${pool.length + 1}`,
    ]);
  }
  const sharedCount = options.nodes === undefined ? undefined : options.nodes - pool.length;
  const wantedCpuMilli = total(pods.map((pod) => pod.load.cpuRequestMilli)) / REQUESTED_SHARE;
  const wanted = sharedCount ?? { cpuMilli: wantedCpuMilli - total(pool.map(allocatableCpuMilli)) };
  const nodes = [...pool, ...sharedNodes(trace.nodes, wanted)];
  return { nodes, pods, simulatedMinutes: SIMULATED_MINUTES, notes: notesOf(pool.length, trace.cpuPercent) };
}

function plannedPod(
  pod: TracePod,
  index: number,
  trace: TraceFolder,
): Omit<PlannedPod, 'arrivalOffsetMs' | 'reservedPool'> {
  return {
    name: pod.name,
    workload: pod.name,
    gpuMilli: pod.gpuMilli,
    load: {
      cpuRequestMilli: pod.cpuMilli,
      memoryRequestBytes: pod.memoryMib * MIB,
      cpuCurve: curveFromPercents(rowOf(trace.cpuPercent, index)),
      memoryCurve: curveFromPercents(rowOf(trace.memoryPercent, index)),
    },
  };
}

function rowOf(rows: PercentRows, index: number): readonly number[] {
  return rows[index % rows.length] ?? [0];
}

/**
 * Pods that ask for half a machine's GPUs or more get machines of their own, of the largest kind: once pods with one
 * GPU are spread over all nodes, no scheduler could place them.
 */
function largePool(nodes: readonly TraceNode[], count: number): PlannedNode[] {
  const [largest] = [...nodes].sort((a, b) => b.gpus - a.gpus || b.cpuMilli - a.cpuMilli);
  if (largest === undefined) return [];
  return Array.from({ length: count }, (_, index) => ({
    ...plannedNode(largest, `large-gpu-${String(index + 1).padStart(2, '0')}`),
    reservedFor: LARGE_POOL,
  }));
}

/** So many nodes, or so many that they can give so much CPU; at least one. */
function sharedNodes(
  nodes: readonly TraceNode[],
  wanted: number | { readonly cpuMilli: number },
): PlannedNode[] {
  let cpuMilli = 0;
  const picked: PlannedNode[] = [];
  for (const node of inFixedMix(nodes)) {
    const enough = typeof wanted === 'number' ? picked.length >= wanted : cpuMilli >= wanted.cpuMilli;
    if (enough && picked.length > 0) break;
    const planned = plannedNode(node, `node-${String(picked.length + 1).padStart(4, '0')}`);
    picked.push(planned);
    cpuMilli += allocatableCpuMilli(planned);
  }
  return picked;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Without end: the kinds of nodes take turns as MIX says; within a kind the trace's nodes follow in stride. */
function* inFixedMix(nodes: readonly TraceNode[]): Generator<TraceNode> {
  const kinds = [...MIX].map(([gpus, weight]) => ({
    weight,
    credit: 0,
    taken: 0,
    members: nodes.filter((node) => kindOf(node) === gpus),
  }));
  const present = kinds.filter((kind) => kind.members.length > 0);
  const total = present.reduce((sum, kind) => sum + kind.weight, 0);
  for (;;) {
    for (const kind of present) kind.credit += kind.weight;
    const next = present.reduce((best, kind) => (kind.credit > best.credit ? kind : best));
    next.credit -= total;
    const node = next.members[(next.taken++ * STRIDE) % next.members.length];
    if (node === undefined) return;
    yield node;
  }
}

/** Prime, so that a kind's list is walked through whole before it repeats, in leaps over its runs of equal nodes. */
const STRIDE = 101;

/** The kind of MIX with the most GPUs that the node has. */
function kindOf(node: TraceNode): number {
  return Math.max(...[...MIX.keys()].filter((gpus) => gpus <= node.gpus));
}

function plannedNode(node: TraceNode, name: string): PlannedNode {
  return {
    name,
    cpuCapacityMilli: node.cpuMilli,
    memoryCapacityBytes: node.memoryMib * MIB,
    gpuMilli: node.gpus * GPU_MILLI,
    reservedFor: undefined,
  };
}

function notesOf(pooled: number, cpuPercent: PercentRows): string[] {
  const means = cpuPercent.map((row) => row.reduce((sum, percent) => sum + percent, 0) / row.length);
  const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
  return [
    `The trace's pods use ${mean.toFixed(0)} % of the CPU they request on average, so hot nodes are rare whoever places them; what differs is how many nodes are needed.`,
    ...(pooled > 0
      ? [
          `${pooled} pods that ask for at least half of a machine's GPUs have ${pooled} machines of their own, by node selector and taint, in both worlds.`,
        ]
      : []),
  ];
}
