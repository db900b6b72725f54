import type { BenchFigures } from './bench-run.js';
import type { Contender } from './contenders.js';
import type { LatencyFigures } from './latency.js';

/** Medians of several runs of one size. */
export type Medians = Readonly<Partial<Record<Contender, BenchFigures>>>;

export interface BenchReport {
  /** Name of the size → medians. */
  readonly sizes: ReadonlyMap<string, Medians>;
  readonly runs: number;
  readonly latency: Readonly<Partial<Record<Contender, LatencyFigures>>>;
  readonly work: readonly { readonly what: string; readonly ms: number }[];
}

export function inWords({ podsPerSecond, peakMebibytes, cpuSeconds }: BenchFigures): string {
  return `${podsPerSecond.toFixed(0)} pods/s, peak ${peakMebibytes.toFixed(0)} MiB, ${cpuSeconds.toFixed(1)} CPU s`;
}

/** Each figure by itself, as several things are compared. */
export function mediansOf(runs: readonly BenchFigures[]): BenchFigures {
  const of = (pick: (run: BenchFigures) => number): number =>
    runs.map(pick).sort((a, b) => a - b)[Math.floor((runs.length - 1) / 2)] ?? Number.NaN;
  return {
    podsPerSecond: of((run) => run.podsPerSecond),
    peakMebibytes: of((run) => run.peakMebibytes),
    cpuSeconds: of((run) => run.cpuSeconds),
    serverCpuSeconds: of((run) => run.serverCpuSeconds),
    seconds: of((run) => run.seconds),
  };
}

/** The report as Markdown. */
export function reportMarkdown({ sizes, runs, latency, work }: BenchReport): string {
  return [
    `Medians of ${runs} runs each, in turn; the rate is from the first binding to the last.`,
    ...[...sizes].map(([name, medians]) => sizeTable(name, medians)),
    latencyLine(latency),
    workTable(work),
  ].join('\n\n');
}

function sizeTable(name: string, medians: Medians): string {
  const ours = medians.catamaran;
  const rows = Object.entries(medians).map(([contender, figures]) => {
    const { podsPerSecond, peakMebibytes, cpuSeconds, serverCpuSeconds, seconds } = figures;
    const busy = ((cpuSeconds + serverCpuSeconds) / seconds).toFixed(1);
    const cells = [
      contender,
      `${podsPerSecond.toFixed(0)}/s`,
      contender === 'catamaran' ? '' : `${((ours?.podsPerSecond ?? Number.NaN) / podsPerSecond).toFixed(2)}×`,
      `${peakMebibytes.toFixed(0)} MiB`,
      contender === 'catamaran' ? '' : `${((ours?.peakMebibytes ?? Number.NaN) / peakMebibytes).toFixed(2)}×`,
      `${cpuSeconds.toFixed(1)} s`,
      `${serverCpuSeconds.toFixed(1)} s`,
      busy,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `${name}:`,
    '',
    '| | pods bound | ours is | peak RSS | ours is | its CPU | CPU of kube-apiserver and etcd | cores busy |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function latencyLine(latency: BenchReport['latency']): string {
  const parts = Object.entries(latency).map(
    ([contender, { medianMs, p99Ms }]) =>
      `${contender} ${medianMs.toFixed(1)} ms median, ${p99Ms.toFixed(1)} ms p99`,
  );
  return `From a pod's creation to its binding on an idle cluster of 1,000 nodes, fifty pods a second: ${parts.join('; ')}.`;
}

function workTable(work: BenchReport['work']): string {
  const sum = work.reduce((total, { ms }) => total + ms, 0);
  const rows = work.map(
    ({ what, ms }) => `| ${what} | ${ms.toFixed(0)} ms | ${((100 * ms) / sum).toFixed(0)} % |`,
  );
  return [
    'Where our time goes at the first size, from the start of the process to its end, by a CPU profile:',
    '',
    '| | time | share |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
