import { expect } from 'chai';
import fc from 'fast-check';
import {
  cluster,
  explanation,
  failure,
  NOW_MS,
  pod,
  type Samples,
  scores,
  tellSignals,
} from '../measured-cluster.test.js';
import { TRAFFIC_KINDS, trafficSignal } from './plugin.js';
import { trafficScore } from './score.js';

const NODES = ['a', 'b', 'c'];
const ARGS = { ip: 'http://prometheus:9090', timeRange: 0 };
const PENDING = pod('pending', {});

type Values = readonly (readonly [string, number])[];

interface Asked {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly readMs?: number;
}

function told(plugin: string, values: Values, { args = {}, readMs }: Asked = {}) {
  const state = cluster(Object.fromEntries(NODES.map((name) => [name, {}])));
  const signal = TRAFFIC_KINDS.find(({ name }) => name === plugin)?.signal ?? '';
  const samples: Samples = { [signal]: values };
  const question = { plugin, args: { ...ARGS, ...args }, pod: PENDING };
  tellSignals(state, question, { samples, ...(readMs === undefined ? {} : { readMs }) });
  return { state, question };
}

function ask(plugin: string, values: Values, asked?: Asked): Readonly<Record<string, number>> {
  const { state, question } = told(plugin, values, asked);
  return scores(state, question);
}

const MB = 1e6;

/** Sentence, plugin, values by node, scores. */
const ROWS: readonly (readonly [string, string, Values, Readonly<Record<string, number>>])[] = [
  [
    'the most free CPU scores 100, the others in proportion, half up',
    'CPUTraffic',
    [
      ['a', 80],
      ['b', 40.4],
      ['c', 0.4],
    ],
    { a: 100, b: 51, c: 1 },
  ],
  [
    'fractions count until the end: 0.9 % free is not 0',
    'MemoryTraffic',
    [
      ['a', 0.9],
      ['b', 0.45],
      ['c', 0],
    ],
    { a: 100, b: 50, c: 0 },
  ],
  [
    'no disk space anywhere: all 0, nothing throws',
    'DiskSpaceTraffic',
    [
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ],
    { a: 0, b: 0, c: 0 },
  ],
  [
    'the present rate counts, not what a counter has summed up in sixty days (C25)',
    'NetworkTraffic',
    [
      ['a', 90 * MB],
      ['b', 1 * MB],
      ['c', 45 * MB],
    ],
    { a: 0, b: 99, c: 50 },
  ],
  [
    'a node whose query fails never beats a measured one (C26)',
    'NetworkTraffic',
    [
      ['a', 10 * MB],
      ['b', 50 * MB],
    ],
    { a: 80, b: 0, c: 0 },
  ],
  [
    'all idle: 100 each, no division by 0 (C27)',
    'NetworkTraffic',
    [
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ],
    { a: 100, b: 100, c: 100 },
  ],
  ['a single measured node that is idle', 'DiskTraffic', [['b', 0]], { a: 0, b: 100, c: 0 }],
  ['nothing is known of any node: all alike', 'DiskTraffic', [], { a: 0, b: 0, c: 0 }],
  [
    'NaN and negative samples are no values',
    'DiskTraffic',
    [
      ['a', Number.NaN],
      ['b', -1],
      ['c', 5],
    ],
    { a: 0, b: 0, c: 0 },
  ],
];

