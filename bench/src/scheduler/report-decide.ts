import { type DecideFigures, measureDecisions } from './decide.js';

const PODS_PER_NODE = 10;

/** Runs the sizes and writes the table of docs and README. */
export function reportDecisions(write: (line: string) => void): void {
  const sizes = [
    { nodes: 100, rounds: 8 },
    { nodes: 500, rounds: 30 },
    { nodes: 5000, rounds: 12 },
  ];
  write(
    '| nodes / bound pods | equal pods | all distinct | plain loop | equal ÷ plain | distinct ÷ plain | start-up |',
  );
  write('|---|---|---|---|---|---|---|');
  const figures = sizes.map(({ nodes, rounds }) => {
    const measured = measureDecisions({ nodes, podsPerNode: PODS_PER_NODE, rounds });
    write(row(measured));
    return measured;
  });
  const small = figures.find(({ nodes }) => nodes === 500);
  const large = figures.find(({ nodes }) => nodes === 5000);
  if (small === undefined || large === undefined) return;
  const growth = (kind: 'equalPerSecond' | 'distinctPerSecond'): string =>
    (small[kind] / large[kind]).toFixed(1);
  write('');
  write(
    `Cost of a decision, 500 → 5,000 nodes: equal ${growth('equalPerSecond')}×, distinct ${growth('distinctPerSecond')}×.`,
  );
  write(
    `Slowest of 900 decisions while all ${large.nodes} figures change every 50: ${large.slowestAfterRefreshMs.toFixed(1)} ms.`,
  );
  write(
    `Memory: ${(large.bytesPerNode / 1024).toFixed(1)} KiB a node, ${(large.bytesPerPod / 1024).toFixed(1)} KiB a pod, RSS ${large.rssMegabytes.toFixed(0)} MB.`,
  );
}

function row(figures: DecideFigures): string {
  const { nodes, equalPerSecond, distinctPerSecond, plainPerSecond, startUpMs } = figures;
  const rate = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`;
  const ratio = (value: number): string => `${(value / plainPerSecond).toFixed(1)}×`;
  const cells = [
    `${nodes.toLocaleString('en-US')} / ${(nodes * PODS_PER_NODE).toLocaleString('en-US')}`,
    rate(equalPerSecond),
    rate(distinctPerSecond),
    rate(plainPerSecond),
    ratio(equalPerSecond),
    ratio(distinctPerSecond),
    `${(startUpMs / 1000).toFixed(2)} s`,
  ];
  return `| ${cells.join(' | ')} |`;
}
