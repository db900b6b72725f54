import type { Node, NodeMetricsObject } from '@catamaran/model';
import {
  type ClusterApi,
  type LogFields,
  type Logger,
  MetricsRegistry,
  SystemClock,
  silentLogger,
  VirtualClock,
} from '@catamaran/platform';
import { FakePrometheus, type FakeSample } from '@catamaran/testkit';
import { expect } from 'chai';
import type { AbsenceReason } from './core/figures/figures.js';
import { runAtOnce } from './event-loop.js';
import { debugNodes } from './http/debug-nodes.js';
import { createProvider, type ProviderSpec } from './providers/create-provider.js';
import { LoadWatcher } from './service/load-watcher.js';

const START_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
/** A node that nothing is wrong with, beside the one that something is. */
const SOUND = 'sound';

/** What is wrong: who it is told of, why, and what `n1` still has. */
interface Wrong {
  readonly sentence: string;
  readonly subject: string;
  readonly reason: AbsenceReason | undefined;
  /** CPU of n1, in percent, when it is served. */
  readonly cpuPercent?: number;
}

interface World {
  readonly spec: ProviderSpec;
  readonly api: ClusterApi;
  /** Whether the source shows what is wrong from now on. */
  setWrong(isWrong: boolean): void;
  close(): Promise<void>;
}

interface Item {
  readonly name: string;
  readonly metrics: readonly { readonly type: string; readonly operator: string; readonly value: number }[];
  readonly absent: readonly { readonly reason: string; readonly detail: string }[];
}

/** Everything that is wrong is absent with a reason: in `/debug/nodes`, in the metrics, and in the log only on change. */
function describeTruth(
  source: string,
  rows: readonly Wrong[],
  create: (row: Wrong, clock: VirtualClock) => Promise<World>,
): void {
  describe(`truth of figures from ${source}`, () => {
    for (const row of rows) {
      it(row.sentence, async () => {
        const clock = new VirtualClock(START_MS);
        const world = await create(row, clock);
        const lines: string[] = [];
        const metrics = new MetricsRegistry();
        const provider = createProvider(
          world.spec,
          { refreshIntervalMs: MINUTE_MS },
          { clock: new SystemClock(), random: () => 0, api: world.api },
        );
        const watcher = new LoadWatcher(
          { refreshIntervalMs: MINUTE_MS, maxAgeMs: 0 },
          { provider, clock, metrics, log: loggerTo(lines) },
        );
        const refresh = () => clock.advanceBy(MINUTE_MS, () => watcher.settled());
        const items = () =>
          (JSON.parse(runAtOnce(debugNodes(watcher, clock.nowMs()))) as { items: Item[] }).items;
        try {
          world.setWrong(true);
          watcher.start();
          await watcher.settled();
          await refresh();
          expect(cpuOf(items(), SOUND), 'the other node').to.equal(50);
          expect(cpuOf(items(), 'n1')).to.equal(row.cpuPercent);
          expect(
            watcher
              .serve()
              ?.figures.nodes.get('n1')
              ?.metrics.every(({ value }) => value !== 0) ?? true,
          ).to.equal(true);
          const { reason } = row;
          if (reason === undefined) {
            expect(lines).to.deep.equal([]);
            return;
          }
          const told = items().find(({ name }) => name === row.subject)?.absent ?? [];
          expect(told.map((absence) => absence.reason)).to.include(reason);
          expect(told.find((absence) => absence.reason === reason)?.detail).to.match(/\w{3}/);
          expect((await metrics.render()).body).to.match(
            new RegExp(`^load_watcher_absent_figures\\{reason="${reason}"\\} [1-9]`, 'm'),
          );
          const mine = () => lines.filter((line) => line.endsWith(`figures: ${reason}`));
          expect(mine(), 'once while it lasts').to.deep.equal([`warn figures: ${reason}`]);
          world.setWrong(false);
          await refresh();
          expect(mine()).to.deep.equal([`warn figures: ${reason}`, `info figures: ${reason}`]);
          expect((await metrics.render()).body).to.contain(
            `load_watcher_absent_figures{reason="${reason}"} 0`,
          );
        } finally {
          await watcher.close();
          await world.close();
        }
      });
    }
  });
}

function cpuOf(items: readonly Item[], name: string): number | undefined {
  const metrics = items.find((item) => item.name === name)?.metrics ?? [];
  return metrics.find(({ type, operator }) => type === 'CPU' && operator !== 'STD')?.value;
}

