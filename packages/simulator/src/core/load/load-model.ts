import { SAMPLE_MS, shareAt, type UsageCurve } from './usage-curve.js';

export interface NodeLoadSpec {
  readonly name: string;
  readonly cpuCapacityMilli: number;
  readonly memoryCapacityBytes: number;
  /** What the node uses without any pod. */
  readonly idleCpuMilli: number;
  readonly idleMemoryBytes: number;
}

export interface PodLoad {
  readonly cpuRequestMilli: number;
  readonly memoryRequestBytes: number;
  readonly cpuCurve: UsageCurve;
  readonly memoryCurve: UsageCurve;
  /** Steady; none unless given. */
  readonly io?: IoRates;
}

/** Bytes per second over the network and to disk. */
export interface IoRates {
  readonly receive: number;
  readonly transmit: number;
  readonly read: number;
  readonly write: number;
}

/** The same in bytes since the start of the simulation. */
export type IoTotals = IoRates;

export interface PlacedPod {
  readonly uid: string;
  readonly nodeName: string;
  readonly load: PodLoad;
}

export interface ResourceUse {
  readonly cpuMilli: number;
  readonly memoryBytes: number;
}

/** CPU time since the start of the simulation, in milli-CPU × milliseconds. */
export interface CpuTotals {
  /** As a meter counts it: never more than the node has. */
  readonly usedMilliMs: number;
  /** What the pods would have used on a node without limits. */
  readonly demandMilliMs: number;
}

interface NodeState {
  readonly spec: NodeLoadSpec;
  readonly pods: Map<string, PodLoad>;
  /** Demand of one step, computed once: it changes only with the step and the pods. */
  cached: { readonly step: number; readonly demand: ResourceUse } | undefined;
  totals: { untilMs: number; usedMilliMs: number; demandMilliMs: number; io: IoTotals };
}

/**
 * What every node uses at every instant: its own idle load plus the curves of the pods on it.
 *
 * Deterministic: it depends on the calls made and on nothing else. Demand above a node's capacity is kept apart from
 * the use a meter can see. Time only moves forward: an instant before one already accounted for is a RangeError.
 */
export class LoadModel {
  readonly #startMs: number;
  readonly #nodes = new Map<string, NodeState>();
  readonly #nodeOfPod = new Map<string, NodeState>();

  constructor(nodes: readonly NodeLoadSpec[], startMs: number) {
    this.#startMs = startMs;
    for (const spec of nodes) {
      const totals = { untilMs: startMs, usedMilliMs: 0, demandMilliMs: 0, io: NO_IO };
      this.#nodes.set(spec.name, { spec, pods: new Map(), cached: undefined, totals });
    }
  }

  /** From `nowMs` on the pod uses its curve on that node. Unknown nodes and pods already placed are ignored. */
  place(pod: PlacedPod, nowMs: number): void {
    const node = this.#nodes.get(pod.nodeName);
    if (node === undefined || this.#nodeOfPod.has(pod.uid)) return;
    this.#accountUntil(node, nowMs);
    node.pods.set(pod.uid, pod.load);
    node.cached = undefined;
    this.#nodeOfPod.set(pod.uid, node);
  }

  remove(podUid: string, nowMs: number): void {
    const node = this.#nodeOfPod.get(podUid);
    if (node === undefined) return;
    this.#accountUntil(node, nowMs);
    node.pods.delete(podUid);
    node.cached = undefined;
    this.#nodeOfPod.delete(podUid);
  }

  podCount(nodeName: string): number {
    return this.#nodes.get(nodeName)?.pods.size ?? 0;
  }

  /** What the pods want, above the node's capacity too. Undefined for an unknown node. */
  demand(nodeName: string, nowMs: number): ResourceUse | undefined {
    const node = this.#nodes.get(nodeName);
    return node === undefined ? undefined : this.#demandOf(node, this.#stepAt(nowMs));
  }

  /** What a meter on the node sees: demand, capped at capacity. Undefined for an unknown node. */
  usage(nodeName: string, nowMs: number): ResourceUse | undefined {
    const node = this.#nodes.get(nodeName);
    if (node === undefined) return undefined;
    const demand = this.#demandOf(node, this.#stepAt(nowMs));
    return {
      cpuMilli: Math.min(demand.cpuMilli, node.spec.cpuCapacityMilli),
      memoryBytes: Math.min(demand.memoryBytes, node.spec.memoryCapacityBytes),
    };
  }

  /** Exact integrals from the start of the simulation to `nowMs`. Undefined for an unknown node. */
  cpuTotals(nodeName: string, nowMs: number): CpuTotals | undefined {
    const node = this.#nodes.get(nodeName);
    if (node === undefined) return undefined;
    this.#accountUntil(node, nowMs);
    return { usedMilliMs: node.totals.usedMilliMs, demandMilliMs: node.totals.demandMilliMs };
  }

  /** Exact integrals of what goes over the network and to disk. Undefined for an unknown node. */
  ioTotals(nodeName: string, nowMs: number): IoTotals | undefined {
    const node = this.#nodes.get(nodeName);
    if (node === undefined) return undefined;
    this.#accountUntil(node, nowMs);
    return node.totals.io;
  }

  #stepAt(nowMs: number): number {
    return Math.floor((nowMs - this.#startMs) / SAMPLE_MS);
  }

  #demandOf(node: NodeState, step: number): ResourceUse {
    if (node.cached?.step === step) return node.cached.demand;
    let cpuMilli = node.spec.idleCpuMilli;
    let memoryBytes = node.spec.idleMemoryBytes;
    for (const pod of node.pods.values()) {
      cpuMilli += pod.cpuRequestMilli * shareAt(pod.cpuCurve, step);
      memoryBytes += pod.memoryRequestBytes * shareAt(pod.memoryCurve, step);
    }
    const demand = { cpuMilli, memoryBytes };
    node.cached = { step, demand };
    return demand;
  }

  /** Demand is constant between step boundaries and placements, so the sum over those pieces is exact. */
  #accountUntil(node: NodeState, nowMs: number): void {
    const { totals, spec } = node;
    if (nowMs < totals.untilMs) {
      throw new RangeError(
        `node ${spec.name} is accounted until ${totals.untilMs} ms, ${nowMs} ms is earlier`,
      );
    }
    const elapsedMs = nowMs - totals.untilMs;
    for (const { io } of node.pods.values()) totals.io = addIo(totals.io, io, elapsedMs / 1000);
    while (totals.untilMs < nowMs) {
      const step = this.#stepAt(totals.untilMs);
      const pieceEndMs = Math.min(nowMs, this.#startMs + (step + 1) * SAMPLE_MS);
      const pieceMs = pieceEndMs - totals.untilMs;
      const { cpuMilli } = this.#demandOf(node, step);
      totals.demandMilliMs += cpuMilli * pieceMs;
      totals.usedMilliMs += Math.min(cpuMilli, spec.cpuCapacityMilli) * pieceMs;
      totals.untilMs = pieceEndMs;
    }
  }
}

const NO_IO: IoTotals = { receive: 0, transmit: 0, read: 0, write: 0 };

function addIo(totals: IoTotals, rates: IoRates | undefined, seconds: number): IoTotals {
  if (rates === undefined) return totals;
  return {
    receive: totals.receive + rates.receive * seconds,
    transmit: totals.transmit + rates.transmit * seconds,
    read: totals.read + rates.read * seconds,
    write: totals.write + rates.write * seconds,
  };
}
