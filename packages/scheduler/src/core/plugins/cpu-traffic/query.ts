import type { TrafficKind } from '../traffic/traffic-kind.js';

const TIME = 'node_cpu_seconds_total';

/** Share of the time that the CPUs were idle, percent. A share of rates stays right where a series has just begun. */
export const CPU_TRAFFIC: TrafficKind = {
  name: 'CPUTraffic',
  folder: 'cpu-traffic',
  signal: 'cpu-idle',
  unit: 'percent',
  direction: 'free',
  measuresDevices: false,
  measuresMounts: false,
  promql: ({ range }) => {
    const sum = (selector: string) => `sum without (cpu, mode) (rate(${selector}[${range}]))`;
    return `100 * ${sum(`${TIME}{mode="idle"}`)} / ${sum(TIME)} and count without (cpu, mode) (${TIME})`;
  },
};
