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
import { nodeSignalsScore, type SignalRule } from './score.js';

const PENDING = pod('pending', {});

type Rule = Readonly<Record<string, unknown>>;

function signal(name: string, rule: Rule): Rule {
  return { name, promQL: name, maxAge: '5m', weight: 1, missing: 'zeroScore', ...rule };
}

function told(signals: readonly Rule[], samples: Samples, readMs?: number) {
  const args = { prometheus: { address: 'http://p' }, signals };
  const question = { plugin: 'NodeSignals', args, pod: PENDING };
  const state = cluster({ a: {}, b: {}, c: {} });
  tellSignals(state, question, { samples, ...(readMs === undefined ? {} : { readMs }) });
  return { state, question };
}

function ask(signals: readonly Rule[], samples: Samples, readMs?: number): Readonly<Record<string, number>> {
  const { state, question } = told(signals, samples, readMs);
  return scores(state, question);
}

const SPREAD = signal('gpu', { unit: 'percent', direction: 'spread' });
const PACK = signal('cpu', { unit: 'percent', direction: 'pack', target: 40 });

/** Sentence, signals, values, scores. */
const ROWS: readonly (readonly [string, readonly Rule[], Samples, Readonly<Record<string, number>>])[] = [
  [
    'spread: 100 less the percentage, half up',
    [SPREAD],
    {
      gpu: [
        ['a', 0],
        ['b', 30.5],
        ['c', 130],
      ],
    },
    { a: 100, b: 70, c: 0 },
  ],
  [
    "pack: TargetLoadPacking's curve, just above the target too",
    [PACK],
    {
      cpu: [
        ['a', 40],
        ['b', 41],
        ['c', 0],
      ],
    },
    { a: 100, b: 39, c: 40 },
  ],
  [
    'avoid: alike up to the ceiling, 0 above it',
    [signal('io', { unit: 'ratio', direction: 'avoid', ceiling: 20 })],
    {
      io: [
        ['a', 0],
        ['b', 0.2],
        ['c', 0.2001],
      ],
    },
    { a: 100, b: 100, c: 0 },
  ],
  [
    'several: the mean by weight',
    [{ ...SPREAD, weight: 3 }, PACK],
    {
      gpu: [
        ['a', 20],
        ['b', 100],
        ['c', 0],
      ],
      cpu: [
        ['a', 40],
        ['b', 40],
        ['c', 100],
      ],
    },
    { a: 85, b: 25, c: 75 },
  ],
  [
    'a ceiling overrules all other signals',
    [{ ...SPREAD, ceiling: 90 }, PACK],
    {
      gpu: [
        ['a', 90],
        ['b', 90.5],
        ['c', 10],
      ],
      cpu: [
        ['a', 40],
        ['b', 40],
        ['c', 40],
      ],
    },
    { a: 55, b: 0, c: 95 },
  ],
  [
    'relative: percent of the largest of any node',
    [signal('queue', { unit: 'relative', direction: 'spread' })],
    {
      queue: [
        ['a', 0],
        ['b', 5],
        ['c', 20],
      ],
    },
    { a: 100, b: 75, c: 0 },
  ],
  [
    'relative, all 0: all alike',
    [signal('queue', { unit: 'relative', direction: 'spread' })],
    {
      queue: [
        ['a', 0],
        ['b', 0],
        ['c', 0],
      ],
    },
    { a: 100, b: 100, c: 100 },
  ],
  [
    'an amount in percent of a capacity',
    [signal('net', { capacity: 200, direction: 'spread' })],
    {
      net: [
        ['a', 20],
        ['b', 100],
        ['c', 400],
      ],
    },
    { a: 90, b: 50, c: 0 },
  ],
  [
    'a missing value counts 0 for its signal, or leaves its signal out',
    [SPREAD, { ...PACK, missing: 'skip' }],
    {
      gpu: [
        ['a', 20],
        ['b', 20],
      ],
      cpu: [
        ['a', 40],
        ['c', 40],
      ],
    },
    { a: 90, b: 80, c: 50 },
  ],
  [
    'all signals left out: neutral',
    [{ ...SPREAD, missing: 'skip' }],
    { gpu: [['a', 20]] },
    { a: 80, b: 50, c: 50 },
  ],
  [
    'NaN and negative samples are no values',
    [SPREAD],
    {
      gpu: [
        ['a', Number.NaN],
        ['b', -5],
        ['c', 99],
      ],
    },
    { a: 0, b: 0, c: 1 },
  ],
  ['nothing was ever read: all alike', [SPREAD, PACK], {}, { a: 0, b: 0, c: 0 }],
];

