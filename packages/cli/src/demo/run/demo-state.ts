import type { WorldFigures } from './world-statistics.js';

/** What a person watches, at one instant. */
export interface DemoState {
  readonly simulatedMs: number;
  readonly totalMs: number;
  readonly seed: number;
  readonly nodeCount: number;
  readonly podCount: number;
  readonly arrived: number;
  readonly metricRefreshes: number;
  readonly requests: WorldState;
  readonly catamaran: WorldState;
  /** The newest arrivals that both worlds have placed, newest last. */
  readonly placements: readonly PlacementPair[];
}

export interface WorldState {
  readonly bound: number;
  readonly nodesInUse: number;
  readonly figures: WorldFigures;
  /** In the order of the plan, the same in both worlds. */
  readonly nodes: readonly NodeState[];
}

export interface NodeState {
  readonly name: string;
  readonly cpuCapacityMilli: number;
  readonly podCount: number;
  /** Requests of the pods on it, percent of what is allocatable. */
  readonly requestedPercent: number;
  /** CPU the node wants now, percent of capacity; above 100 it wants more than it has. */
  readonly demandPercent: number;
}

export interface PlacementPair {
  readonly pod: string;
  readonly simulatedMs: number;
  readonly cpuRequestMilli: number;
  readonly requests: Placement;
  readonly catamaran: Placement;
}

/** Where a pod went and why. */
export interface Placement {
  readonly node: string;
  /** Sum of the plugins that tell nodes apart; those that give every node the same are left out. */
  readonly score: number;
  /** CPU use of that node that TargetLoadPacking expected with the pod, percent; undefined without the plugin. */
  readonly predictedPercent: number | undefined;
  readonly secondBest: { readonly node: string; readonly score: number } | undefined;
}
