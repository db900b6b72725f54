import { type ClusterApi, InMemoryCluster, SystemClock } from '@catamaran/platform';
import {
  FakePrometheus,
  type FakeSample,
  FaultyClusterApi,
  nodeOf,
  type PrometheusReply,
} from '@catamaran/testkit';
import { expect } from 'chai';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { createProvider } from '../create-provider.js';
import type { MetricsProvider } from '../metrics-provider.js';
import type { QueryOptions } from './query.js';

const NOW_MS = 1_800_000_000_000;
const { signal } = new AbortController();

const CPU_RULE = 'instance:node_cpu:ratio';
const MEMORY_RULE = 'instance:node_memory_utilisation:ratio';

type Labels = FakeSample['labels'];
const sample = (labels: Labels, value: string | number): FakeSample => ({ labels, value: String(value) });

/** Answers by what a query is about: the first key that it contains. */
function answering(replies: Record<string, PrometheusReply>) {
  return ({ promql }: { promql: string }): PrometheusReply =>
    Object.entries(replies).find(([part]) => promql.includes(part))?.[1] ?? [];
}

function figures(fetched: ProviderFetch, duration = '15m'): Record<string, string[]> {
  const window = fetched.windows.find((candidate) => candidate.duration === duration);
  return Object.fromEntries(
    [...(window?.nodes ?? [])].map(([node, { metrics }]) => [
      node,
      metrics.map(({ type, operator, value }) => `${type} ${operator} ${Number(value.toPrecision(12))}`),
    ]),
  );
}

function reasons(fetched: ProviderFetch): string[] {
  return [...new Set(fetched.absences.map(({ subject, reason }) => `${subject} ${reason}`))].sort();
}

