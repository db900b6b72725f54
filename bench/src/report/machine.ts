import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

const GIB = 1024 ** 3;

/** What figures depend on, and when they were taken: one line. */
export function describeMachine(): string {
  const model = (cpus()[0]?.model ?? 'unknown CPU').replace(/\s+/g, ' ').trim();
  const memory = `${Math.round(totalmem() / GIB)} GiB`;
  const day = new Date().toISOString().slice(0, 10);
  const busy = `load average ${(loadavg()[0] ?? 0).toFixed(1)} before the run`;
  return `${day}, Node.js ${process.versions.node}, ${availableParallelism()} × ${model}, ${memory}, ${type()} ${release()}, ${busy}`;
}