describe('NodeSignals', () => {
  for (const [sentence, signals, samples, expected] of ROWS) {
    it(sentence, () => {
      expect(ask(signals, samples)).to.deep.equal(expected);
    });
  }

  it('each signal has its own age: old values of one count as missing, the other stands', () => {
    const signals = [SPREAD, { ...PACK, maxAge: '10m' }];
    const samples: Samples = { gpu: [['a', 0]], cpu: [['a', 40]] };
    expect(ask(signals, samples, NOW_MS - 300_000).a).to.equal(100);
    expect(ask(signals, samples, NOW_MS - 300_001).a).to.equal(50);
    expect(ask(signals, samples, NOW_MS - 600_001).a).to.equal(0);
  });

  it('missing: error ends the attempt and names signal and node', () => {
    const { state, question } = told([{ ...SPREAD, missing: 'error' }], {
      gpu: [
        ['a', 1],
        ['b', 1],
      ],
    });
    expect(failure(state, question)).to.equal(
      'plugin "NodeSignals" finds no usable value of gpu for node "c" (missing: error)',
    );
  });

  it('explains each signal: value, age, percent and score, or why there is no value', () => {
    const net = signal('net', {
      unit: 'relative',
      direction: 'pack',
      target: 50,
      ceiling: 80,
      missing: 'skip',
    });
    const { state, question } = told([SPREAD, net], {
      gpu: [['a', 30]],
      net: [
        ['a', 9],
        ['b', 10],
      ],
    });
    expect(explanation(state, 'a', question)).to.deep.equal({
      signals: {
        gpu: { value: 30, ageSeconds: 20, percent: 30, score: 70, direction: 'spread', weight: 1 },
        net: {
          value: 9,
          ageSeconds: 20,
          percent: 90,
          score: 0,
          branch: 'above-ceiling',
          direction: 'pack',
          target: 50,
          ceiling: 80,
          weight: 1,
        },
      },
    });
    expect(explanation(state, 'c', question)).to.deep.include({
      signals: {
        gpu: { missing: 'no-sample', ageSeconds: 20, ifMissing: 'zeroScore', direction: 'spread', weight: 1 },
        net: {
          missing: 'no-sample',
          ageSeconds: 20,
          ifMissing: 'skip',
          direction: 'pack',
          target: 50,
          ceiling: 80,
          weight: 1,
        },
      },
    });
  });

  it('rounds once: no score is further than a half from the mean of the curves', () => {
    const rule = fc.record({
      direction: fc.constantFrom('spread' as const, 'pack' as const),
      target: fc.integer({ min: 1, max: 99 }),
      weight: fc.integer({ min: 1, max: 9 }),
      missing: fc.constant('zeroScore' as const),
    });
    const pairs = fc.array(fc.tuple(rule, fc.double({ min: 0, max: 100, noNaN: true })), {
      minLength: 1,
      maxLength: 4,
    });
    const curve = ({ direction, target = 100 }: SignalRule, percent: number): number => {
      if (direction === 'spread') return 100 - percent;
      return percent > target
        ? (target * (100 - percent)) / (100 - target)
        : target + ((100 - target) * percent) / target;
    };
    fc.assert(
      fc.property(pairs, (given) => {
        const weights = given.reduce((sum, [{ weight }]) => sum + weight, 0);
        const mean = given.reduce((sum, [each, at]) => sum + each.weight * curve(each, at), 0) / weights;
        const score = nodeSignalsScore(
          given.map(([each]) => each),
          (index) => given[index]?.[1] ?? Number.NaN,
        );
        expect(Math.abs(score - mean)).to.be.at.most(0.5 + 1e-9);
      }),
      { numRuns: 500 },
    );
  });

  it('any finite values give scores, however large', () => {
    const unit = fc.constantFrom(
      { unit: 'percent' },
      { unit: 'ratio' },
      { unit: 'relative' },
      { capacity: 1e-3 },
    );
    const value = fc.oneof(
      fc.constantFrom(0, 1, 1e306, 2e306, Number.MAX_VALUE),
      fc.double({ min: 0, noNaN: true }),
    );
    fc.assert(
      fc.property(unit, fc.constantFrom('spread', 'pack'), value, value, (given, direction, a, b) => {
        const rule = signal('x', { ...given, direction, ...(direction === 'pack' ? { target: 40 } : {}) });
        const all = ask([rule], {
          x: [
            ['a', a],
            ['b', b],
          ],
        });
        for (const score of Object.values(all)) expect(score).to.be.within(0, 100);
      }),
    );
  });

  it('any rules and percentages give a whole score of 0 to 100, and more load never a better one when spreading', () => {
    const rule: fc.Arbitrary<SignalRule> = fc.record({
      direction: fc.constantFrom('spread' as const, 'pack' as const, 'avoid' as const),
      target: fc.integer({ min: 1, max: 100 }),
      ceiling: fc.integer({ min: 1, max: 100 }),
      weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
      missing: fc.constantFrom('zeroScore' as const, 'skip' as const),
    });
    const percent = fc.oneof(fc.double({ min: 0, max: 200, noNaN: true }), fc.constant(Number.NaN));
    const pairs = fc.array(fc.tuple(rule, percent), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pairs, fc.double({ min: 0, max: 50, noNaN: true }), (given, more) => {
        const rules = given.map(([each]) => each);
        const score = nodeSignalsScore(rules, (index) => given[index]?.[1] ?? Number.NaN);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).to.equal(true);
        const spreading = rules.map((each) => ({ ...each, direction: 'spread' as const }));
        const at = (added: number) =>
          nodeSignalsScore(spreading, (index) => (given[index]?.[1] ?? Number.NaN) + added);
        expect(at(more)).to.be.at.most(at(0));
      }),
    );
  });
});
