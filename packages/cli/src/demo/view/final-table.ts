import type { DemoResult } from '../run/demo-result.js';

/** Both placements side by side, favourable or not. */
export function finalTable(result: DemoResult, notes: readonly string[]): string[] {
  const { requests, catamaran } = result.schedulers;
  const rows: [title: string, requests: number, catamaran: number, lowerIsBetter: boolean | undefined][] = [
    ['nodes in use (mean over the run)', requests.nodesUsed, catamaran.nodesUsed, true],
    ['nodes in use at the end', result.nodesInUseAtEnd.requests, result.nodesInUseAtEnd.catamaran, true],
    [
      'mean real CPU of nodes in use, %',
      requests.meanUtilizationPercent,
      catamaran.meanUtilizationPercent,
      false,
    ],
    ['hot node-minutes (demand > 80 %)', requests.hotNodeMinutes, catamaran.hotNodeMinutes, true],
    ['pods bound', result.boundByWorld.requests, result.boundByWorld.catamaran, undefined],
  ];
  return [
    `Same ${result.nodes} nodes, ${result.pods} pods, arrivals and usage curves, ${result.simulatedMinutes} simulated minutes, ` +
      `${result.requestedCpuPercent} % of CPU requested, ${result.metricRefreshes} metric refreshes, seed ${result.seed}:`,
    '',
    `${''.padEnd(34)}${'requests only*'.padStart(15)}${'Catamaran'.padStart(12)}`,
    ...rows.map(([title, left, right, lowerIsBetter]) =>
      `${title.padEnd(34)}${String(left).padStart(15)}${String(right).padStart(12)}  ${verdict(left, right, lowerIsBetter)}`.trimEnd(),
    ),
    '',
    "* kube-scheduler's default scoring (NodeResourcesFit LeastAllocated, NodeResourcesBalancedAllocation), re-implemented here.",
    ...notes,
  ];
}

function verdict(requests: number, catamaran: number, lowerIsBetter: boolean | undefined): string {
  if (lowerIsBetter === undefined || requests === catamaran) return '';
  return catamaran < requests === lowerIsBetter ? 'better' : 'worse';
}
