import type { MetricsProvider, ProviderFetch } from '@catamaran/load-watcher';
import { type Metric, WINDOW_DURATIONS, WINDOW_SECONDS } from '@catamaran/model';

/** A provider that has CPU and memory, average and deviation, of as many nodes as asked for. */
export function benchProvider(nodeCount: number): MetricsProvider {
  return {
    source: 'Prometheus',
    fetch: async (nowMs) => benchFetch(nodeCount, nowMs),
    health: async () => ({ healthy: true, reason: '' }),
    close: async () => undefined,
  };
}

/** Named as on EKS, where names are long. */
export function benchNodeName(index: number): string {
  return `ip-10-${Math.floor(index / 250)}-${index % 250}-7.eu-west-1.compute.internal`;
}

function benchFetch(nodeCount: number, nowMs: number): ProviderFetch {
  const endUnixSeconds = Math.floor(nowMs / 1000);
  const windows = WINDOW_DURATIONS.map((duration) => {
    const nodes = Array.from({ length: nodeCount }, (_, index) => {
      const value = ((index * 37) % 9500) / 97;
      const entry = { metrics: benchMetrics(duration, value), sampleUnixMs: nowMs, sources: [] };
      return [benchNodeName(index), entry] as const;
    });
    const startUnixSeconds = endUnixSeconds - WINDOW_SECONDS[duration];
    return { duration, startUnixSeconds, endUnixSeconds, complete: true, nodes: new Map(nodes) };
  });
  return { windows, absences: [], failures: [] };
}

function benchMetrics(rollup: string, value: number): readonly Metric[] {
  const cpu = { name: 'instance:node_cpu:ratio', type: 'CPU', rollup };
  const memory = { name: 'instance:node_memory_utilisation:ratio', type: 'Memory', rollup };
  return [
    { ...cpu, operator: 'AVG', value },
    { ...memory, operator: 'AVG', value: 100 - value },
    { ...cpu, operator: 'STD', value: value / 7 },
    { ...memory, operator: 'STD', value: value / 11 },
  ];
}

export function benchNodeAddress(index: number): string {
  return `10.${Math.floor(index / 250)}.${index % 250}.7`;
}
