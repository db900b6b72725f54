import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine, withBlock } from '@catamaran/bench';
import { type BenchCase, type BenchFigures, benchRun } from './bench-run.js';
import type { Contender } from './contenders.js';
import { timeByWork } from './cpu-profile.js';
import { idleLatency, type LatencyFigures } from './latency.js';
import { type BenchReport, inWords, type Medians, mediansOf, reportMarkdown } from './report.js';

const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url));

interface Size extends BenchCase {
  readonly contenders: readonly Contender[];
}

const SMALL: Size = {
  nodes: 1000,
  pods: 5000,
  alike: true,
  contenders: ['kube-scheduler', 'catamaran', 'bare client'],
};
const LARGE: Size = { nodes: 5000, pods: 10_000, alike: false, contenders: ['kube-scheduler', 'catamaran'] };
const SIZES = new Map([
  ['5,000 equal pods on 1,000 nodes', SMALL],
  ['10,000 distinct pods on 5,000 nodes', LARGE],
]);

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** `npm run bench:e2e [-- --runs 3] [--write]`: all in turn on the same pods; medians and ratios on stdout. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '3' }, write: { type: 'boolean', default: false } },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error(`--runs: ${values.runs} is not a whole number above 0`);
  const machine = describeMachine();
  const sizes = new Map<string, Medians>();
  for (const [name, size] of SIZES) sizes.set(name, await measured(name, size, runs));
  const latency: Partial<Record<Contender, LatencyFigures>> = {};
  for (const contender of ['kube-scheduler', 'catamaran'] as const) {
    latency[contender] = await idleLatency(contender);
    say(`idle latency, ${contender}: p99 ${latency[contender]?.p99Ms.toFixed(1)} ms`);
  }
  const report: BenchReport = { sizes, runs, latency, work: await profiled() };
  const text = `${machine}.\n\n${reportMarkdown(report)}`;
  process.stdout.write(`${text}\n`);
  if (values.write) await writeFile(PAGE, withBlock(await readFile(PAGE, 'utf8'), 'real-api', text));
}

async function measured(name: string, size: Size, runs: number): Promise<Medians> {
  const figures = new Map<Contender, BenchFigures[]>();
  for (let run = 0; run < runs; run += 1) {
    for (const contender of size.contenders) {
      const one = await benchRun(contender, size);
      figures.set(contender, [...(figures.get(contender) ?? []), one]);
      say(`${name}, run ${run + 1} of ${runs}, ${contender}: ${inWords(one)}`);
    }
  }
  return Object.fromEntries([...figures].map(([contender, all]) => [contender, mediansOf(all)]));
}

async function profiled(): Promise<BenchReport['work']> {
  const folder = await mkdtemp(join(tmpdir(), 'catamaran-profile-'));
  try {
    say(`with a profile: ${inWords(await benchRun('catamaran', SMALL, folder))}`);
    return await timeByWork(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
