import { readFileSync } from 'node:fs';

interface Reading {
  readonly atMs: number;
  readonly busyTicks: number;
  readonly totalTicks: number;
  /** Percent of MemTotal that is not MemAvailable. */
  readonly memoryPercent: number;
}

const INTERVAL_MS = 200;

/** Reads /proc/stat and /proc/meminfo itself, often, so that any span can be compared with what an exporter saw. */
export class ProcRecorder {
  readonly #readings: Reading[] = [];
  readonly #timer = setInterval(() => this.#read(), INTERVAL_MS);

  constructor() {
    this.#read();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Busy share of CPU time between two instants, in percent: not idle, not waiting for I/O, not stolen. */
  cpuPercent(fromMs: number, toMs: number): number {
    const busy = this.#at(toMs, 'busyTicks') - this.#at(fromMs, 'busyTicks');
    const total = this.#at(toMs, 'totalTicks') - this.#at(fromMs, 'totalTicks');
    return (100 * busy) / total;
  }

  /** Mean of the memory in use between two instants, in percent. */
  memoryPercent(fromMs: number, toMs: number): number {
    const inside = this.#readings.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return inside.reduce((sum, { memoryPercent }) => sum + memoryPercent, 0) / inside.length;
  }

  #at(atMs: number, key: 'busyTicks' | 'totalTicks'): number {
    const next = this.#readings.findIndex((reading) => reading.atMs >= atMs);
    const [before, after] = [this.#readings[next - 1], this.#readings[next]];
    if (before === undefined || after === undefined)
      throw new Error(`no reading around ${new Date(atMs).toISOString()}`);
    return before[key] + ((after[key] - before[key]) * (atMs - before.atMs)) / (after.atMs - before.atMs);
  }

  #read(): void {
    const ticks = (/^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '').split(' ').map(Number);
    // user nice system idle iowait irq softirq steal; guest time is part of user.
    const counted = ticks.slice(0, 8);
    const [, , , idle = 0, iowait = 0, , , steal = 0] = counted;
    const totalTicks = counted.reduce((sum, value) => sum + value, 0);
    const memory = readFileSync('/proc/meminfo', 'utf8');
    const kib = (key: string): number => Number(new RegExp(`^${key}: +(\\d+)`, 'm').exec(memory)?.[1]);
    this.#readings.push({
      atMs: Date.now(),
      busyTicks: totalTicks - idle - iowait - steal,
      totalTicks,
      memoryPercent: 100 * (1 - kib('MemAvailable') / kib('MemTotal')),
    });
  }
}
