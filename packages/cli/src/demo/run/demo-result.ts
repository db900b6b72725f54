import type { WorldFigures } from './world-statistics.js';

export interface DemoResult {
  readonly pods: number;
  /** Pods bound in both worlds: the smaller of the two counts. */
  readonly bound: number;
  readonly nodes: number;
  readonly seed: number;
  readonly schedulers: { readonly requests: WorldFigures; readonly catamaran: WorldFigures };
  readonly requestedCpuPercent: number;
  readonly simulatedMinutes: number;
  readonly metricRefreshes: number;
  readonly nodesInUseAtEnd: { readonly requests: number; readonly catamaran: number };
  readonly boundByWorld: { readonly requests: number; readonly catamaran: number };
}

/** What `--output json` prints: the contract's keys, in its order. */
export function resultJson(result: DemoResult): string {
  const { pods, bound, nodes, seed, schedulers, requestedCpuPercent, simulatedMinutes, metricRefreshes } =
    result;
  const figures = ({ nodesUsed, meanUtilizationPercent, hotNodeMinutes }: WorldFigures): WorldFigures => ({
    nodesUsed,
    meanUtilizationPercent,
    hotNodeMinutes,
  });
  return JSON.stringify({
    pods,
    bound,
    nodes,
    seed,
    schedulers: { requests: figures(schedulers.requests), catamaran: figures(schedulers.catamaran) },
    requestedCpuPercent,
    simulatedMinutes,
    metricRefreshes,
  });
}
