import type { Benchmark, Timing } from './benchmark.js';

/** One line: both times, and their ratio (below 1: ours is faster). */
export function reportLine({ ours, rival }: Benchmark, timing: Timing): string {
  const ratio = (timing.oursMicroseconds / timing.rivalMicroseconds).toPrecision(3);
  return (
    `${timing.name.padEnd(34)} ${ours.name} ${duration(timing.oursMicroseconds)} ÷ ` +
    `${rival.name} ${duration(timing.rivalMicroseconds)} = ${ratio}`
  );
}

function duration(microseconds: number): string {
  const [value, unit] = microseconds >= 1000 ? [microseconds / 1000, 'ms'] : [microseconds, 'µs'];
  return `${value.toPrecision(3)} ${unit}`;
}
