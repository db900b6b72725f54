import type { Comparison, Suite } from '../suite.js';
import { type DecideFigures, measureDecisions } from './decide.js';

const PODS_PER_NODE = 10;
/** Lets the engine compile; small clusters have no room for enough pods to do that on their own. */
const WARM_UP = { nodes: 500, rounds: 10 };
const SIZES = [
  { nodes: 100, rounds: 8 },
  { nodes: 500, rounds: 30 },
  { nodes: 5000, rounds: 12 },
];

export const decisionsSuite: Suite = {
  name: 'decisions',
  summary:
    'Decisions of the scheduler, without an API, against a plain loop over all nodes with the same plugins.',
  run: (say) => {
    measureDecisions({ ...WARM_UP, podsPerNode: PODS_PER_NODE });
    const figures = SIZES.map(({ nodes, rounds }) => {
      say(`${nodes} nodes`);
      return measureDecisions({ nodes, podsPerNode: PODS_PER_NODE, rounds });
    });
    return Promise.resolve({
      comparisons: figures.flatMap(comparisonsOf),
      facts: factsOf(figures),
      scaling: scalingTable(figures),
    });
  },
};

function comparisonsOf(figures: DecideFigures): Comparison[] {
  const { equalPerSecond, distinctPerSecond, plainPerSecond: rival } = figures;
  const compared = { unit: 'per second', rival, rivalName: 'plain loop' } as const;
  return [
    { ...compared, what: `equal pods, ${sizeText(figures)}`, ours: equalPerSecond },
    { ...compared, what: `pods all distinct, ${sizeText(figures)}`, ours: distinctPerSecond },
  ];
}

function factsOf(figures: readonly DecideFigures[]): string[] {
  const small = figures.find(({ nodes }) => nodes === 500);
  const large = figures.find(({ nodes }) => nodes === 5000);
  if (small === undefined || large === undefined) return [];
  const growth = (kind: 'equalPerSecond' | 'distinctPerSecond'): string =>
    (small[kind] / large[kind]).toFixed(1);
  const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
  return [
    `Cost of a decision from 500 to 5,000 nodes: ${growth('equalPerSecond')} times for equal pods, ${growth('distinctPerSecond')} times for distinct ones.`,
    `Slowest of 900 decisions on 5,000 nodes while the figures of all nodes change every 50: ${large.slowestAfterRefreshMs.toFixed(1)} ms.`,
    `Memory: ${kib(large.bytesPerNode)} a node, ${kib(large.bytesPerPod)} a pod; RSS with 5,000 nodes ${large.rssMegabytes.toFixed(0)} MB.`,
  ];
}

function scalingTable(figures: readonly DecideFigures[]): string[] {
  const rate = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`;
  const rows = figures.map((each) => {
    const { equalPerSecond, distinctPerSecond, plainPerSecond, startUpMs } = each;
    const rates = [equalPerSecond, distinctPerSecond, plainPerSecond].map(rate);
    return `| ${[sizeText(each), ...rates, `${(startUpMs / 1000).toFixed(2)} s`].join(' | ')} |`;
  });
  return [
    '| cluster | decisions, equal pods | decisions, all distinct | a plain loop | reading the cluster |',
    '|---|---|---|---|---|',
    ...rows,
  ];
}

function sizeText({ nodes }: DecideFigures): string {
  const count = (value: number): string => value.toLocaleString('en-US');
  return `${count(nodes)} nodes, ${count(nodes * PODS_PER_NODE)} pods`;
}
