/** One of the two that are compared. */
export interface Contender {
  readonly name: string;
  /** One unit of work; called many times. */
  readonly run: () => unknown;
}

/** A measure of ours against something named, on the same machine in the same minute. */
export interface Benchmark {
  readonly name: string;
  readonly ours: Contender;
  readonly rival: Contender;
}

export interface Timing {
  readonly name: string;
  readonly oursMicroseconds: number;
  readonly rivalMicroseconds: number;
}

const WARM_UP_MS = 150;
const ROUND_MS = 60;
const ROUNDS = 9;

/** Times both in turn, so that a busy moment of the machine hits both; takes the median round of each. */
export function measure(benchmark: Benchmark): Timing {
  const { ours, rival } = benchmark;
  for (const contender of [ours, rival]) {
    timeRound(contender, WARM_UP_MS);
  }
  const rounds = Array.from({ length: ROUNDS }, () => [
    timeRound(ours, ROUND_MS),
    timeRound(rival, ROUND_MS),
  ]);
  return {
    name: benchmark.name,
    oursMicroseconds: median(rounds.map(([time]) => time ?? 0)),
    rivalMicroseconds: median(rounds.map(([, time]) => time ?? 0)),
  };
}

/** Microseconds per run, over at least `leastMs`. */
function timeRound({ run }: Contender, leastMs: number): number {
  const startedMs = performance.now();
  let runs = 0;
  let elapsedMs = 0;
  do {
    run();
    runs++;
    elapsedMs = performance.now() - startedMs;
  } while (elapsedMs < leastMs);
  return (elapsedMs * 1000) / runs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
