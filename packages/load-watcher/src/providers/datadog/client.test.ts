import { InMemoryCluster, SystemClock } from '@catamaran/platform';
import { FakeDatadog, type HostMeasurement, nodeOf, type ServiceReply } from '@catamaran/testkit';
import { expect } from 'chai';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { createProvider } from '../create-provider.js';
import type { HostedSpec } from '../hosted/create-hosted-provider.js';
import type { MetricsProvider } from '../metrics-provider.js';

const NOW_MS = 1_800_000_000_000;
const { signal } = new AbortController();

function measured(host: string, percent: number, over: Partial<HostMeasurement> = {}): HostMeasurement {
  return { host, resource: 'CPU', points: [[NOW_MS - 60_000, percent]], ...over };
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

describe('Datadog provider', () => {
  let service: FakeDatadog;
  let provider: MetricsProvider;

  const start = (over: Partial<HostedSpec> = {}): void => {
    const cluster = new InMemoryCluster({}, { clock: new SystemClock() });
    for (const node of ['n1', 'n2']) cluster.createNode(nodeOf(node));
    provider = createProvider(
      { name: 'Datadog', baseUrl: service.url, connection: { token: 'sesame' }, appKey: 'open', ...over },
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
  const queriesOf = (): number[] =>
    service.requests.map(({ body }) => (body.match(/"data_source"/g) ?? []).length);

  beforeEach(async () => {
    service = await FakeDatadog.start();
    service.measurements = [
      measured('n1', 9.5),
      measured('n1', 30.5, { resource: 'Memory' }),
      measured('n2', 10),
    ];
    start();
  });
  afterEach(async () => {
    await provider.close();
    await service.close();
  });

  it("publishes under the Go service's names: query without filter, AVG, the rollup", async () => {
    const { windows } = await fetch();
    expect(windows[0]?.nodes.get('n1')?.metrics).to.deep.equal([
      { name: 'max:cpu.utilization', type: 'CPU', operator: 'AVG', rollup: 'rollup(max, 60)', value: 9.5 },
      {
        name: 'max:memory.utilization',
        type: 'Memory',
        operator: 'AVG',
        rollup: 'rollup(max, 60)',
        value: 30.5,
      },
    ]);
  });

  it('one call a refresh for both resources and all hosts, with both keys (C20)', async () => {
    service.measurements = Array.from({ length: 300 }, (_, number) => measured(`m${number}`, 1));
    await fetch();
    expect(queriesOf()).to.deep.equal([2]);
    expect(service.requests[0]?.headers).to.deep.include({
      'dd-api-key': 'sesame',
      'dd-application-key': 'open',
    });
  });

  it('a 429 with a reset: unhealthy with the wait, no call until then (C20)', async () => {
    await fetch();
    service.instead = () => ({
      status: 429,
      body: { errors: ['Rate limit of 1600 requests in 3600 seconds reached'] },
      headers: { 'X-RateLimit-Reset': '300', 'X-RateLimit-Remaining': '0' },
    });
    expect(await failure()).to.match(
      /ProviderError: CPU: .*HTTP 429: too many calls, none for another 300 s/,
    );
    const sent = service.requests.length;
    expect(await failure()).to.match(/no call for another (300|299) s/);
    expect(service.requests.length).to.equal(sent);
    expect((await provider.health(signal)).reason).to.contain('no call for another');
  });

  it('with the last call of the period gone, the answer counts and no call follows (C20)', async () => {
    service.remaining = 0;
    expect(figures(await fetch()).n2).to.deep.equal(['CPU AVG 10']);
    expect(await failure()).to.match(/no call for another 1(800|799) s/);
    expect(service.requests).to.have.length(1);
  });

  it('one cluster is asked for (C22)', async () => {
    await provider.close();
    start({ clusterName: 'blue' });
    service.measurements = [
      measured('n1', 80, { cluster: 'blue' }),
      measured('n1', 10, { cluster: 'green' }),
    ];
    expect(figures(await fetch())).to.deep.equal({ n1: ['CPU AVG 80'] });
    expect(service.requests[0]?.body).to.contain('{host:*, cluster_name:blue} by {host}');
  });

  it('without a cluster, one name in two clusters is left out and told, never averaged (C22)', async () => {
    service.measurements = [
      measured('n1', 80, { cluster: 'blue' }),
      measured('n1', 10, { cluster: 'green' }),
      measured('n2', 5),
    ];
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n2: ['CPU AVG 5'] });
    expect(reasons(fetched)).to.include('n1 all ambiguous-instance');
    expect(fetched.absences[0]?.detail).to.contain('--datadog-cluster-name');
  });

  it('the suffix that is asked for is cut off (C21)', async () => {
    await provider.close();
    start({ hostNameSuffix: '-blue' });
    service.measurements = [measured('n1-blue', 40), measured('n1-green', 90)];
    expect(figures(await fetch())).to.deep.equal({ n1: ['CPU AVG 40'] });
    expect(service.requests[0]?.body).to.contain('{host:*-blue}');
  });

  it('a query that is refused costs its own figures only, and the good one goes on (D4)', async () => {
    service.unknownMetrics = ['memory.utilization'];
    for (const queries of [
      [2, 1, 1],
      [2, 1, 1, 1, 1],
    ]) {
      const fetched = await fetch();
      expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 9.5'], n2: ['CPU AVG 10'] });
      expect(fetched.failures).to.have.length(1);
      expect(fetched.failures[0]).to.match(/^Memory: .*HTTP 400: the call failed; .*Invalid query/);
      expect(reasons(fetched)).to.include('* Memory query-failed');
      expect(fetched.windows[0]?.complete).to.equal(false);
      expect(queriesOf()).to.deep.equal(queries);
    }
  });

  it('is asked together again after ten refreshes, and from then on', async () => {
    service.unknownMetrics = ['memory.utilization'];
    for (let refresh = 0; refresh < 10; refresh += 1) await fetch();
    service.unknownMetrics = [];
    service.requests.length = 0;
    await fetch();
    await fetch();
    expect(queriesOf()).to.deep.equal([2, 2]);
  });

  it('errors in a 200: data counts, a resource without series is not known to have none', async () => {
    service.instead = () => undefined;
    const attributes = {
      series: [{ group_tags: ['host:n1'], query_index: 0, unit: null }],
      times: [NOW_MS - 60_000],
      values: [[9.5]],
    };
    service.instead = () => ({ status: 200, body: { data: { attributes }, errors: 'a shard timed out' } });
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 9.5'] });
    expect(fetched.warnings).to.deep.equal(['Datadog: the answer is partial: a shard timed out']);
    expect(reasons(fetched)).to.include('* Memory query-failed');
    expect(fetched.windows[0]?.complete).to.equal(false);
  });

  const failing: [sentence: string, reply: ServiceReply, text: RegExp][] = [
    ['HTML', { status: 200, body: '<html>' }, /CPU: .*HTTP 200: no JSON/],
    ['cut-off JSON', { status: 200, body: '{"data":' }, /HTTP 200: no JSON/],
    ['errors in a 200 without data', { status: 200, body: { errors: 'bad query' } }, /CPU: .*: bad query/],
    [
      'keys it does not know',
      { status: 403, body: { errors: ['Forbidden'] } },
      /HTTP 403: .*application key with timeseries_query/,
    ],
    ['a 500', { status: 500, body: { errors: ['oops'] } }, /HTTP 500: the call failed/],
  ];
  for (const [sentence, reply, text] of failing) {
    it(`${sentence}: nothing was read, and why`, async () => {
      service.instead = () => reply;
      expect(await failure())
        .to.match(/^ProviderError: /)
        .and.match(text);
    });
  }
});
