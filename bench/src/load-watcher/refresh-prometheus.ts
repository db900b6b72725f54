import { spawnSync } from 'node:child_process';
import { createProvider } from '@catamaran/load-watcher';
import { VirtualClock } from '@catamaran/platform';
import type { Suite } from '../suite.js';
import { refreshDeps } from './listing-cluster.js';
import { stretchText } from './longest-stretch.js';
import { type HistoricPrometheus, startHistoricPrometheus } from './prometheus-history.js';
import { recordQueries, replayQueries } from './query-recorder.js';
import { MINUTE_MS, measureRefresh, measureRival } from './refresh-measurement.js';

const NODES = 5_000;

export const refreshPrometheusSuite: Suite = {
  name: 'refresh-prometheus',
  summary: `A refresh of ${NODES} nodes from a real Prometheus, against asking it the same with node:http and JSON.parse.`,
  run: async (say) => {
    const missing = ['prometheus', 'promtool'].find((program) => !isInstalled(program));
    if (missing !== undefined) return { skipped: `${missing} is not installed (Debian package prometheus)` };
    say(`writing an hour of history of ${NODES} nodes`);
    const prometheus = await startHistoricPrometheus(NODES);
    try {
      say('refreshing');
      return await measure(prometheus);
    } finally {
      await prometheus.close();
    }
  },
};

async function measure(prometheus: HistoricPrometheus) {
  const before = await prometheus.queries();
  const clock = new VirtualClock(Date.now());
  const ours = await measureRefresh(providerAt(prometheus.url, clock), clock);
  const asked = (await prometheus.queries()) - before;
  const queries = await recordQueries(prometheus.url, async (url) => {
    const provider = providerAt(url, clock);
    const { signal } = new AbortController();
    for (let refresh = 0; refresh < 2; refresh += 1) await provider.fetch(clock.nowMs(), signal);
    await provider.close();
  });
  const rival = await measureRival(() => replayQueries(prometheus.url, queries));
  const comparison = {
    what: `refresh, ${ours.measuredNodes.toLocaleString('en-US')} nodes, ${queries.length} queries`,
    unit: 'CPU seconds' as const,
    ours: ours.cpuSeconds,
    rival,
    rivalName: 'node:http + JSON.parse',
  };
  return {
    comparisons: [comparison],
    facts: [
      `${(asked / ours.refreshes).toFixed(0)} queries a refresh; the process is busy at most ${stretchText(ours.blocked)} at a stretch; RSS ${ours.rssMegabytes.toFixed(0)} MB, while sixteen clients ask for the whole at most ${ours.servingRssMegabytes.toFixed(0)} MB.`,
      'For comparison, measured apart: the Go load-watcher spends 0.35 s CPU and 102 queries on a refresh of as many nodes, and takes 98 MB, while serving 514 MB.',
    ],
  };
}

function providerAt(baseUrl: URL, clock: VirtualClock) {
  return createProvider(
    { name: 'Prometheus', baseUrl },
    { refreshIntervalMs: MINUTE_MS, callTimeoutMs: MINUTE_MS },
    refreshDeps(NODES, clock),
  );
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}
