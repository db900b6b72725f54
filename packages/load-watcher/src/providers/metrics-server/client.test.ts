import { InMemoryCluster, SystemClock, VirtualClock } from '@catamaran/platform';
import { FaultyClusterApi, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { MetricsServerProvider } from './client.js';

const START_MS = 1_800_000_000_000;
const { signal } = new AbortController();

function figures(fetched: ProviderFetch, duration: string, node = 'n1'): string[] {
  const window = fetched.windows.find((candidate) => candidate.duration === duration);
  return (window?.nodes.get(node)?.metrics ?? []).map(
    ({ name, type, operator, rollup, value }) => `${name} ${type} ${operator} ${rollup} ${value}`,
  );
}

describe('MetricsServerProvider', () => {
  let clock: VirtualClock;
  let cpuMilli: number;
  let cluster: InMemoryCluster;
  let api: FaultyClusterApi;
  let provider: MetricsServerProvider;
  beforeEach(() => {
    clock = new VirtualClock(START_MS);
    cpuMilli = 1000;
    cluster = new InMemoryCluster({}, { clock, nodeUsage: () => ({ cpuMilli, memoryBytes: 4 * 1024 ** 3 }) });
    cluster.createNode(nodeOf('n1', { cpu: '4', memory: '8Gi' }));
    api = new FaultyClusterApi(cluster);
    provider = new MetricsServerProvider(
      { refreshIntervalMs: 60_000, callTimeoutMs: 200 },
      { api, clock: new SystemClock() },
    );
  });

  const fetchAt = async (minute: number, milli: number): Promise<ProviderFetch> => {
    cpuMilli = milli;
    await clock.advanceTo(START_MS + minute * 60_000);
    return provider.fetch(clock.nowMs(), signal);
  };

  it('answers with the latest sample until a window is full, as the Go service always does', async () => {
    const fetched = await fetchAt(0, 1000);
    for (const duration of ['15m', '10m', '5m']) {
      expect(figures(fetched, duration)).to.deep.equal([' CPU Latest  25', ' Memory Latest  50']);
    }
  });

  it('has real averages and deviations of each window once its samples fill it', async () => {
    let fetched = await fetchAt(0, 0);
    for (let minute = 1; minute <= 5; minute += 1) fetched = await fetchAt(minute, minute * 400);
    expect(figures(fetched, '5m')).to.deep.equal([
      ' CPU AVG 5m 30',
      ' Memory AVG 5m 50',
      ` CPU STD 5m ${Math.sqrt(200)}`,
      ' Memory STD 5m 0',
    ]);
    expect(figures(fetched, '15m')).to.deep.equal([' CPU Latest  50', ' Memory Latest  50']);
    for (let minute = 6; minute <= 15; minute += 1) fetched = await fetchAt(minute, 2000);
    expect(figures(fetched, '15m')[0]).to.equal(' CPU AVG 15m 43.333333333333336');
  });

  it('costs one list of usage and one of nodes for all windows', async () => {
    await fetchAt(0, 0);
    expect(api.calls.map(({ operation }) => operation).sort()).to.deep.equal(['list', 'listNodeMetrics']);
  });

  it('reads nodes in pages, again from the start when a page has expired', async () => {
    for (let number = 0; number < 600; number += 1) cluster.createNode(nodeOf(`m${number}`));
    api.plan('list', 'none', '410');
    const fetched = await fetchAt(0, 1000);
    expect(fetched.windows[0]?.nodes.size).to.equal(601);
    expect(api.calls.filter(({ operation }) => operation === 'list')).to.have.length(5);
  });

  it('metrics API 503 (C07): an error that names the group and the remedy, unhealthy, then recovery', async () => {
    api.plan('listNodeMetrics', '500');
    const error = await provider.fetch(START_MS, signal).catch((caught: unknown) => caught as Error);
    expect(error).to.have.property('name', 'ProviderError');
    expect((error as Error).message).to.match(/metrics\.k8s\.io.*is metrics-server installed/);
    expect((await provider.health(signal)).healthy).to.equal(false);
    await provider.fetch(START_MS, signal);
    expect(await provider.health(signal)).to.deep.equal({ healthy: true, reason: '' });
  });

  it('a forbidden call says what to grant', async () => {
    api.plan('list', '403');
    const error = await provider.fetch(START_MS, signal).catch((caught: unknown) => caught as Error);
    expect((error as Error).message).to.contain(
      'bind the ClusterRole catamaran-load-watcher (k8s/rbac) to it, or grant it "list" on nodes',
    );
  });

  it('a call that is never answered ends within its deadline (C07)', async () => {
    api.plan('listNodeMetrics', 'silence');
    const error = await provider.fetch(START_MS, signal).catch((caught: unknown) => caught as Error);
    expect((error as Error).message).to.match(/no answer within 0\.2 s/);
  });
});
