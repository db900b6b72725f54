import { InMemoryCluster, SystemClock } from '@catamaran/platform';
import { FakePrometheus, type FakeSample, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { createProvider } from '../create-provider.js';
import type { MetricsProvider } from '../metrics-provider.js';

/** When the stand-in says that it evaluated. */
const EVALUATED_SECONDS = 1_800_000_000;
const { signal } = new AbortController();

/** Figures of n1 and n2, and how long before the evaluation their newest samples were. */
function replyWithAges(ages: Readonly<Record<string, number | string>>) {
  const series = ['n1', 'n2'].map((instance): FakeSample => ({ labels: { instance }, value: '0.5' }));
  const times = Object.entries(ages).map(
    ([instance, age]): FakeSample => ({
      labels: { instance, catamaran_time: '1' },
      value: typeof age === 'string' ? age : String(EVALUATED_SECONDS - age),
    }),
  );
  return ({ promql }: { readonly promql: string }): readonly FakeSample[] =>
    promql.includes('label_replace') ? [...series, ...times] : series;
}

describe('freshness of samples in Prometheus', () => {
  let server: FakePrometheus;
  let provider: MetricsProvider;
  beforeEach(async () => {
    server = await FakePrometheus.start();
    const api = new InMemoryCluster({}, { clock: new SystemClock() });
    for (const name of ['n1', 'n2', 'n3']) api.createNode(nodeOf(name));
    provider = createProvider(
      { name: 'Prometheus', baseUrl: server.url },
      { refreshIntervalMs: 60_000 },
      { clock: new SystemClock(), random: () => 0, api },
    );
  });
  afterEach(async () => {
    await provider.close();
    await server.close();
  });

  const fetchAt = (minutesApart = 0): Promise<ProviderFetch> =>
    provider.fetch(EVALUATED_SECONDS * 1000 + minutesApart * 60_000, signal);
  const reasons = ({ absences }: ProviderFetch, node: string): readonly string[] =>
    absences.filter(({ subject }) => subject === node).map(({ reason, metric }) => `${metric} ${reason}`);

  for (const minutesApart of [-10, 0, 10]) {
    it(`tells the age of each node's newest sample with clocks ${minutesApart} minutes apart`, async () => {
      server.reply = replyWithAges({ n1: 12, n2: 45 });
      const fetched = await fetchAt(minutesApart);
      const nowMs = EVALUATED_SECONDS * 1000 + minutesApart * 60_000;
      for (const { nodes } of fetched.windows) {
        expect(nowMs - (nodes.get('n1')?.sampleUnixMs ?? 0)).to.equal(12_000);
        expect(nowMs - (nodes.get('n2')?.sampleUnixMs ?? 0)).to.equal(45_000);
      }
    });

    it(`leaves out a sample that is too old, or of the future, with clocks ${minutesApart} minutes apart`, async () => {
      server.reply = replyWithAges({ n1: 301, n2: -121 });
      const fetched = await fetchAt(minutesApart);
      expect(fetched.windows.map(({ nodes }) => nodes.size)).to.deep.equal([0, 0, 0]);
      expect(reasons(fetched, 'n1')).to.include.members(['CPU stale-sample', 'Memory stale-sample']);
      expect(reasons(fetched, 'n2')).to.include.members(['CPU future-sample', 'Memory future-sample']);
      const [absence] = fetched.absences;
      expect(absence?.detail).to.match(/^the sample is 301 s old, at most 300 s is used/);
    });

    it(`uses samples at the limits, with clocks ${minutesApart} minutes apart`, async () => {
      server.reply = replyWithAges({ n1: 300, n2: -120 });
      expect((await fetchAt(minutesApart)).windows[0]?.nodes.size).to.equal(2);
    });
  }

  it('answers that a cache gives again and again grow old', async () => {
    server.reply = replyWithAges({ n1: 12, n2: 45 });
    await fetchAt();
    const again = await fetchAt(5);
    expect(again.windows.map(({ endUnixSeconds }) => endUnixSeconds)).to.deep.equal(
      Array.from({ length: 3 }, () => EVALUATED_SECONDS),
    );
    expect(again.warnings?.join()).to.contain('a cache in front of Prometheus');
  });

  it('takes twelve queries, the times included', async () => {
    server.reply = replyWithAges({ n1: 1, n2: 1 });
    await fetchAt();
    const before = server.requests.length;
    await fetchAt();
    expect(server.requests.length - before).to.equal(12);
  });

  it('the newest sample counts where a node has several series', async () => {
    server.reply = ({ promql }) => {
      const samples = replyWithAges({ n1: 200 })({ promql });
      const newer: FakeSample = {
        labels: { instance: 'n1', pod: 'b', catamaran_time: '1' },
        value: String(EVALUATED_SECONDS - 20),
      };
      return promql.includes('label_replace') ? [...samples, newer] : samples;
    };
    const [window] = (await fetchAt()).windows;
    expect(window?.nodes.get('n1')?.sampleUnixMs).to.equal(EVALUATED_SECONDS * 1000 - 20_000);
  });

  it('figures stand where no time is told, or one that is no number', async () => {
    server.reply = replyWithAges({ n1: 'NaN' });
    const fetched = await fetchAt();
    expect([...(fetched.windows[0]?.nodes.keys() ?? [])]).to.deep.equal(['n1', 'n2']);
    expect(fetched.windows[0]?.nodes.get('n1')?.sampleUnixMs).to.equal(undefined);
    expect(reasons(fetched, 'n1')).to.deep.equal([]);
  });

  it('times of series that belong to no node are no absences of their own', async () => {
    server.reply = ({ promql }) => [
      { labels: { instance: 'stranger' }, value: '0.5' },
      ...(promql.includes('label_replace')
        ? [{ labels: { instance: 'stranger', catamaran_time: '1' }, value: String(EVALUATED_SECONDS) }]
        : []),
    ];
    expect(reasons(await fetchAt(), 'stranger')).to.deep.equal(['all unmatched-instance']);
  });

  describe('partial answers', () => {
    const partial = (extra: object, instances: readonly string[] = ['n1']) => ({
      status: 200,
      body: JSON.stringify({
        status: 'success',
        ...extra,
        data: {
          resultType: 'vector',
          result: instances.map((instance) => ({ metric: { instance }, value: [EVALUATED_SECONDS, '0.5'] })),
        },
      }),
    });

    const engines: [engine: string, extra: object, note: string][] = [
      [
        'Thanos warns of a store',
        { warnings: ['receive series from Addr: 10.0.0.9:10901: context deadline exceeded'] },
        'warning: receive series from Addr: 10.0.0.9:10901: context deadline exceeded',
      ],
      ['VictoriaMetrics says isPartial', { isPartial: true }, 'partial answer: some of the storage'],
      ['Prometheus warns of a remote read', { warnings: ['remote_read: http 503'] }, 'warning: remote_read'],
    ];
    for (const [engine, extra, note] of engines) {
      it(`${engine}: that is why nodes are missing`, async () => {
        server.reply = () => partial(extra);
        const fetched = await fetchAt();
        expect([...(fetched.windows[0]?.nodes.keys() ?? [])]).to.deep.equal(['n1']);
        for (const node of ['n2', 'n3']) expect(reasons(fetched, node)).to.deep.equal(['all partial-answer']);
        const { detail = '' } = fetched.absences.find(({ subject }) => subject === 'n2') ?? {};
        expect(detail).to.contain(`no series for this node in an answer that is not whole (${note}`);
      });
    }

    it("warnings of the query language, and Mimir's whole answers, are no partial answers", async () => {
      server.reply = () =>
        partial({
          warnings: ['PromQL warning: encountered a mix of histograms and floats'],
          isPartial: false,
        });
      expect(reasons(await fetchAt(), 'n2')).to.deep.equal(['all no-sample']);
    });

    it('only the resource whose answer is partial has that reason', async () => {
      server.reply = ({ promql }) =>
        promql.includes('MemAvailable') ? partial({ isPartial: true }) : partial({}, ['n1', 'n2']);
      const fetched = await fetchAt();
      expect(reasons(fetched, 'n2')).to.deep.equal(['Memory partial-answer']);
      expect(reasons(fetched, 'n3')).to.deep.equal(['all partial-answer']);
    });

    it('a node that the partial answer over five minutes lacks is not called stale', async () => {
      server.reply = ({ promql }) =>
        promql.includes('[5m]') ? partial({ isPartial: true }) : partial({}, ['n1', 'n2']);
      expect(reasons(await fetchAt(), 'n2')).to.deep.equal([]);
    });

    it('a partial answer without any series is no reason to read another source', async () => {
      server.reply = ({ promql }) => (promql.includes('node_') ? partial({}, ['n1', 'n2']) : partial({}, []));
      await fetchAt();
      server.reply = () => partial({ isPartial: true }, []);
      const before = server.requests.length;
      const fetched = await fetchAt();
      expect(server.requests.length - before).to.equal(12);
      expect(reasons(fetched, 'n1')).to.deep.equal(['all partial-answer']);
    });
  });
});
