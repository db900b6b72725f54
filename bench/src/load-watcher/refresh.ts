import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createProvider, LoadWatcher, type MetricsProvider } from '@catamaran/load-watcher';
import type { Node, NodeMetricsObject } from '@catamaran/model';
import {
  type ClusterApi,
  type ListQuery,
  SystemClock,
  silentLogger,
  VirtualClock,
} from '@catamaran/platform';
import { benchNodeAddress, benchNodeName } from './bench-provider.js';
import { startHistoricPrometheus } from './prometheus-history.js';

const NODES = 5_000;
const REFRESHES = 5;
const MINUTE_MS = 60_000;
/** CPU that the Go service spends on a refresh of 5,000 nodes with CPU and memory series. */
const GO_CPU_SECONDS = 0.35;

/**
 * What a refresh of 5,000 nodes costs this process: CPU, longest block of the event loop, queries, memory. Names the
 * Go service's CPU time beside it.
 */
const nodes = Array.from({ length: NODES }, (_, index) => nodeOf(index));
const port = Number(process.argv[2] ?? 29_090);
const prometheus = await startHistoricPrometheus(NODES, port);
await report(
  'Prometheus',
  createProvider(
    { name: 'Prometheus', baseUrl: prometheus.url },
    { refreshIntervalMs: MINUTE_MS, callTimeoutMs: 60_000 },
    deps(),
  ),
  () => prometheus.queries(),
);
await prometheus.close();
await report(
  'Metrics Server',
  createProvider({ name: 'KubernetesMetricsServer' }, { refreshIntervalMs: MINUTE_MS }, deps()),
  async () => 0,
);

async function report(
  name: string,
  provider: MetricsProvider,
  queries: () => Promise<number>,
): Promise<void> {
  const clock = new VirtualClock(Date.now());
  const watcher = new LoadWatcher(
    { refreshIntervalMs: MINUTE_MS, maxAgeMs: 0 },
    { provider, clock, log: silentLogger },
  );
  watcher.start();
  await watcher.settled();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = { queries: await queries(), cpu: process.cpuUsage() };
  let peakRss = 0;
  delay.enable();
  for (let refresh = 0; refresh < REFRESHES; refresh += 1) {
    await pause(50);
    await clock.advanceBy(MINUTE_MS, () => watcher.settled());
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  }
  delay.disable();
  const cpu = process.cpuUsage(before.cpu);
  const asked = (await queries()) - before.queries;
  const cpuSeconds = (cpu.user + cpu.system) / 1e6 / REFRESHES;
  const served = watcher.serve()?.figures;
  process.stdout.write(
    `refresh of ${served?.nodes.size ?? 0} nodes from ${name}: ${cpuSeconds.toFixed(3)} s CPU ÷ Go service ${GO_CPU_SECONDS} s = ` +
      `${(cpuSeconds / GO_CPU_SECONDS).toFixed(2)}; event loop blocked at most ${(delay.max / 1e6).toFixed(0)} ms; ` +
      `${asked / REFRESHES} queries; RSS ${(peakRss / 2 ** 20).toFixed(0)} MB\n`,
  );
  await watcher.close();
}

function deps() {
  return { clock: new SystemClock(), random: Math.random, api: benchCluster() };
}

/** Lists at no cost, so that what is measured is the watcher's own work. */
function benchCluster(): ClusterApi {
  const api: Pick<ClusterApi, 'list' | 'listNodeMetrics'> = {
    list: async (_kind, { limit = NODES, continueToken = '0' }: ListQuery) => {
      const start = Number(continueToken);
      const end = start + limit;
      const more = end < NODES ? { continueToken: String(end) } : {};
      return { items: nodes.slice(start, end) as never[], resourceVersion: '1', ...more };
    },
    listNodeMetrics: async () => nodes.map(({ metadata }, index) => usageOf(metadata.name, index)),
  };
  return api as ClusterApi;
}

function nodeOf(index: number): Node {
  return {
    metadata: { name: benchNodeName(index), uid: `uid-${index}`, resourceVersion: '7' },
    status: {
      capacity: { cpu: '8', memory: '64Gi' },
      addresses: [{ type: 'InternalIP', address: benchNodeAddress(index) }],
    },
  };
}

function usageOf(name: string, index: number): NodeMetricsObject {
  return {
    metadata: { name },
    usage: { cpu: `${(index % 8) * 123456789}n`, memory: `${(index % 60) * 1048576}Ki` },
  };
}
