import { ClusterApiError, InMemoryCluster, SystemClock, VirtualClock } from '@catamaran/platform';
import { FaultyClusterApi, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { explainCall } from '../explain-call.js';
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

  it('has real averages and deviations of each window once its samples fill it (D25)', async () => {
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

  it('metrics API 503 (C07, D11): an error that names the group and the remedy, unhealthy, then recovery', async () => {
    api.plan('listNodeMetrics', '500');
    const error = await provider.fetch(START_MS, signal).catch((caught: unknown) => caught as Error);
    expect(error).to.have.property('name', 'ProviderError');
    expect((error as Error).message).to.match(/metrics\.k8s\.io.*is metrics-server installed/);
    expect((await provider.health(signal)).healthy).to.equal(false);
    await provider.fetch(START_MS, signal);
    expect(await provider.health(signal)).to.deep.equal({ healthy: true, reason: '' });
  });

  const refusals: [sentence: string, call: 'usage' | 'nodes', error: Error, begin: string, remedy: string][] =
    [
      [
        'usage that the aggregator can not get',
        'usage',
        new ClusterApiError('unavailable', 'the server is currently unable', { httpStatus: 503 }),
        'listing nodes (metrics.k8s.io/v1beta1): HTTP 503, the server is currently unable: ',
        'is metrics-server installed and the APIService v1beta1.metrics.k8s.io Available?',
      ],
      [
        'nodes while the API server is ill, for which metrics-server is not to blame',
        'nodes',
        new ClusterApiError('unavailable', 'etcd is away', { httpStatus: 500 }),
        'listing nodes (v1): HTTP 500, etcd is away: ',
        'see the log of the API server',
      ],
      [
        'usage from an API server that is away',
        'usage',
        new ClusterApiError('unavailable', '10.0.0.1:443: connect ECONNREFUSED'),
        'listing nodes (metrics.k8s.io/v1beta1): 10.0.0.1:443: connect ECONNREFUSED: ',
        'is the API server up, and is its address right?',
      ],
      [
        'credentials that are refused, which no grant helps',
        'nodes',
        new ClusterApiError('unauthorized', 'Unauthorized', { httpStatus: 401 }),
        'listing nodes (v1): HTTP 401, Unauthorized: ',
        'the API server does not accept who we are: check token or certificate of the kubeconfig, or the service account',
      ],
      [
        'too many calls',
        'usage',
        new ClusterApiError('throttled', 'too many requests', { httpStatus: 429 }),
        'listing nodes (metrics.k8s.io/v1beta1): HTTP 429, too many requests: ',
        'the API server limits our requests: see its flow control (APF), or raise --refresh-interval',
      ],
      [
        'a call without permission',
        'usage',
        new ClusterApiError('forbidden', 'HTTP 403: no', { httpStatus: 403 }),
        'listing nodes (metrics.k8s.io/v1beta1): HTTP 403: no: ',
        'bind the ClusterRole catamaran-load-watcher (k8s/rbac) to it, or grant it "list" on nodes and on nodes.metrics.k8s.io',
      ],
    ];
  for (const [sentence, call, error, begin, remedy] of refusals) {
    it(`explains ${sentence}`, () => {
      expect(explainCall(call, error).message).to.equal(begin + remedy);
    });
  }

  it('a fetch blames the list that failed', async () => {
    api.plan('list', '500');
    const error = await provider.fetch(START_MS, signal).catch((caught: unknown) => caught as Error);
    expect((error as Error).message)
      .to.match(/^listing nodes \(v1\): .*500/)
      .and.not.contain('metrics');
    api.plan('listNodeMetrics', '500');
    const other = await provider.fetch(START_MS, signal).catch((caught: unknown) => caught as Error);
    expect((other as Error).message).to.match(/^listing nodes \(metrics\.k8s\.io\/v1beta1\): .*500/);
  });

  it('a forbidden call says what to grant', async () => {
    api.plan('list', '403');
    const error = await provider.fetch(START_MS, signal).catch((caught: unknown) => caught as Error);
    expect((error as Error).message).to.contain(
      'bind the ClusterRole catamaran-load-watcher (k8s/rbac) to it, or grant it "list" on nodes',
    );
  });

  it('a call that is never answered ends within its deadline (C07, D15)', async () => {
    api.plan('listNodeMetrics', 'silence');
    const error = await provider.fetch(START_MS, signal).catch((caught: unknown) => caught as Error);
    expect((error as Error).message).to.match(/no answer within 0\.2 s/);
  });
});
