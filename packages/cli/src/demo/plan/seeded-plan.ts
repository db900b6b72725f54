import {
  type CurveShape,
  meanShare,
  type PodLoad,
  SeededRandom,
  scaledCurve,
  seededCurve,
  type UsageCurve,
} from '@catamaran/simulator';
import { arrivalSlotMs } from './arrival-slots.js';
import {
  allocatableCpuMilli,
  allocatableMemoryBytes,
  type PlannedNode,
  type PlannedPod,
  type WorldPlan,
} from './world-plan.js';

export interface SeededPlanOptions {
  readonly nodes: number;
  readonly pods: number;
  readonly seed: number;
}

const MINUTE_MS = 60_000;
const GIB = 1024 ** 3;
/** All pods arrive in the first part; the rest shows how the placements stand the changing load. */
const ARRIVAL_MINUTES = 90;
const SIMULATED_MINUTES = 150;
/** CPU requested, of what is allocatable, when all pods have arrived. */
const REQUESTED_SHARE = 0.75;
/** Mean CPU use of all pods, of what they request. Single workloads are far from it, see HONESTY. */
const USED_SHARE_OF_REQUESTS = 0.7;
const REQUESTED_MEMORY_SHARE = 0.55;
const NODE_CORES = [16, 32, 16, 16, 32, 16, 16, 32, 16, 16] as const;
const MEMORY_PER_CORE_BYTES = 4 * GIB;
const REQUEST_STEP_MILLI = 10;
const MEMORY_STEP_BYTES = 1024 ** 2;

/** How far requests are from the truth: half of the workloads ask for too much, a fifth for too little. */
const HONESTY = [
  { value: { low: 0.15, high: 0.5 }, weight: 5 },
  { value: { low: 0.5, high: 0.95 }, weight: 3 },
  { value: { low: 1.1, high: 1.9 }, weight: 2 },
];
const CPU_SIZES = [
  { value: 250, weight: 2 },
  { value: 500, weight: 4 },
  { value: 1000, weight: 4 },
  { value: 2000, weight: 2 },
  { value: 4000, weight: 1 },
];
const REPLICAS = [
  { value: 1, weight: 3 },
  { value: 2, weight: 3 },
  { value: 4, weight: 3 },
  { value: 8, weight: 2 },
  { value: 16, weight: 1 },
];
/** Replicas that a rollout starts at once, and the pause before the next ones. */
const ROLLOUT = { batch: 4, pauseMs: 20_000 };

interface Draft {
  readonly name: string;
  readonly workload: string;
  readonly arrivalOffsetMs: number;
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  readonly cpuCurve: UsageCurve;
  readonly memoryCurve: UsageCurve;
}

/** A made-up cluster and workload: the same seed gives the same plan. */
export function seededPlan(options: SeededPlanOptions): WorldPlan {
  const nodes = plannedNodes(options.nodes);
  const drafts = draftPods(options);
  const scale = requestScale(drafts, nodes);
  const pods = drafts.map((draft) => plannedPod(draft, scale));
  pods.sort((a, b) => a.arrivalOffsetMs - b.arrivalOffsetMs || (a.name < b.name ? -1 : 1));
  return { nodes, pods, simulatedMinutes: SIMULATED_MINUTES, notes: [] };
}

function plannedNodes(count: number): PlannedNode[] {
  return Array.from({ length: count }, (_, index) => {
    const cores = NODE_CORES[index % NODE_CORES.length] ?? 16;
    return {
      name: `node-${String(index + 1).padStart(Math.max(2, String(count).length), '0')}`,
      cpuCapacityMilli: cores * 1000,
      memoryCapacityBytes: cores * MEMORY_PER_CORE_BYTES,
      gpuMilli: 0,
      reservedFor: undefined,
    };
  });
}