describe('PrometheusProvider', () => {
  let server: FakePrometheus;
  let cluster: InMemoryCluster;
  let api: FaultyClusterApi;
  let providers: MetricsProvider[];
  beforeEach(async () => {
    server = await FakePrometheus.start();
    cluster = new InMemoryCluster({}, { clock: new SystemClock() });
    api = new FaultyClusterApi(cluster);
    providers = [];
  });
  afterEach(async () => {
    for (const provider of providers) await provider.close();
    await server.close();
  });

  const create = (
    given: { readonly queries?: Partial<QueryOptions>; readonly api?: ClusterApi | undefined } = { api },
  ): MetricsProvider => {
    const provider = createProvider(
      {
        name: 'Prometheus',
        baseUrl: server.url,
        queries: { matcher: '', nodeLabel: undefined, userQueries: {}, ...given.queries },
      },
      { refreshIntervalMs: 60_000, callTimeoutMs: 2_000 },
      { clock: new SystemClock(), random: () => 0, api: given.api },
    );
    providers.push(provider);
    return provider;
  };
  const fetch = (provider = create()): Promise<ProviderFetch> => provider.fetch(NOW_MS, signal);
  const addNode = (name: string, address?: string): void => {
    cluster.createNode(
      nodeOf(name, address === undefined ? {} : { addresses: [{ type: 'InternalIP', address }] }),
    );
  };

  it('EKS (C11, D7): published under the node name, matched by address, the port stripped', async () => {
    addNode('ip-10-20-1-7.eu-west-1.compute.internal', '10.20.1.7');
    server.reply = answering({
      [`avg_over_time(${CPU_RULE}`]: [sample({ instance: '10.20.1.7:9100' }, 0.25)],
    });
    expect(figures(await fetch())).to.deep.equal({
      'ip-10-20-1-7.eu-west-1.compute.internal': ['CPU AVG 25'],
    });
  });

  it('CPU by name and memory by address become one entry (C12)', async () => {
    addNode('n1', '10.0.0.11');
    server.reply = answering({
      [`avg_over_time(${CPU_RULE}`]: [sample({ instance: 'n1' }, '0.30')],
      [`avg_over_time(${MEMORY_RULE}`]: [sample({ instance: '10.0.0.11:9100' }, '0.50')],
    });
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 30', 'Memory AVG 50'] });
    expect(fetched.matchedBy?.().get('n1')).to.deep.equal(new Set(['instance', 'address']));
  });

  it('label node and instance together: the same answer at every start (C13)', async () => {
    addNode('n1', '10.0.0.11');
    server.reply = answering({
      [`avg_over_time(${CPU_RULE}`]: [sample({ instance: '10.0.0.11:9100', node: 'n1' }, 0.4)],
    });
    for (let start = 0; start < 5; start += 1)
      expect(figures(await fetch())).to.deep.equal({ n1: ['CPU AVG 40'] });
  });

  it('NaN and infinities are dropped with a reason, the others stand (C14, C15)', async () => {
    for (const name of ['n1', 'n2', 'n3', 'n4', 'n5']) addNode(name);
    server.reply = answering({
      [`avg_over_time(${CPU_RULE}`]: [
        sample({ instance: 'n1' }, 'NaN'),
        sample({ instance: 'n2' }, '+Inf'),
        sample({ instance: 'n3' }, '1.5e-07'),
        sample({ instance: 'n4' }, '6.2E-01'),
        sample({ instance: 'n5' }, '-Inf'),
      ],
    });
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n3: ['CPU AVG 0.000015'], n4: ['CPU AVG 62'] });
    expect(reasons(fetched)).to.include.members([
      'n1 non-finite',
      'n2 non-finite',
      'n5 non-finite',
      'n1 no-sample',
    ]);
  });

  it('no CPU series anywhere (C09): memory is published, the gap is named', async () => {
    addNode('n1');
    server.reply = answering({ [`avg_over_time(${MEMORY_RULE}`]: [sample({ instance: 'n1' }, 0.5)] });
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n1: ['Memory AVG 50'] });
    expect(reasons(fetched)).to.deep.equal(['n1 no-sample']);
    expect(fetched.notes?.[0]).to.match(
      /^CPU: 0 series, tried node_cpu_seconds_total.*instance:node_cpu:ratio/,
    );
    expect(fetched.windows.every(({ complete }) => complete)).to.equal(true);
  });

  it('raw counters come before rules (C10, D8)', async () => {
    addNode('n1');
    server.reply = answering({
      'rate(node_cpu_seconds_total': [sample({ instance: 'n1' }, 0.3)],
      [CPU_RULE]: [sample({ instance: 'n1' }, 0.21)],
    });
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 30', 'CPU STD 30'] });
    expect(fetched.windows[0]?.nodes.get('n1')?.sources).to.deep.equal([
      'node_cpu_seconds_total, windows_cpu_time_total',
    ]);
  });

  it('Linux and Windows nodes side by side (C72); without an exporter a node is named with its system', async () => {
    cluster.createNode(nodeOf('win-1', { labels: { 'kubernetes.io/os': 'windows' } }));
    addNode('n1');
    server.reply = answering({ windows_cpu_time_total: [sample({ instance: 'n1' }, 0.1)] });
    const fetched = await fetch();
    const absence = fetched.absences.find(({ subject }) => subject === 'win-1');
    expect(absence?.detail).to.contain('(windows)');
    server.reply = answering({
      windows_cpu_time_total: [sample({ instance: 'n1' }, 0.1), sample({ instance: 'win-1' }, 0.2)],
    });
    expect(Object.keys(figures(await fetch()))).to.deep.equal(['n1', 'win-1']);
  });

  it('a node removed from the cluster is not published though its samples linger (C18)', async () => {
    addNode('n1');
    server.reply = answering({
      [CPU_RULE]: [sample({ instance: 'old-1' }, 0.02), sample({ instance: 'n1' }, 0.5)],
    });
    const fetched = await fetch();
    expect(Object.keys(figures(fetched))).to.deep.equal(['n1']);
    expect(reasons(fetched)).to.include('old-1 unmatched-instance');
  });

  it('a node that has not been measured for five minutes is absent, though longer ranges still answer (C74)', async () => {
    for (const name of ['n1', 'n2']) addNode(name);
    const all = [sample({ instance: 'n1' }, 0.5), sample({ instance: 'n2' }, 0.02)];
    server.reply = ({ promql }) => (promql.includes('[5m]') ? all.slice(0, 1) : all);
    const fetched = await fetch();
    expect(Object.keys(figures(fetched))).to.deep.equal(['n1']);
    expect(reasons(fetched)).to.deep.equal(['n2 no-sample', 'n2 stale-sample']);
  });

  it('a five-minute rate that is empty for all beside fresh memory is a long scrape interval: figures stand', async () => {
    addNode('n1');
    const isShortRate = (promql: string): boolean => promql.includes('rate(') && promql.includes('[5m]');
    server.reply = ({ promql }) => (isShortRate(promql) ? [] : [sample({ instance: 'n1' }, 0.5)]);
    expect(figures(await fetch())).to.deep.include({ n1: ['CPU AVG 50', 'Memory AVG 50', 'Memory STD 50'] });
  });

  it('when no exporter at all has been scraped for five minutes nothing is fresh, however long ranges answer', async () => {
    addNode('n1');
    server.reply = ({ promql }) => (promql.includes('[5m]') ? [] : [sample({ instance: 'n1' }, 0.5)]);
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({});
    expect(reasons(fetched)).to.include('n1 stale-sample');
  });

  it('a new node of an old name does not inherit windows that began before it (C18)', async () => {
    const nodeAt = (uid: string, created: string) => ({
      metadata: { name: 'n1', uid, creationTimestamp: created, resourceVersion: uid },
    });
    let listed = nodeAt('a', '2026-12-01T00:00:00Z');
    const listing = {
      list: async () => ({ items: [listed], resourceVersion: '1' }),
    } as unknown as ClusterApi;
    server.reply = answering({ node_cpu_seconds_total: [sample({ instance: 'n1' }, 0.5)] });
    const provider = create({ api: listing });
    expect(Object.keys(figures(await fetch(provider)))).to.deep.equal(['n1']);
    listed = nodeAt('b', new Date(NOW_MS - 7 * 60_000).toISOString());
    const fetched = await fetch(provider);
    expect([figures(fetched, '15m'), figures(fetched, '10m')]).to.deep.equal([{}, {}]);
    expect(Object.keys(figures(fetched, '5m'))).to.deep.equal(['n1']);
    expect(reasons(fetched)).to.include('n1 older-than-node');
    const later = await provider.fetch(NOW_MS + 10 * 60_000, signal);
    expect(Object.keys(figures(later))).to.deep.equal(['n1']);
    expect(reasons(later)).to.not.include('n1 older-than-node');
  });

  for (const [what, beganMinutes, shown] of [
    ['inherits no figures of an earlier machine of its name', -60, ['5m']],
    ['has its own figures at once where its series are no older', -7, ['15m', '10m', '5m']],
    ['has no figures of windows that nobody can vouch for', undefined, ['5m']],
  ] as const) {
    it(`a node of seven minutes ${what}, in the first refresh too (C18)`, async () => {
      const createdMs = NOW_MS - 7 * 60_000 - 1;
      const metadata = { name: 'n1', uid: 'u', creationTimestamp: new Date(createdMs).toISOString() };
      const listing = {
        list: async () => ({ items: [{ metadata }], resourceVersion: '1' }),
      } as unknown as ClusterApi;
      server.reply = answering({
        'min_over_time(timestamp(':
          beganMinutes === undefined
            ? { status: 400, body: '' }
            : [sample({ instance: 'n1' }, NOW_MS / 1000 + beganMinutes * 60)],
        node_cpu_seconds_total: [sample({ instance: 'n1' }, 0.9)],
      });
      const provider = create({ api: listing });
      for (let refresh = 0; refresh < 2; refresh += 1) {
        const fetched = await fetch(provider);
        const windows = fetched.windows.filter(({ nodes }) => nodes.has('n1'));
        expect(windows.map(({ duration }) => duration)).to.deep.equal(shown);
        expect(reasons(fetched).includes('n1 older-than-node')).to.equal(shown.length < 3);
      }
    });
  }

  it('kube-prometheus-stack: node-exporter on the pod network is found by kube_pod_info', async () => {
    addNode('n1');
    const labels = { instance: '172.16.3.4:9100', namespace: 'monitoring', pod: 'kps-node-exporter-x' };
    server.reply = answering({
      kube_pod_info: [sample({ namespace: 'monitoring', pod: 'kps-node-exporter-x', node: 'n1' }, 1)],
      node_cpu_seconds_total: [sample(labels, 0.4)],
    });
    expect(figures(await fetch())).to.deep.equal({ n1: ['CPU AVG 40', 'CPU STD 40'] });
  });

  it('asks twelve queries a refresh (D30) once it knows its sources, however many instances are unknown', async () => {
    addNode('n1');
    server.reply = answering({
      node_cpu_seconds_total: [sample({ instance: 'n1' }, 0.1), sample({ instance: 'stranger' }, 0.1)],
      node_memory_MemTotal_bytes: [sample({ instance: 'n1' }, 0.1)],
    });
    const provider = create();
    await fetch(provider);
    const first = server.requests.length;
    await provider.fetch(NOW_MS + 60_000, signal);
    expect([first, server.requests.length - first]).to.deep.equal([15, 12]);
    await provider.fetch(NOW_MS + 600_000, signal);
    expect(server.requests.length - first).to.equal(27);
  });

  it('a failed mapping query, or an empty answer, takes no name away, and is asked again (C12)', async () => {
    addNode('n1');
    const seriesOf = (name: string) =>
      sample({ instance: `172.16.3.${name}:9100`, namespace: 'mon', pod: `ne-${name}` }, 0.4);
    const info = (...names: string[]) =>
      names.map((name) => sample({ namespace: 'mon', pod: `ne-${name}`, node: `n${name}` }, 1));
    const provider = create();
    const nodes = async (...replies: Record<string, PrometheusReply>[]) => {
      server.reply = answering(Object.assign({}, ...replies));
      return Object.keys(figures(await fetch(provider))).sort();
    };
    const one = { node_cpu_seconds_total: [seriesOf('1')] };
    const two = { node_cpu_seconds_total: [seriesOf('1'), seriesOf('2')] };
    expect(await nodes({ kube_pod_info: info('1') }, one)).to.deep.equal(['n1']);
    addNode('n2');
    expect(await nodes({ kube_pod_info: { status: 422, body: '' } }, two)).to.deep.equal(['n1']);
    expect(await nodes({ kube_pod_info: [] }, two)).to.deep.equal(['n1']);
    expect(await nodes({ kube_pod_info: info('1', '2') }, two)).to.deep.equal(['n1']);
    expect(await nodes({ kube_pod_info: info('1', '2') }, two), 'after twice the wait').to.deep.equal(['n1']);
    expect(await nodes({ kube_pod_info: info('1', '2') }, two)).to.deep.equal(['n1']);
    expect(await nodes({ kube_pod_info: info('1', '2') }, two)).to.deep.equal(['n1', 'n2']);
  });

  it('a mapping query that fails in the first refresh is asked again in the next', async () => {
    addNode('n1');
    const series = [sample({ instance: '172.16.3.1:9100', namespace: 'mon', pod: 'ne' }, 0.4)];
    server.reply = answering({
      kube_pod_info: { status: 500, body: '' },
      node_cpu_seconds_total: series,
    });
    const provider = create();
    expect(figures(await fetch(provider))).to.deep.equal({});
    server.reply = answering({
      kube_pod_info: [sample({ namespace: 'mon', pod: 'ne', node: 'n1' }, 1)],
      node_cpu_seconds_total: series,
    });
    expect(Object.keys(figures(await fetch(provider)))).to.deep.equal(['n1']);
  });

  for (const [what, replies] of [
    ['no CPU series', { [`avg_over_time(${MEMORY_RULE}`]: [sample({ instance: 'n1' }, 0.5)] }],
    ['no series at all', {}],
  ] as const) {
    it(`where there are ${what} anywhere no refresh after the first takes more than twelve queries`, async () => {
      addNode('n1');
      server.reply = answering(replies);
      const provider = create();
      await fetch(provider);
      for (let refresh = 0; refresh < 8; refresh += 1) {
        const before = server.requests.length;
        await fetch(provider);
        expect(server.requests.length - before).to.be.at.most(12);
      }
      server.reply = answering({ 'id="/"': [sample({ instance: 'n1' }, 0.25)] });
      let fetched = await fetch(provider);
      for (let refresh = 0; refresh < 4; refresh += 1) fetched = await fetch(provider);
      expect(figures(fetched).n1).to.include('CPU AVG 25');
    });
  }

  it('a fallback is used on, and the better source is tried again after ten refreshes', async () => {
    addNode('n1');
    const rules = answering({
      [CPU_RULE]: [sample({ instance: 'n1' }, 0.1)],
      [MEMORY_RULE]: [sample({ instance: 'n1' }, 0.1)],
    });
    server.reply = rules;
    const provider = create();
    await fetch(provider);
    const before = server.requests.length;
    await provider.fetch(NOW_MS + 60_000, signal);
    expect(server.requests.length - before).to.equal(12);
    server.reply = answering({
      'rate(node_cpu_seconds_total': [sample({ instance: 'n1' }, 0.3)],
      [CPU_RULE]: [sample({ instance: 'n1' }, 0.1)],
    });
    for (let refresh = 3; refresh <= 10; refresh += 1) {
      expect(figures(await fetch(provider)).n1?.[0]).to.equal('CPU AVG 10');
    }
    expect(figures(await fetch(provider)).n1?.[0]).to.equal('CPU AVG 30');
  });

  it('one failed query costs its own figures and names URL, status and query (C17)', async () => {
    addNode('n1');
    const failed = { status: 400, body: '{"status":"error","error":"1:78: parse error"}' };
    server.reply = answering({
      'stddev_over_time((': failed,
      node_cpu_seconds_total: [sample({ instance: 'n1' }, 0.4)],
      node_memory_MemTotal_bytes: [sample({ instance: 'n1' }, 0.5)],
    });
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 40', 'Memory AVG 50', 'Memory STD 50'] });
    expect(fetched.failures).to.have.length(3);
    expect(fetched.failures[0]).to.match(
      /^CPU STD 15m: http:\/\/127\.0\.0\.1:\d+: HTTP 400.*1:78: parse error; query: stddev_over_time/,
    );
    expect(reasons(fetched)).to.deep.equal(['* query-failed']);
  });

  it('a failed way to the server is told without the query', async () => {
    for (const status of [401, 403, 404, 429, 502, 503]) {
      server.reply = () => ({ status, body: '{"status":"error","error":"no"}' });
      const error: unknown = await fetch().catch((thrown: unknown) => thrown);
      expect(String(error)).to.contain(`HTTP ${status}`).and.not.contain('; query: ');
    }
    const provider = create();
    await server.close();
    const error: unknown = await fetch(provider).catch((thrown: unknown) => thrown);
    expect(String(error)).to.match(/: CPU AVG 15m: .*\(ECONNREFUSED\): check host and port$/);
  });

  it('a query that the server refuses is shown, its first 200 characters', async () => {
    addNode('n1');
    for (const status of [400, 422]) {
      server.reply = () => ({ status, body: '{"status":"error","error":"parse error"}' });
      const error: unknown = await fetch().catch((thrown: unknown) => thrown);
      const [, shown = ''] = String(error).split('; query: ');
      expect(shown)
        .to.match(/^\(sum by .*…$/)
        .and.have.length(200);
    }
    server.reply = () => ({
      status: 200,
      body: '{"status":"success","data":{"resultType":"scalar","result":[]}}',
    });
    const error: unknown = await fetch().catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain('must give an instant vector; query: (sum by ');
  });

  it('a window whose average failed does not count as complete', async () => {
    addNode('n1');
    server.reply = ({ promql }) =>
      promql.includes('[15m]') && promql.includes('MemTotal')
        ? { status: 500, body: '' }
        : [sample({ instance: 'n1' }, 0.5)];
    const fetched = await fetch();
    expect(fetched.windows.map(({ complete }) => complete)).to.deep.equal([false, true, true]);
  });

  it('two series of one node: the higher counts, and it is said (D9)', async () => {
    addNode('n1');
    server.reply = answering({
      [`avg_over_time(${CPU_RULE}`]: [
        sample({ instance: 'n1', pod: 'a' }, 0.3),
        sample({ instance: 'n1', pod: 'b' }, 0.34),
      ],
    });
    const fetched = await fetch();
    expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 34'] });
    expect(reasons(fetched)).to.include('n1 duplicate-series');
  });

  it('is unhealthy while it never had a figure, or answers no query, though its health page says all is well', async () => {
    addNode('n1');
    const provider = create();
    const health = async (replies: FakePrometheus['reply']) => {
      server.reply = replies;
      await fetch(provider).catch(() => undefined);
      return provider.health(signal);
    };
    expect((await provider.health(signal)).reason).to.equal('no query was answered yet');
    expect((await health(() => [])).reason).to.match(
      /^the queries are answered, but never with a figure of a node/,
    );
    const good = answering({ node_cpu_seconds_total: [sample({ instance: 'n1' }, 0.5)] });
    expect(await health(good)).to.deep.equal({ healthy: true, reason: '' });
    expect((await health(() => [])).healthy).to.equal(true);
    expect((await health(() => ({ status: 500, body: 'boom' }))).reason).to.match(/HTTP 500.*boom/);
    expect((await health(good)).healthy).to.equal(true);
  });

  it('percent and ratio are told apart by the declared unit', async () => {
    addNode('n1');
    server.reply = answering({
      pct: [sample({ instance: 'n1' }, 42)],
      ratio: [sample({ instance: 'n1' }, 0.42)],
    });
    const queries = {
      userQueries: { CPU: { promql: 'pct', unit: 'percent' }, Memory: { promql: 'ratio', unit: 'ratio' } },
    } as const;
    expect(figures(await fetch(create({ api, queries }))).n1).to.deep.equal([
      'CPU AVG 42',
      'Memory AVG 42',
      'CPU STD 42',
      'Memory STD 42',
    ]);
  });

  it('bytes per second are not read as percent (C28): a wrong unit is not believed', async () => {
    addNode('n1');
    server.reply = answering({ receive: [sample({ instance: 'n1' }, 82353)] });
    const queries = { userQueries: { CPU: { promql: 'receive', unit: 'ratio' } } } as const;
    const fetched = await fetch(create({ api, queries }));
    expect(figures(fetched)).to.deep.equal({});
    expect(reasons(fetched)).to.include('n1 implausible');
  });

  it('works without cluster access: names as labels have them', async () => {
    server.reply = answering({
      node_cpu_seconds_total: [
        sample({ instance: 'node-f:9100' }, 0.1),
        sample({ instance: 'x', node: 'n2' }, 0.2),
      ],
    });
    expect(Object.keys(figures(await fetch(create({ api: undefined }))))).to.have.members(['n2', 'node-f']);
  });

  it('a failed list of nodes costs only freshness', async () => {
    addNode('n1', '10.0.0.1');
    server.reply = answering({ node_cpu_seconds_total: [sample({ instance: '10.0.0.1:9100' }, 0.1)] });
    const provider = create();
    await fetch(provider);
    api.plan('list', '500');
    const fetched = await fetch(provider);
    expect(Object.keys(figures(fetched))).to.deep.equal(['n1']);
    expect(fetched.failures).to.have.length(1);
    expect(fetched.failures[0]).to.match(/^listing nodes \(v1\): .*500/);
  });

  for (const [minutes, note] of [
    [10, 'the clock of Prometheus is 10 min behind this one: set the clocks'],
    [-10, 'the clock of Prometheus is 10 min ahead of this one: set the clocks'],
    [0.5, undefined],
  ] as const) {
    it(`clocks ${minutes} minutes apart leave the figures as they are${note === undefined ? '' : ', and are noted'}`, async () => {
      addNode('n1');
      server.reply = answering({ node_cpu_seconds_total: [sample({ instance: 'n1' }, 0.4)] });
      const fetched = await create().fetch(NOW_MS + minutes * 60_000, signal);
      expect(figures(fetched)).to.deep.equal({ n1: ['CPU AVG 40', 'CPU STD 40'] });
      expect(fetched.notes?.find((text) => text.includes('clock'))).to.equal(note);
    });
  }

  it('warnings of a compatible engine and partial answers are warnings, once; infos are notes (C16)', async () => {
    addNode('n1');
    server.reply = () => ({
      status: 200,
      body: JSON.stringify({
        status: 'success',
        isPartial: true,
        warnings: ['store 10.0.0.9:10901 is down'],
        infos: ['metric might not be a counter'],
        data: { resultType: 'vector', result: [{ metric: { instance: 'n1' }, value: [1, '0.5'] }] },
      }),
    });
    const fetched = await fetch();
    expect(fetched.warnings).to.deep.equal([
      'warning: store 10.0.0.9:10901 is down',
      'partial answer: some of the storage behind the query API did not answer',
    ]);
    expect(fetched.notes?.filter((note) => !note.includes(' is read from '))).to.include(
      'info: metric might not be a counter',
    );
    expect(fetched.failures).to.deep.equal([]);
  });
});
