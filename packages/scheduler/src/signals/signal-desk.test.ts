import type { NodeVector, NodeVectorQuery } from '@catamaran/load-watcher';
import { type Node, ok, problem, type Result } from '@catamaran/model';
import { type Logger, MetricsRegistry, silentLogger, VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { expandPlugins } from '../core/config/plugin-set.js';
import type { ProfileConfig } from '../core/config/scheduler-config.js';
import { ClusterState } from '../core/state/cluster-state.js';
import { Activity } from '../service/activity.js';
import { SignalDesk } from './signal-desk.js';
import { signalMetrics } from './signal-metrics.js';
import { signalPoliciesOf, signalSources } from './signal-policy.js';
import type { SignalReader } from './signal-reader.js';

const START_MS = 1_800_000_000_000;

/** Answers by query; a query without an answer gives an empty vector. */
class Answers implements SignalReader {
  readonly address = 'http://p';
  readonly asked: (readonly NodeVectorQuery[])[] = [];
  answers: Readonly<Record<string, Result<readonly (readonly [string, number])[]>>> = {};

  unmatched: NodeVector['unmatched'] = [];

  read({ queries }: { readonly queries: readonly NodeVectorQuery[]; readonly nodes: Iterable<Node> }) {
    this.asked.push(queries);
    return Promise.resolve(
      queries.map(({ promql }): Result<NodeVector> => {
        const answer = this.answers[promql] ?? ok([]);
        if (!answer.ok) return answer;
        const samples = answer.value.map(([node, value]) => ({ node, value }));
        return ok({ samples, unmatched: this.unmatched, notes: [] });
      }),
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function profile(schedulerName: string, pluginArgs: Readonly<Record<string, unknown>>): ProfileConfig {
  const enabled = Object.keys(pluginArgs).map((name) => ({ name, weight: 1 }));
  return {
    schedulerName,
    percentageOfNodesToScore: undefined,
    plugins: expandPlugins({ score: { enabled, disabled: [] } }),
    pluginArgs,
  };
}

const prometheus = { address: 'http://p' };
const signal = (name: string, rule: Readonly<Record<string, unknown>>) => ({
  name,
  promQL: name,
  direction: 'spread',
  maxAge: '5m',
  weight: 1,
  missing: 'zeroScore',
  ...rule,
});

describe('SignalDesk', () => {
  let clock: VirtualClock;
  let state: ClusterState;
  let reader: Answers;
  let registry: MetricsRegistry;
  let desk: SignalDesk | undefined;
  let changes: number;
  let lines: string[];
  const note = (message: string): void => void lines.push(message);
  const recorder: Logger = { debug: note, info: note, warn: note, error: note, with: () => recorder };

  beforeEach(() => {
    clock = new VirtualClock(START_MS);
    state = new ClusterState();
    for (const name of ['a', 'b']) state.upsertNode({ metadata: { name } });
    reader = new Answers();
    registry = new MetricsRegistry();
    changes = 0;
    lines = [];
  });
  afterEach(() => desk?.close());

  function create(...profiles: readonly ProfileConfig[]): SignalDesk {
    const policies = profiles.flatMap(signalPoliciesOf);
    const readers = new Map(policies.map(({ source }) => [source.key, reader]));
    desk = new SignalDesk(
      { policies, intervalMs: 30_000 },
      {
        readers,
        state,
        clock,
        activity: new Activity(),
        log: recorder,
        metrics: signalMetrics(registry),
        onChanged: () => {
          changes += 1;
        },
      },
    );
    return desk;
  }

  const valuesOf = (node: string) => state.snapshot(clock.nowMs()).node(node)?.signals;
  const metric = async (name: string) =>
    (await registry.render()).body
      .split('\n')
      .filter((line) => line.startsWith(name) && !line.endsWith(' 0'));

  it('tells when values get too old while none can be read', async () => {
    const signals = [
      signal('x', { unit: 'percent' }),
      signal('y', { unit: 'percent', maxAge: '10m' }),
      signal('z', { unit: 'percent', maxAge: '0s' }),
    ];
    const created = create(profile('one', { NodeSignals: { prometheus, signals } }));
    reader.answers = { x: ok([['a', 40]]), y: ok([['a', 40]]), z: ok([['a', 40]]) };
    await created.start();
    reader.answers = { x: problem('down'), y: problem('down'), z: problem('down') };
    const times: number[] = [];
    let before = changes;
    for (let second = 1; second <= 700; second += 1) {
      await clock.advanceBy(1_000);
      const isPoll = second % 30 === 0;
      if (changes > before && !isPoll) times.push(second);
      before = changes;
    }
    expect(times).to.deep.equal([301, 601]);
  });

  it('asks each query once a refresh, whatever profiles, plugins and signals share it', async () => {
    const twice = { prometheus, signals: [signal('x', { unit: 'percent' }), signal('y', { capacity: 'x' })] };
    const created = create(profile('one', { NodeSignals: twice }), profile('two', { NodeSignals: twice }));
    reader.answers = { x: ok([['a', 40]]), y: ok([['a', 10]]) };
    await created.start();
    expect(reader.asked).to.deep.equal([
      [
        { promql: 'x', nodeLabel: undefined },
        { promql: 'y', nodeLabel: undefined },
      ],
    ]);
    expect(valuesOf('a')).to.deep.equal([40, 25]);
    expect(valuesOf('b')).to.deep.equal([undefined, undefined]);
    await clock.advanceBy(30_000);
    expect([reader.asked.length, changes]).to.deep.equal([2, 2]);
  });

  it('a pod that comes makes it ask again, ten seconds after the last time at the soonest', async () => {
    const created = create(
      profile('one', { NodeSignals: { prometheus, signals: [signal('x', { unit: 'percent' })] } }),
    );
    created.hurry();
    expect(reader.asked).to.have.length(0);
    await created.start();
    const askedAfter = async (waitMs: number): Promise<number> => {
      if (waitMs > 0) await clock.advanceBy(waitMs);
      created.hurry();
      await clock.advanceBy(1);
      return reader.asked.length;
    };
    expect([
      await askedAfter(0),
      await askedAfter(9_997),
      await askedAfter(1),
      await askedAfter(1),
    ]).to.deep.equal([1, 1, 2, 2]);
    await clock.advanceBy(30_000);
    expect(reader.asked).to.have.length(3);
  });

  it('a failed query keeps the last values, which get older; the others are read', async () => {
    const args = {
      prometheus,
      signals: [signal('x', { unit: 'percent' }), signal('y', { unit: 'percent' })],
    };
    const created = create(profile('one', { NodeSignals: args }));
    reader.answers = { x: ok([['a', 1]]), y: ok([['a', 2]]) };
    await created.start();
    reader.answers = { x: problem('the server is on fire'), y: ok([['a', 3]]) };
    await clock.advanceBy(30_000);
    expect(valuesOf('a')).to.deep.equal([1, 3]);
    created.report();
    expect(await metric('catamaran_scheduler_signal_age_seconds')).to.deep.equal([
      'catamaran_scheduler_signal_age_seconds{profile="one",plugin="NodeSignals",signal="x"} 30',
    ]);
    expect(await metric('catamaran_scheduler_signal_reads_total')).to.have.members([
      'catamaran_scheduler_signal_reads_total{outcome="ok"} 3',
      'catamaran_scheduler_signal_reads_total{outcome="failed"} 1',
    ]);
  });

  it('counts the nodes without a value by reason', async () => {
    const args = { prometheus, signals: [signal('x', { unit: 'percent' })] };
    const created = create(profile('one', { NodeSignals: args }));
    const missing = async () => {
      created.report();
      const lines = await metric('catamaran_scheduler_signal_missing_nodes');
      return lines.map((line) => /reason="([^"]+)"\} (\d+)/.exec(line)?.slice(1).join(' '));
    };
    expect(await missing()).to.deep.equal(['never-read 2']);
    reader.answers = { x: ok([['a', Number.NaN]]) };
    await created.start();
    expect(await missing()).to.have.members(['no-sample 1', 'non-finite 1']);
    reader.answers = { x: problem('gone') };
    await clock.advanceBy(300_001);
    expect(await missing()).to.deep.equal(['stale 2']);
  });

  it('says once when a signal is blind, failing, read, or missing for some nodes', async () => {
    const args = { prometheus, signals: [signal('x', { unit: 'percent' })] };
    const created = create(profile('one', { NodeSignals: args }));
    const report = (): void => {
      created.report();
      created.report();
    };
    await created.start();
    report();
    reader.answers = { x: ok([['a', 1]]) };
    await clock.advanceBy(30_000);
    report();
    reader.answers = { x: problem('no route') };
    await clock.advanceBy(30_000);
    report();
    reader.answers = {
      x: ok([
        ['a', 1],
        ['b', 2],
      ]),
    };
    await clock.advanceBy(30_000);
    report();
    expect(lines).to.deep.equal([
      'no node has a value of a signal',
      'a signal is read',
      'nodes without a value of a signal',
      'a signal could not be read again',
      'a signal is read',
      'every node has a value of a signal',
    ]);
  });

  it('says when series name no node, and again only when there are more or fewer', async () => {
    const created = create(
      profile('one', { NodeSignals: { prometheus, signals: [signal('x', { unit: 'percent' })] } }),
    );
    reader.unmatched = [
      { reason: 'unmatched-instance', detail: '{instance="elsewhere"}: no node of the cluster' },
    ];
    await created.start();
    await clock.advanceBy(60_000);
    expect(lines).to.deep.equal(['signals: series without a node, or remarks of Prometheus']);
    reader.unmatched = [...reader.unmatched, ...reader.unmatched];
    await clock.advanceBy(30_000);
    expect(lines).to.have.length(2);
  });

  it('needs a reader for every source', () => {
    const [policy] = signalPoliciesOf(profile('one', { CPUTraffic: { ip: 'http://q' } }));
    expect(policy?.source.key).to.equal('prometheus http://q');
    const deps = {
      state,
      clock,
      activity: new Activity(),
      log: silentLogger,
      metrics: signalMetrics(registry),
    };
    expect(
      () =>
        new SignalDesk(
          { policies: policy === undefined ? [] : [policy], intervalMs: 1 },
          { ...deps, readers: new Map(), onChanged: () => undefined },
        ),
    ).to.throw(TypeError, 'no reader for signal source "prometheus http://q"');
  });

  it('tells sources apart by credentials without showing them, and shares the rest', () => {
    const token = { prometheus: { address: 'http://p/', token: 'secret' } };
    const config = {
      profiles: [
        profile('one', { CPUTraffic: { ip: 'http://p' }, DiskTraffic: { ip: 'http://p/' } }),
        profile('two', { CPUTraffic: { ip: 'http://p/', ...token } }),
      ],
    } as unknown as Parameters<typeof signalSources>[0];
    const keys = signalSources(config).map(({ key }) => key);
    expect(keys).to.have.length(2);
    expect(keys[0]).to.equal('prometheus http://p');
    expect(keys[1]).to.match(/^prometheus http:\/\/p [0-9a-f]{12}$/);
  });
});