function draftPods({ pods, seed }: SeededPlanOptions): Draft[] {
  const random = SeededRandom.for(seed, 'workloads');
  const drafts: Draft[] = [];
  for (let index = 0; drafts.length < pods; index++) {
    const replicas = Math.min(random.pick(REPLICAS), pods - drafts.length);
    drafts.push(...draftWorkload(`app-${String(index + 1).padStart(3, '0')}`, replicas, random));
  }
  return drafts;
}

function draftWorkload(workload: string, replicas: number, random: SeededRandom): Draft[] {
  const cpuMilli = random.pick(CPU_SIZES);
  const memoryBytes = (cpuMilli / 1000) * random.between(2, 6) * GIB;
  const cpuCurve = seededCurve(cpuShape(random), random);
  const memoryCurve = seededCurve(memoryShape(random), random);
  const startMs = random.between(0, ARRIVAL_MINUTES * MINUTE_MS);
  return Array.from({ length: replicas }, (_, replica) => ({
    name: `${workload}-${replica + 1}`,
    workload,
    arrivalOffsetMs: arrivalSlotMs(startMs + Math.floor(replica / ROLLOUT.batch) * ROLLOUT.pauseMs),
    cpuMilli,
    memoryBytes,
    cpuCurve: scaledCurve(cpuCurve, random.between(0.85, 1.15)),
    memoryCurve,
  }));
}

function cpuShape(random: SeededRandom): CurveShape {
  const { low, high } = random.pick(HONESTY);
  return {
    level: random.between(low, high),
    swing: random.between(0.05, 0.4),
    periodSamples: random.between(12, 72),
    noise: random.between(0.03, 0.12),
  };
}

function memoryShape(random: SeededRandom): CurveShape {
  return { level: random.between(0.4, 0.95), swing: 0.05, periodSamples: 96, noise: 0.02 };
}

interface Scale {
  readonly cpu: number;
  readonly memory: number;
  readonly use: number;
  readonly mostCpuMilli: number;
  readonly mostMemoryBytes: number;
}

/**
 * Brings the requests to the wanted share of the cluster, whatever its size. No pod asks for more than a quarter of
 * the smallest node: while less than three quarters are taken, some node then has room, whoever places the pods.
 */
function requestScale(drafts: readonly Draft[], nodes: readonly PlannedNode[]): Scale {
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const cpu = nodes.map(allocatableCpuMilli);
  const memory = nodes.map(allocatableMemoryBytes);
  const requestedMilli = total(drafts.map((draft) => draft.cpuMilli));
  const usedMilli = total(drafts.map((draft) => draft.cpuMilli * meanShare(draft.cpuCurve)));
  return {
    cpu: (REQUESTED_SHARE * total(cpu)) / requestedMilli,
    use: (USED_SHARE_OF_REQUESTS * requestedMilli) / usedMilli,
    memory: (REQUESTED_MEMORY_SHARE * total(memory)) / total(drafts.map((draft) => draft.memoryBytes)),
    mostCpuMilli: Math.min(...cpu) / 4,
    mostMemoryBytes: Math.min(...memory) / 4,
  };
}

function plannedPod(draft: Draft, scale: Scale): PlannedPod {
  const { name, workload, arrivalOffsetMs } = draft;
  const load: PodLoad = {
    cpuRequestMilli: stepDown(Math.min(draft.cpuMilli * scale.cpu, scale.mostCpuMilli), REQUEST_STEP_MILLI),
    memoryRequestBytes: stepDown(
      Math.min(draft.memoryBytes * scale.memory, scale.mostMemoryBytes),
      MEMORY_STEP_BYTES,
    ),
    cpuCurve: scaledCurve(draft.cpuCurve, scale.use),
    memoryCurve: draft.memoryCurve,
  };
  return { name, workload, arrivalOffsetMs, gpuMilli: 0, reservedPool: undefined, load };
}

function stepDown(value: number, step: number): number {
  return Math.max(step, Math.floor(value / step) * step);
}
