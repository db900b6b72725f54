import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { LoadWatcher, type MetricsProvider, type ProviderDeps } from '@catamaran/load-watcher';
import type { Node, NodeMetricsObject } from '@catamaran/model';
import {
  type ClusterApi,
  type ListQuery,
  SystemClock,
  silentLogger,
  VirtualClock,
} from '@catamaran/platform';
import { benchNodeAddress, benchNodeName } from './bench-provider.js';

export const MINUTE_MS = 60_000;
const REFRESHES = 10;
/** Not measured: the first finds out what there is, and the engine compiles. */
const WARM_UPS = 5;

export interface RefreshFigures {
  readonly cpuSeconds: number;
  /** The longest time in which the process answered nobody. */
  readonly blockedMs: number;
  readonly rssMegabytes: number;
  readonly measuredNodes: number;
  /** All refreshes together, the warm-ups too. */
  readonly refreshes: number;
}

/** What a refresh costs this process. Closes the provider. */
export async function measureRefresh(provider: MetricsProvider): Promise<RefreshFigures> {
  const clock = new VirtualClock(Date.now());
  const watcher = new LoadWatcher(
    { refreshIntervalMs: MINUTE_MS, maxAgeMs: 0 },
    { provider, clock, log: silentLogger },
  );
  watcher.start();
  await watcher.settled();
  const refresh = async (): Promise<void> => {
    await pause(50);
    await clock.advanceBy(MINUTE_MS, () => watcher.settled());
  };
  for (let warmUp = 1; warmUp < WARM_UPS; warmUp += 1) await refresh();
  let rss = 0;
  const cpuSeconds = await cpuSecondsOf(async () => {
    await refresh();
    rss = Math.max(rss, process.memoryUsage.rss());
  });
  const blockedMs = await longestBlockMs(refresh);
  const measuredNodes = watcher.serve()?.figures.nodes.size ?? 0;
  await watcher.close();
  return {
    cpuSeconds,
    blockedMs,
    rssMegabytes: rss / 2 ** 20,
    measuredNodes,
    refreshes: WARM_UPS + 2 * REFRESHES,
  };
}

/** The rival's work as often. CPU seconds each. */
export async function measureRival(work: () => Promise<unknown>): Promise<number> {
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await work();
  return cpuSecondsOf(work);
}

/** Apart from the CPU time, since watching costs some. */
async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let turn = 0; turn < REFRESHES; turn += 1) await work();
  delay.disable();
  return delay.max / 1e6;
}

async function cpuSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let turn = 0; turn < REFRESHES; turn += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / REFRESHES;
}

/** For providers of a cluster with so many nodes. */
export function refreshDeps(nodeCount: number): ProviderDeps & { readonly api: ClusterApi } {
  return { clock: new SystemClock(), random: Math.random, api: listingCluster(nodeCount) };
}

/** Lists at no cost, so that what is measured is the watcher's own work. */
function listingCluster(nodeCount: number): ClusterApi {
  const nodes = Array.from({ length: nodeCount }, (_, index) => nodeOf(index));
  const api: Pick<ClusterApi, 'list' | 'listNodeMetrics'> = {
    list: async (_kind, { limit = nodeCount, continueToken = '0' }: ListQuery) => {
      const start = Number(continueToken);
      const end = start + limit;
      const more = end < nodeCount ? { continueToken: String(end) } : {};
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
