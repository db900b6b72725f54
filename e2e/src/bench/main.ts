import { parseArgs } from 'node:util';
import { type BenchCase, type BenchFigures, benchRun, type Contender } from './bench-run.js';

const CASES: Readonly<Record<string, BenchCase>> = {
  '5,000 equal pods on 1,000 nodes': { nodes: 1000, pods: 5000, alike: true },
  '10,000 distinct pods on 5,000 nodes': { nodes: 5000, pods: 10_000, alike: false },
};
const CONTENDERS: readonly Contender[] = ['kube-scheduler', 'catamaran'];

/** `npm run bench:e2e [-- --runs 3]`: both schedulers in turn on the same pods; medians and their ratio on stdout. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } });
  for (const [name, size] of Object.entries(CASES)) {
    const figures: Record<Contender, BenchFigures[]> = { catamaran: [], 'kube-scheduler': [] };
    for (let run = 0; run < Number(values.runs); run += 1) {
      for (const contender of CONTENDERS) {
        const measured = await benchRun(contender, size);
        figures[contender].push(measured);
        process.stderr.write(`${name}, ${contender}: ${inWords(measured)}\n`);
      }
    }
    const [theirs, ours] = CONTENDERS.map((contender) => median(figures[contender]));
    if (theirs === undefined || ours === undefined) continue;
    process.stdout.write(
      `${name}\n  kube-scheduler  ${inWords(theirs)}\n  catamaran       ${inWords(ours)}\n` +
        `  ratio           ${(ours.podsPerSecond / theirs.podsPerSecond).toFixed(2)} pods/s, ${(ours.peakMebibytes / theirs.peakMebibytes).toFixed(2)} memory\n`,
    );
  }
}

function inWords({ podsPerSecond, peakMebibytes, cpuSeconds }: BenchFigures): string {
  return `${podsPerSecond.toFixed(0)} pods/s, peak ${peakMebibytes.toFixed(0)} MiB, ${cpuSeconds.toFixed(1)} CPU s`;
}

function median(runs: readonly BenchFigures[]): BenchFigures | undefined {
  return [...runs].sort((a, b) => a.podsPerSecond - b.podsPerSecond).at(Math.floor(runs.length / 2));
}

await main();
