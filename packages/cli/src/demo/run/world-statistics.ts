import type { LoadModel } from '@catamaran/simulator';
import type { PlannedNode } from '../plan/world-plan.js';

/** A minute is hot for a node whose pods want more CPU than this on average over the minute. */
const HOT_SHARE = 0.8;
const MINUTE_MS = 60_000;

/** One world over the whole simulated time. A node is in use while it runs at least one pod. */
export interface WorldFigures {
  /** Nodes in use, mean over all minutes, one decimal. */
  readonly nodesUsed: number;
  /** Real CPU use of nodes in use, mean over nodes and minutes, percent of capacity, one decimal. */
  readonly meanUtilizationPercent: number;
  /** Node-minutes with a CPU demand above 80 % of capacity. */
  readonly hotNodeMinutes: number;
}

export class WorldStatistics {
  readonly #nodes: readonly PlannedNode[];
  readonly #model: LoadModel;
  readonly #lastDemandMilliMs: number[];
  readonly #lastUsedMilliMs: number[];
  #minutes = 0;
  #usedNodeMinutes = 0;
  #utilizationPercentMinutes = 0;
  #hotNodeMinutes = 0;

  constructor(nodes: readonly PlannedNode[], model: LoadModel) {
    this.#nodes = nodes;
    this.#model = model;
    this.#lastDemandMilliMs = nodes.map(() => 0);
    this.#lastUsedMilliMs = nodes.map(() => 0);
  }

  /** Call once a minute, at its end. */
  recordMinute(nowMs: number): void {
    this.#minutes += 1;
    this.#nodes.forEach((node, index) => {
      const totals = this.#model.cpuTotals(node.name, nowMs);
      if (totals === undefined) return;
      const capacityMilliMs = node.cpuCapacityMilli * MINUTE_MS;
      const demandShare = (totals.demandMilliMs - (this.#lastDemandMilliMs[index] ?? 0)) / capacityMilliMs;
      const usedShare = (totals.usedMilliMs - (this.#lastUsedMilliMs[index] ?? 0)) / capacityMilliMs;
      this.#lastDemandMilliMs[index] = totals.demandMilliMs;
      this.#lastUsedMilliMs[index] = totals.usedMilliMs;
      if (this.#model.podCount(node.name) > 0) {
        this.#usedNodeMinutes += 1;
        this.#utilizationPercentMinutes += 100 * usedShare;
      }
      if (demandShare > HOT_SHARE) this.#hotNodeMinutes += 1;
    });
  }

  figures(): WorldFigures {
    return {
      nodesUsed: oneDecimal(this.#usedNodeMinutes / Math.max(1, this.#minutes)),
      meanUtilizationPercent: oneDecimal(
        this.#utilizationPercentMinutes / Math.max(1, this.#usedNodeMinutes),
      ),
      hotNodeMinutes: this.#hotNodeMinutes,
    };
  }
}

export function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