describe('the traffic plugins', () => {
  for (const [sentence, plugin, values, expected] of ROWS) {
    it(`${plugin}: ${sentence}`, () => {
      expect(ask(plugin, values)).to.deep.equal(expected);
    });
  }

  for (const { name } of TRAFFIC_KINDS) {
    it(`${name}: any finite values give scores, however large`, () => {
      const value = fc.oneof(
        fc.constantFrom(0, 1, 1e306, 2e306, Number.MAX_VALUE),
        fc.double({ min: 0, noNaN: true }),
      );
      fc.assert(
        fc.property(value, value, value, (a, b, c) => {
          fc.pre([a, b, c].every(Number.isFinite));
          const all = ask(name, [
            ['a', a],
            ['b', b],
            ['c', c],
          ]);
          for (const score of Object.values(all)) expect(score).to.be.within(0, 100);
        }),
      );
    });

    it(`${name}: missingMetrics chooses between last, neutral and an error that names plugin and node`, () => {
      const values: Values = [
        ['a', 10],
        ['b', 10],
      ];
      expect(ask(name, values).c).to.equal(0);
      expect(ask(name, values, { args: { missingMetrics: 'skip' } }).c).to.equal(50);
      const { state, question } = told(name, values, { args: { missingMetrics: 'error' } });
      expect(failure(state, question)).to.match(
        new RegExp(
          `^plugin "${name}" finds no usable value of [a-z-]+ for node "c" \\(missingMetrics: error\\)$`,
        ),
      );
    });

    it(`${name}: values older than metricsMaxAge count as missing, 5 minutes unless set`, () => {
      const values: Values = [
        ['a', 10],
        ['b', 20],
        ['c', 5],
      ];
      const at = (ageMs: number, args = {}) => ask(name, values, { args, readMs: NOW_MS - ageMs });
      expect(at(300_000)).to.not.deep.equal({ a: 0, b: 0, c: 0 });
      expect(at(300_001)).to.deep.equal({ a: 0, b: 0, c: 0 });
      expect(at(301_000, { metricsMaxAge: '10m' })).to.not.deep.equal({ a: 0, b: 0, c: 0 });
      expect(at(1e10, { metricsMaxAge: '0s' })).to.not.deep.equal({ a: 0, b: 0, c: 0 });
    });
  }

  it('a machine that took over the name of another has nothing of it', () => {
    const { state, question } = told('CPUTraffic', [
      ['a', 10],
      ['b', 20],
      ['c', 5],
    ]);
    const creationTimestamp = new Date(NOW_MS - 1000).toISOString();
    state.upsertNode({
      metadata: { name: 'b', creationTimestamp },
      status: { capacity: {}, allocatable: {} },
    });
    expect(scores(state, question)).to.deep.equal({ a: 100, b: 0, c: 50 });
  });

  it('explains value, age and unit, or why there is no value', () => {
    const { state, question } = told('NetworkTraffic', [
      ['a', 1500],
      ['b', Number.NaN],
    ]);
    expect(explanation(state, 'a', question)).to.deep.equal({
      signal: 'network-receive',
      value: 1500,
      ageSeconds: 20,
      unit: 'bytes per second',
      better: 'lower',
    });
    const missing = { signal: 'network-receive', ageSeconds: 20, missingMetrics: 'zeroScore' };
    expect(explanation(state, 'b', question)).to.deep.equal({ ...missing, missing: 'non-finite' });
    expect(explanation(state, 'c', question)).to.deep.equal({ ...missing, missing: 'no-sample' });
  });

  it('any measured values give whole scores of 0 to 100, the best node 100, and the better node never less', () => {
    const value = fc.oneof(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.constant(0));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (values) => {
        const max = Math.max(...values);
        for (const direction of ['free', 'traffic'] as const) {
          const all = values.map((each) => trafficScore(each, { max }, direction));
          expect(all.every((score) => Number.isInteger(score) && score >= 0 && score <= 100)).to.equal(true);
          const better = (a: number, b: number) => (direction === 'free' ? a >= b : a <= b);
          for (const [i, a] of values.entries()) {
            for (const [j, b] of values.entries()) {
              if (better(a, b)) expect(all[i]).to.be.at.least(all[j] ?? 0);
            }
          }
          if (max > 0 && direction === 'free') expect(Math.max(...all)).to.equal(100);
        }
      }),
    );
  });
});

describe('what the traffic plugins ask', () => {
  const promqlOf = (plugin: string, args: Readonly<Record<string, unknown>> = {}): string => {
    const kind = TRAFFIC_KINDS.find(({ name }) => name === plugin);
    return kind === undefined ? '' : trafficSignal(kind, { ...ARGS, ...args }).spec.promql;
  };

  it('a range of 0 is 30 minutes, 1 is 2, others are as given', () => {
    const ranges = [0, 1, 2, 60].map(
      (timeRange) => /\[(\w+)\]/.exec(promqlOf('CPUTraffic', { timeRange }))?.[1],
    );
    expect(ranges).to.deep.equal(['30m', '2m', '2m', '60m']);
  });

  it('a device, a list of devices or an expression is matched as a whole', () => {
    const matched = ['eth0', 'eth0, eth1', 'en.*', 'eth{0,1}', 'a"b\\.1'].map(
      (deviceName) => /device=~("(?:[^"\\]|\\.)*")/.exec(promqlOf('NetworkTraffic', { deviceName }))?.[1],
    );
    expect(matched).to.deep.equal(['"eth0"', '"eth0|eth1"', '"en.*"', '"eth{0,1}"', '"a\\"b\\\\.1"']);
  });

  it('one query for all nodes: no node is named in any', () => {
    for (const { name } of TRAFFIC_KINDS) expect(promqlOf(name)).to.not.match(/instance=|nodename=|node=/);
  });
});
