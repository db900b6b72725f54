import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

const GIB = 1024 ** 3;

/** What figures depend on, and when they were taken: one line. */
export function describeMachine(): string {
  const model = (cpus()[0]?.model ?? 'unknown CPU').replace(/\s+/g, ' ').trim();
  const memory = `${Math.round(totalmem() / GIB)} GiB`;
  const day = new Date().toISOString().slice(0, 10);
  const [load = 0] = loadavg();
  const busy = load > availableParallelism() ? ' (busy: trust the ratios, not the rates)' : '';
  const before = `load average ${load.toFixed(1)} before the run${busy}`;
  return `${day}, Node.js ${process.versions.node}, ${availableParallelism()} × ${model}, ${memory}, ${type()} ${release()}, ${before}`;
}
