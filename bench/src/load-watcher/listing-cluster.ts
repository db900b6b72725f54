import type { ProviderDeps } from '@catamaran/load-watcher';
import type { Node, NodeMetricsObject } from '@catamaran/model';
import { type Clock, type ClusterApi, type ListQuery, SystemClock } from '@catamaran/platform';
import { benchNodeAddress, benchNodeName } from './bench-provider.js';

/** For providers of a cluster with so many nodes, measured at the clock's now. */
export function refreshDeps(
  nodeCount: number,
  now: Pick<Clock, 'nowMs'>,
): ProviderDeps & { readonly api: ClusterApi } {
  return { clock: new SystemClock(), random: Math.random, api: listingCluster(nodeCount, now) };
}

/** Lists at no cost, so that what is measured is the watcher's own work. */
function listingCluster(nodeCount: number, now: Pick<Clock, 'nowMs'>): ClusterApi {
  const nodes = Array.from({ length: nodeCount }, (_, index) => nodeOf(index));
  const api: Pick<ClusterApi, 'list' | 'listNodeMetrics'> = {
    list: async (_kind, { limit = nodeCount, continueToken = '0' }: ListQuery) => {
      const start = Number(continueToken);
      const end = start + limit;
      const more = end < nodeCount ? { continueToken: String(end) } : {};
      return { items: nodes.slice(start, end) as never[], resourceVersion: '1', ...more };
    },
    listNodeMetrics: async () => {
      const timestamp = new Date(now.nowMs()).toISOString();
      return nodes.map(({ metadata }, index) => ({ ...usageOf(metadata.name, index), timestamp }));
    },
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
