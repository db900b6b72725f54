import { readFileSync } from 'node:fs';
import type { Node, NodeMetricsObject } from '@catamaran/model';
import { InMemoryCluster, SystemClock, VirtualClock } from '@catamaran/platform';
import { FakeDatadog, FakePrometheus, FakeSignalFx, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { DEFAULT_SAMPLE_TIME_LIMITS } from '../core/figures/sample-time.js';
import { runAtOnce } from '../event-loop.js';
import { createProvider, type ProviderSpec } from './create-provider.js';
import { timeseriesCall } from './datadog/query.js';
import { decodeUsage } from './metrics-server/decode.js';

const NOW_MS = 1_800_000_000_000;

/** The JSON blocks of a page, in order. */
function examples(page: string): readonly unknown[] {
  const url = new URL(`../../../../docs/providers/${page}`, import.meta.url);
  const blocks = [...readFileSync(url, 'utf8').matchAll(/^```json\n([\s\S]*?)^```/gm)];
  return blocks.map(([, text = '']) => JSON.parse(text) as unknown);
}

/** Statistics of CPU of worker-1, by window. */
async function cpuOf(spec: ProviderSpec): Promise<Record<string, Record<string, number>>> {
  const api = new InMemoryCluster({}, { clock: new VirtualClock(NOW_MS - 3_600_000) });
  api.createNode(nodeOf('worker-1'));
  const provider = createProvider(
    spec,
    { refreshIntervalMs: 60_000 },
    { clock: new SystemClock(), random: () => 0, api },
  );
  const { windows } = await provider.fetch(NOW_MS, new AbortController().signal);
  await provider.close();
  return Object.fromEntries(
    windows.map(({ duration, nodes }) => [
      duration,
      Object.fromEntries(
        (nodes.get('worker-1')?.metrics ?? [])
          .filter(({ type }) => type === 'CPU')
          .map(({ operator, value }) => [operator, value]),
      ),
    ]),
  );
}

describe('worked examples of the pages of providers', () => {
  it('Metrics Server', () => {
    const [usage, capacity, expected] = examples('metrics-server.md');
    const node = { metadata: { name: 'worker-1' }, status: { capacity } } as unknown as Node;
    const { samples } = runAtOnce(
      decodeUsage([usage as NodeMetricsObject], {
        nodes: new Map([['worker-1', node]]),
        nowMs: NOW_MS,
        limits: DEFAULT_SAMPLE_TIME_LIMITS,
      }),
    );
    expect(samples.map(({ percent }) => percent)).to.deep.equal([expected]);
  });

  it('Prometheus', async () => {
    const [average, deviation, expected] = examples('prometheus.md');
    const service = await FakePrometheus.start();
    const empty = { status: 'success', data: { resultType: 'vector', result: [] } };
    service.reply = ({ promql }) => {
      const isCpu = promql.includes('node_cpu_seconds_total');
      const answer = promql.startsWith('stddev_over_time') ? deviation : average;
      return { status: 200, body: JSON.stringify(isCpu ? answer : empty) };
    };
    const cpu = await cpuOf({ name: 'Prometheus', baseUrl: service.url });
    await service.close();
    expect(cpu['15m']).to.deep.equal(expected);
  });

  it('SignalFx', async () => {
    const [window, metadata, expected] = examples('signalfx.md');
    const service = await FakeSignalFx.start();
    service.instead = ({ path }) => ({ status: 200, body: path.startsWith('/v1') ? window : metadata });
    const cpu = await cpuOf({
      name: 'SignalFx',
      baseUrl: service.url,
      connection: { token: 'x' },
      hostNameSuffix: '.dc1.example.com',
      clusterName: 'blue',
    });
    await service.close();
    expect(cpu).to.deep.equal(expected);
  });

  it('Datadog, and what it is asked', async () => {
    const [request, answer, expected] = examples('datadog.md');
    const filter = { hostNameSuffix: '-blue', clusterName: 'blue' };
    const span = { startMs: NOW_MS - 900_000, endMs: NOW_MS };
    expect(timeseriesCall(['CPU', 'Memory'], filter, span).body).to.deep.equal(request);
    const service = await FakeDatadog.start();
    service.instead = () => ({ status: 200, body: answer });
    const connection = { token: 'x' };
    const cpu = await cpuOf({ name: 'Datadog', baseUrl: service.url, connection, appKey: 'y', ...filter });
    await service.close();
    expect(cpu).to.deep.equal(expected);
  });
});
