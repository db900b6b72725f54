import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzip } from 'node:zlib';
import { createProvider, type MetricsProvider } from '@catamaran/load-watcher';
import type { NodeMetricsObject } from '@catamaran/model';
import { VirtualClock } from '@catamaran/platform';
import type { Suite } from '../suite.js';
import { refreshDeps } from './listing-cluster.js';
import { stretchText } from './longest-stretch.js';
import { MINUTE_MS, measureRefresh, measureRival } from './refresh-measurement.js';

const SIZES = [100, 1000, 5000];

export const refreshMetricsServerSuite: Suite = {
  name: 'refresh-metrics-server',
  summary:
    'A refresh from the Metrics Server, three windows of averages, against one plain pass over the newest sample.',
  run: async (say) => {
    say('rolling windows');
    const windows: string[] = [];
    for (const nodes of SIZES) {
      const bytes = await windowBytesPerNode(nodes);
      windows.push(`${bytes.toFixed(0)} bytes a node with ${nodes.toLocaleString('en-US')} nodes`);
    }
    const measured = [];
    for (const nodes of SIZES) {
      say(`${nodes} nodes`);
      measured.push({ nodes, ...(await measureNodes(nodes)) });
    }
    const large = measured.at(-1);
    return {
      comparisons: measured.map(({ nodes, ours, rival }) => ({
        what: `refresh, ${nodes.toLocaleString('en-US')} nodes`,
        unit: 'CPU seconds' as const,
        ours: ours.cpuSeconds,
        rival,
        rivalName: 'one plain pass',
      })),
      facts: [
        `With ${large?.nodes.toLocaleString('en-US')} nodes the process is busy at most ${large === undefined ? '' : stretchText(large.ours.blocked)} at a stretch; RSS ${large?.ours.rssMegabytes.toFixed(0)} MB, while sixteen clients ask for the whole at most ${large?.ours.servingRssMegabytes.toFixed(0)} MB.`,
        `The rolling windows take ${windows.join(', ')}.`,
      ],
    };
  },
};

async function measureNodes(nodes: number) {
  const clock = new VirtualClock(Date.now());
  const ours = await measureRefresh(providerOf(nodes, clock), clock);
  if (ours.measuredNodes !== nodes) throw new Error(`${ours.measuredNodes} of ${nodes} nodes have figures`);
  const items = await refreshDeps(nodes, clock).api.listNodeMetrics(new AbortController().signal);
  const rival = await measureRival(() => plainPass(items));
  return { ours, rival };
}

function providerOf(nodes: number, clock: VirtualClock): MetricsProvider {
  const deps = refreshDeps(nodes, clock);
  return createProvider({ name: 'KubernetesMetricsServer' }, { refreshIntervalMs: MINUTE_MS }, deps);
}

/** What the samples of sixteen refreshes take outside of the engine's heap, where their columns are. */
async function windowBytesPerNode(nodes: number): Promise<number> {
  const clock = new VirtualClock(Date.now());
  const { signal } = new AbortController();
  const provider = providerOf(nodes, clock);
  const before = await heldBytes();
  for (let refresh = 0; refresh < 16; refresh += 1) {
    await clock.advanceBy(MINUTE_MS);
    await provider.fetch(clock.nowMs(), signal);
  }
  const held = (await heldBytes()) - before;
  await provider.close();
  return held / nodes;
}

async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Buffers are freed in a turn after the collection that found them.
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await pause(10);
  }
  return process.memoryUsage().arrayBuffers;
}

/** The rival: percentages of the newest sample by plain arithmetic, JSON.stringify, gzip; keeps and checks nothing. */
function plainPass(items: readonly NodeMetricsObject[]): Promise<Buffer> {
  const metrics = items.map(({ metadata, usage }) => {
    const cpuPercent = (100 * Number.parseInt(String(usage?.cpu), 10)) / (8 * 1e9);
    const memoryPercent = (100 * Number.parseInt(String(usage?.memory), 10)) / (64 * 1024 ** 2);
    const entry = [
      { name: 'cpu', type: 'CPU', operator: 'Latest', rollup: '', value: cpuPercent },
      { name: 'memory', type: 'Memory', operator: 'Latest', rollup: '', value: memoryPercent },
    ];
    return [metadata.name, { metrics: entry, tags: {}, metadata: {} }] as const;
  });
  return promisify(gzip)(JSON.stringify({ data: { NodeMetricsMap: Object.fromEntries(metrics) } }));
}
