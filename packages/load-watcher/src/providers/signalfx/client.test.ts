import { InMemoryCluster, SystemClock } from '@catamaran/platform';
import { FakeSignalFx, type HostMeasurement, nodeOf, type ServiceReply } from '@catamaran/testkit';
import { expect } from 'chai';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { createProvider } from '../create-provider.js';
import type { HostedSpec } from '../hosted/create-hosted-provider.js';
import type { MetricsProvider } from '../metrics-provider.js';
import { SignalFxSource } from './client.js';

const NOW_MS = 1_800_000_000_000;
const { signal } = new AbortController();

function measured(host: string, cpu: number, over: Partial<HostMeasurement> = {}): HostMeasurement {
  return { host, resource: 'CPU', points: [[NOW_MS - 60_000, cpu]], ...over };
}

function figures({ windows }: ProviderFetch): Record<string, string[]> {
  return Object.fromEntries(
    [...(windows[0]?.nodes ?? [])].map(([node, { metrics }]) => [
      node,
      metrics.map(({ type, operator, value }) => `${type} ${operator} ${value}`),
    ]),
  );
}

function reasons({ absences }: ProviderFetch): string[] {
  return absences.map(({ subject, metric, reason }) => `${subject} ${metric} ${reason}`);
}

describe('SignalFx provider', () => {
  let service: FakeSignalFx;
  let cluster: InMemoryCluster;
  let provider: MetricsProvider;

  const start = (over: Partial<HostedSpec> = {}, nodes: readonly string[] = ['n1', 'n2']): void => {
    cluster = new InMemoryCluster({}, { clock: new SystemClock() });
    for (const node of nodes) cluster.createNode(nodeOf(node));
    provider = createProvider(
      { name: 'SignalFx', baseUrl: service.url, connection: { token: 'sesame' }, ...over },
      { refreshIntervalMs: 60_000, callTimeoutMs: 2_000 },
      { clock: new SystemClock(), random: () => 0, api: cluster },
    );
  };
  const fetch = (): Promise<ProviderFetch> => provider.fetch(NOW_MS, signal);
  const failure = (): Promise<string> =>
    fetch().then(
      () => '',
      (error: unknown) => String(error),
    );
  /** Answers some calls otherwise. */
  const answer = (path: string, resource: string, reply: ServiceReply | 'hang'): void => {
    service.instead = (request) =>
      request.path === path && (request.query.get('query') ?? '').includes(resource) ? reply : undefined;
  };

  beforeEach(async () => {
    service = await FakeSignalFx.start();
    service.measurements = [
      measured('n1', 84.5),
      measured('n1', 30.5, { resource: 'Memory' }),
      measured('n2', 10),
    ];
    start();
  });
  afterEach(async () => {
    await provider.close();
    await service.close();
  });

  it("publishes under the Go service's names: filter text, AVG, empty rollup", async () => {
    const { windows } = await fetch();
    expect(windows[0]?.nodes.get('n1')?.metrics).to.deep.equal([
      { name: 'sf_metric:"cpu.utilization"', type: 'CPU', operator: 'AVG', rollup: '', value: 84.5 },
      { name: 'sf_metric:"memory.utilization"', type: 'Memory', operator: 'AVG', rollup: '', value: 30.5 },
    ]);
  });

  it('four calls a refresh, however many hosts (C20)', async () => {
    service.measurements = Array.from({ length: 300 }, (_, number) => measured(`m${number}`, 1));
    await fetch();
    expect(service.requests.map(({ path }) => path).sort()).to.deep.equal([
      '/v1/timeserieswindow',
      '/v1/timeserieswindow',
      '/v2/metrictimeseries',
      '/v2/metrictimeseries',
    ]);
    const query = service.requests.find(({ path }) => path === '/v1/timeserieswindow')?.query;
    expect([query?.get('startMs'), query?.get('endMs')]).to.deep.equal(['1799999100000', '1800000000000']);
  });

  it('a 429 with Retry-After: last data stays with the caller, unhealthy with the wait, no call until then (C20)', async () => {
    await fetch();
    service.instead = () => ({ status: 429, body: {}, headers: { 'Retry-After': '120' } });
    expect(await failure()).to.match(
      /ProviderError: CPU: .*HTTP 429: too many calls, none for another 120 s/,
    );
    const sent = service.requests.length;
    expect(await failure()).to.match(/rate limited before .*no call for another (120|119) s/);
    expect(service.requests.length).to.equal(sent);
    const health = await provider.health(signal);
    expect(health.healthy).to.equal(false);
    expect(health.reason).to.contain('no call for another');
  });

  it('one cluster is asked for, and only that one is served (C22)', async () => {
    await provider.close();
    start({ clusterName: 'blue' });
    service.measurements = [
      measured('n1', 80, { cluster: 'blue' }),
      measured('n1', 10, { cluster: 'green' }),
    ];
    expect(figures(await fetch())).to.deep.equal({ n1: ['CPU AVG 80'] });
    expect(service.requests[0]?.query.get('query')).to.contain(' AND cluster:blue AND ');
  });

  it('clusters stay apart even where the service did not filter (C22)', async () => {
    await provider.close();
    start({ clusterName: 'blue' });
    service.measurements = [
      measured('n1', 80, { cluster: 'blue' }),
      measured('n1', 10, { cluster: 'green' }),
    ];
    // Asked without the cluster, the stand-in gives both.
    service.instead = (request) => {
      const text = request.query.get('query') ?? '';
      if (!text.includes('cluster:blue')) return undefined;
      request.query.set('query', text.replace(' AND cluster:blue', ''));
      return undefined;
    };
    expect(figures(await fetch())).to.deep.equal({ n1: ['CPU AVG 80'] });
  });

  it('without a cluster, one name in two clusters is left out and told, never averaged (C22)', async () => {
    service.measurements = [
      measured('n1', 80, { cluster: 'blue' }),
      measured('n1', 10, { cluster: 'green' }),
    ];
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({});
    expect(reasons(fetched)).to.include('n1 all ambiguous-instance');
    expect(fetched.absences[0]?.detail).to.contain('--signalfx-cluster-name');
  });

  it('hosts with a domain are nodes, with the suffix that is asked for cut off (C21)', async () => {
    await provider.close();
    start({ hostNameSuffix: '.dc1.example.test' });
    service.measurements = [measured('n1.dc1.example.test', 40), measured('n1.dc2.example.test', 90)];
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 40'] });
    expect([...(fetched.matchedBy?.().get('n1') ?? [])]).to.deep.equal(['host name without suffix']);
    expect(service.requests[0]?.query.get('query')).to.contain('host:*.dc1.example.test AND ');
  });

  it('metadata of more than one page are read to the end', async () => {
    await provider.close();
    service.measurements = Array.from({ length: 7 }, (_, number) => measured(`n${number}`, number));
    const offsets: (string | null)[] = [];
    const source = new SignalFxSource({ filter: { hostNameSuffix: '', clusterName: '' }, pageSize: 3 }, {
      ask: async ({ path }: { path: string }) => {
        const url = new URL(path, service.url);
        if (url.pathname === '/v2/metrictimeseries' && path.includes('cpu')) {
          offsets.push(url.searchParams.get('offset'));
        }
        const reply = await globalThis.fetch(url, { headers: { 'X-SF-Token': 'sesame' } });
        return { ok: true, value: await reply.json() };
      },
    } as unknown as ConstructorParameters<typeof SignalFxSource>[1]);
    for (const partialCount of [false, true]) {
      service.partialCount = partialCount;
      offsets.length = 0;
      const { series } = await source.read({ startMs: NOW_MS - 900_000, endMs: NOW_MS }, signal);
      expect(series.map(({ host }) => host)).to.deep.equal(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
      expect(offsets).to.deep.equal([null, '3', '6']);
    }
    start();
  });

  it('pages that repeat themselves are not read to the last, and it is told', async () => {
    const pages: (string | null)[] = [];
    const results = [{ id: 'A', dimensions: { host: 'n1' } }, { id: 5 }];
    service.instead = ({ path, query }) => {
      if (path !== '/v2/metrictimeseries') return undefined;
      if (query.get('query')?.includes('cpu') === true) pages.push(query.get('offset'));
      return { status: 200, body: { results, count: 1_000_000_000 } };
    };
    const { warnings, absences } = await fetch();
    expect(pages).to.deep.equal([null, '2']);
    expect(warnings).to.include('CPU: page 2 of the series says nothing new; no more are read');
    expect(absences.filter(({ subject }) => subject === 'metadata of SignalFx')).to.have.length(2);
  });

  it('a window answer at the cap of the service is told as partial', async () => {
    service.measurements = Array.from({ length: 10_001 }, (_, number) => measured(`m${number}`, 1));
    const { warnings = [] } = await fetch();
    expect(warnings[0]).to.match(/^CPU: 10000 series, the most the service gives: some hosts may be missing/);
  });

  it('errors in a 200 are warnings, its data counts', async () => {
    service.errors = ['shard 7 timed out'];
    const fetched = await fetch();
    expect(figures(fetched).n1).to.deep.equal(['CPU AVG 84.5', 'Memory AVG 30.5']);
    expect(fetched.warnings).to.include('CPU: the answer is partial: shard 7 timed out');
  });

  const failing: [sentence: string, reply: ServiceReply | 'hang'][] = [
    ['HTML', { status: 200, body: '<html>' }],
    ['cut-off JSON', { status: 200, body: '{"data":{"x":[[1,' }],
    ['a 500', { status: 500, body: { code: 500, message: 'oops' } }],
    ['no data', { status: 200, body: {} }],
    ['errors and series without points', { status: 200, body: { data: { x: [] }, errors: ['timeout'] } }],
    ['errors without data', { status: 200, body: { data: {}, errors: ['timeout'] } }],
  ];
  for (const [sentence, reply] of failing) {
    it(`memory answered with ${sentence} costs the memory figures only (D4)`, async () => {
      answer('/v1/timeserieswindow', 'memory', reply);
      const fetched = await fetch();
      expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 84.5'], n2: ['CPU AVG 10'] });
      expect(fetched.failures).to.have.length(1);
      expect(fetched.failures[0]).to.match(/^Memory: /);
      expect(reasons(fetched)).to.include('* Memory query-failed');
      expect(fetched.windows[0]?.complete).to.equal(false);
    });
  }

  it('hosts that can not be asked for are those of before', async () => {
    await fetch();
    service.instead = ({ path }) =>
      path === '/v2/metrictimeseries' ? { status: 500, body: 'x' } : undefined;
    const fetched = await fetch();
    expect(figures(fetched).n1).to.deep.equal(['CPU AVG 84.5', 'Memory AVG 30.5']);
    expect(fetched.failures.map((text) => text.split(':')[0])).to.deep.equal([
      'CPU, hosts of the series',
      'Memory, hosts of the series',
    ]);
  });

  it('hosts that never could be asked for mean that nothing was read', async () => {
    service.instead = ({ path }) =>
      path === '/v2/metrictimeseries' ? { status: 500, body: 'x' } : undefined;
    expect(await failure()).to.match(/ProviderError: CPU, hosts of the series: .*HTTP 500/);
  });

  it('a series that no metadata explain is told, a host that is no node is told', async () => {
    service.measurements = [...service.measurements, measured('ghost', 5)];
    answer('/v2/metrictimeseries', 'memory', { status: 200, body: { results: [], count: 0 } });
    const fetched = await fetch();
    expect(reasons(fetched).sort()).to.deep.equal(
      [
        `${service.idOf(measured('n1', 0, { resource: 'Memory' }))} Memory unmatched-instance`,
        'ghost all unmatched-instance',
        'n1 Memory no-sample',
        'n2 Memory no-sample',
      ].sort(),
    );
  });

  it('a token that is refused names the options', async () => {
    service.token = 'another';
    expect(await failure()).to.match(
      /HTTP 401: it does not accept the access token: see --metrics-provider-token-file/,
    );
  });

  it('reads on where nodes cannot be listed, with names as the Go service makes them', async () => {
    await provider.close();
    provider = createProvider(
      { name: 'SignalFx', baseUrl: service.url, connection: { token: 'sesame' } },
      { refreshIntervalMs: 60_000, callTimeoutMs: 2_000 },
      { clock: new SystemClock(), random: () => 0 },
    );
    service.measurements = [measured('n1.dc1.example.test', 40)];
    expect(figures(await fetch())).to.deep.equal({ n1: ['CPU AVG 40'] });
  });
});
