import type { TrafficKind } from '../traffic/traffic-kind.js';

const [AVAILABLE, TOTAL] = ['node_memory_MemAvailable_bytes', 'node_memory_MemTotal_bytes'] as const;

/** Memory that is available, of all memory, percent. */
export const MEMORY_TRAFFIC: TrafficKind = {
  name: 'MemoryTraffic',
  folder: 'memory-traffic',
  signal: 'memory-available',
  unit: 'percent',
  direction: 'free',
  measuresDevices: false,
  measuresMounts: false,
  promql: ({ range }) =>
    `100 * avg_over_time(${AVAILABLE}[${range}]) / (avg_over_time(${TOTAL}[${range}]) > 0) and ${AVAILABLE}`,
};