function loggerTo(lines: string[]): Logger {
  const add = (level: string) => (_message: string, fields?: LogFields) => {
    const what = String(fields?.what);
    if (what.startsWith('figures: ')) lines.push(`${level} ${what}`);
  };
  return { ...silentLogger, info: add('info'), warn: add('warn'), error: add('error') };
}

function nodeWith(
  name: string,
  more: Partial<Node['metadata']> = {},
  capacity: object = { cpu: '4', memory: '8Gi' },
): Node {
  return { metadata: { name, ...more }, status: { capacity: capacity as Record<string, string> } };
}

function listing(nodes: readonly Node[], usage: () => readonly NodeMetricsObject[] = () => []): ClusterApi {
  const api: Pick<ClusterApi, 'list' | 'listNodeMetrics'> = {
    list: async () => ({ items: nodes as never[], resourceVersion: '1' }),
    listNodeMetrics: async () => usage(),
  };
  return api as ClusterApi;
}

interface UsageCase extends Wrong {
  readonly cpu?: string | number | null;
  readonly aheadMs?: number;
  readonly capacity?: object;
  readonly created?: number;
  /** Entries beside those of the two nodes. */
  readonly more?: readonly string[];
}

const subject = 'n1';
const USAGE: readonly UsageCase[] = [
  { sentence: 'idle is 0, and no sample is not', subject, reason: 'no-sample', cpu: null },
  { sentence: 'NaN is no quantity', subject, reason: 'bad-quantity', cpu: 'NaN' },
  { sentence: 'an infinity is no quantity', subject, reason: 'bad-quantity', cpu: '+Inf' },
  { sentence: 'minus infinity is no quantity', subject, reason: 'bad-quantity', cpu: '-Inf' },
  { sentence: 'negative usage measures nothing', subject, reason: 'negative', cpu: '-1' },
  { sentence: 'above capacity is legal', subject, reason: undefined, cpu: '6', cpuPercent: 150 },
  { sentence: 'more than ten times the capacity is a wrong unit', subject, reason: 'implausible', cpu: '41' },
  { sentence: 'a node listed twice', subject, reason: 'duplicate-series', more: ['n1'], cpuPercent: 25 },
  {
    sentence: 'a ghost: measured, but no node',
    subject: 'ghost',
    reason: 'unknown-node',
    more: ['ghost'],
    cpuPercent: 25,
  },
  {
    sentence: 'zero capacity divides nothing',
    subject,
    reason: 'zero-capacity',
    capacity: { cpu: '0', memory: '8Gi' },
  },
  { sentence: 'no capacity divides nothing', subject, reason: 'zero-capacity', capacity: { memory: '8Gi' } },
  {
    sentence: 'a sample of ten minutes ago, or clocks so far apart',
    subject,
    reason: 'stale-sample',
    aheadMs: -10 * MINUTE_MS,
  },
  {
    sentence: 'a sample of ten minutes ahead, or clocks so far apart',
    subject,
    reason: 'future-sample',
    aheadMs: 10 * MINUTE_MS,
  },
  { sentence: 'a sample of an earlier machine of the name', subject, reason: 'older-than-node', created: 1 },
  {
    sentence: 'clocks a little apart are no matter',
    subject,
    reason: undefined,
    aheadMs: 30_000,
    cpuPercent: 25,
  },
];

describeTruth('the Metrics Server', USAGE, async (row, clock) => {
  const { cpu = '1', aheadMs = 0, capacity, created, more = [] } = row as UsageCase;
  let isWrong = false;
  const createdMs = START_MS + 2 * MINUTE_MS + 1;
  const metadata = created === undefined ? {} : { creationTimestamp: new Date(createdMs).toISOString() };
  const wrongNodes = [nodeWith('n1', metadata, capacity), nodeWith(SOUND)];
  const soundNodes = [nodeWith('n1'), nodeWith(SOUND)];
  const entry = (name: string, used: unknown, atMs: number): NodeMetricsObject => ({
    metadata: { name },
    timestamp: new Date(atMs).toISOString(),
    usage: { ...(used === null ? {} : { cpu: used as string }), memory: '1Gi' },
  });
  const usage = () => [
    entry('n1', isWrong ? cpu : '1', clock.nowMs() + (isWrong ? aheadMs : 0)),
    entry(SOUND, '2', clock.nowMs()),
    ...(isWrong ? more.map((name) => entry(name, '1', clock.nowMs() - 1)) : []),
  ];
  const api: ClusterApi = {
    ...listing([], usage),
    list: (async () => ({
      items: isWrong ? wrongNodes : soundNodes,
      resourceVersion: '1',
    })) as unknown as ClusterApi['list'],
  };
  return {
    spec: { name: 'KubernetesMetricsServer' },
    api,
    setWrong: (next) => {
      isWrong = next;
    },
    close: async () => undefined,
  };
});

interface SeriesCase extends Wrong {
  /** Ratio of n1's CPU, as Prometheus writes it; null for none. */
  readonly cpu?: string | null;
  /** Only in windows longer than five minutes. */
  readonly isLingering?: boolean;
  readonly ageSeconds?: number;
  readonly more?: readonly string[];
  /** Of Prometheus' clock to ours. */
  readonly skewMs?: number;
}

const SERIES: readonly SeriesCase[] = [
  { sentence: 'no series is not 0', subject, reason: 'no-sample', cpu: null },
  { sentence: 'NaN is dropped', subject, reason: 'non-finite', cpu: 'NaN' },
  { sentence: 'an infinity is dropped', subject, reason: 'non-finite', cpu: '+Inf' },
  { sentence: 'minus infinity is dropped', subject, reason: 'non-finite', cpu: '-Inf' },
  { sentence: 'a negative figure measures nothing', subject, reason: 'negative', cpu: '-0.1' },
  { sentence: 'above capacity is legal', subject, reason: undefined, cpu: '1.5', cpuPercent: 150 },
  {
    sentence: 'more than ten times the capacity is a wrong unit',
    subject,
    reason: 'implausible',
    cpu: '82353',
  },
  {
    sentence: 'several series of one node',
    subject,
    reason: 'duplicate-series',
    more: ['n1'],
    cpuPercent: 25,
  },
  {
    sentence: 'a ghost: measured, but no node',
    subject: 'ghost:9100',
    reason: 'unmatched-instance',
    more: ['ghost:9100'],
    cpuPercent: 25,
  },
  { sentence: 'capacity 0 gives NaN, which is dropped', subject, reason: 'non-finite', cpu: 'NaN' },
  { sentence: 'a node that lingers in long ranges only', subject, reason: 'stale-sample', isLingering: true },
  { sentence: 'a newest sample of ten minutes ago', subject, reason: 'stale-sample', ageSeconds: 600 },
  { sentence: 'a newest sample of ten minutes ahead', subject, reason: 'future-sample', ageSeconds: -600 },
  {
    sentence: 'the clock of Prometheus ten minutes ahead is no matter',
    subject,
    reason: undefined,
    skewMs: 10 * MINUTE_MS,
    cpuPercent: 25,
  },
  {
    sentence: 'the clock of Prometheus ten minutes behind is no matter',
    subject,
    reason: undefined,
    skewMs: -10 * MINUTE_MS,
    cpuPercent: 25,
  },
  {
    sentence: 'a stale sample is stale by a clock ten minutes ahead, too',
    subject,
    reason: 'stale-sample',
    ageSeconds: 600,
    skewMs: 10 * MINUTE_MS,
  },
];

describeTruth('Prometheus', SERIES, async (row, clock) => {
  const { cpu = '0.25', isLingering = false, ageSeconds = 10, more = [], skewMs = 0 } = row as SeriesCase;
  const server = await FakePrometheus.start();
  let isWrong = false;
  const series = (instance: string, value: string, extra: object = {}): FakeSample => ({
    labels: { instance, ...extra },
    value,
  });
  server.reply = ({ promql }) => {
    const evaluatedMs = clock.nowMs() + skewMs;
    const isCpu = promql.includes('cpu');
    const isGone = isWrong && (isLingering ? promql.includes('[5m') : isCpu && cpu === null);
    const samples = [series(SOUND, '0.5')];
    if (!isGone) samples.push(series('n1', isWrong && isCpu ? (cpu ?? '') : '0.25'));
    if (isWrong) samples.push(...more.map((instance) => series(instance, '0.2', { pod: 'twin' })));
    if (promql.includes('label_replace') && !isGone) {
      const atMs = evaluatedMs - (isWrong ? ageSeconds : 10) * 1000;
      samples.push(series('n1', String(atMs / 1000), { catamaran_time: '1' }));
    }
    const result = samples.map(({ labels, value }) => ({
      metric: labels,
      value: [evaluatedMs / 1000, value],
    }));
    return {
      status: 200,
      body: JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }),
    };
  };
  return {
    spec: { name: 'Prometheus', baseUrl: server.url },
    api: listing([nodeWith('n1'), nodeWith(SOUND)]),
    setWrong: (next) => {
      isWrong = next;
    },
    close: () => server.close(),
  };
});
