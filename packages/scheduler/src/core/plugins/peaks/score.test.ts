import type { Pod } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { scoreRange } from '../../framework/score-range.js';
import { requestedCpuMilli } from '../../node-statistics/requested-cpu.js';
import { goExp } from '../../numerics/go-exp.js';
import { costOf, percentOf, powerJump, scoreOfCost } from './score.js';

const BEHIND = Number.POSITIVE_INFINITY;
const UNKNOWN = Number.NaN;
/** Of the machine that upstream's tests use. */
const K2 = -0.07186049052516227;

/** Sentence, costs, scores. The first seven are those of upstream. */
const NORMALISED: readonly (readonly [string, readonly number[], readonly number[]])[] = [
  ['the lowest cost wins', [0, 100], [100, 0]],
  ['no cost anywhere', [0, 0], [0, 0]],
  ['equal costs', [100, 100], [100, 100]],
  ['in proportion between', [0, 50, 200], [100, 75, 0]],
  ['savings count', [-5, 10], [100, 0]],
  ['a single node', [7], [100]],
  ['even steps', [1, 2, 3], [100, 50, 0]],
  ['scores are rounded up', [0, 1, 1000], [100, 100, 0]],
  ['the dearest node has 1 where the division falls short of 100', [0, 29_129_856_612_511_864], [100, 1]],
  ['a node behind all leaves the dearest at 1', [0, 50, 200, BEHIND], [100, 76, 1, 0]],
  ['equal costs, one behind', [5, 5, BEHIND], [100, 100, 0]],
  ['no cost, one behind', [0, 0, BEHIND], [100, 100, 0]],
  ['all behind', [BEHIND, BEHIND], [0, 0]],
  ['an unknown node is in the middle and moves no other', [0, 50, 200, UNKNOWN], [100, 75, 0, 50]],
  ['unknown nodes alone', [UNKNOWN, UNKNOWN], [50, 50]],
];

/** k1, k2, percent now and with the pod, cost. */
const COSTS: readonly (readonly [number, number, number, number, number])[] = [
  [-91.50493019588365, K2, 0, 100, 91_435_654_157_549_680],
  [-91.50493019588365, K2, 0, 0, 0],
  [-91.50493019588365, K2, 0, 15, 60_365_169_086_447_760],
  [-1091.5049301958836, K2, 0, 95, 1_090_321_323_743_535_700],
  [5, 0.03, 20, 32.5, 4_145_242_052_960_488],
  [-1, 0.01, 20, 70, -792_349_949_310_306],
  [-91.50493019588365, K2, 33.3, 39.67755102040816, 3_073_396_090_066_219],
  [-10_000, K2, 0, 100, BEHIND],
  [5, 10, 50, 100, BEHIND],
];

function pod(spec: Record<string, unknown>): Pod {
  return { metadata: { name: 'p' }, spec: { containers: [], ...spec } } as Pod;
}

function asking(cpu: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'c', resources: { requests: { cpu } }, ...more };
}

/** Sentence, pod, milli-CPU. */
const REQUESTS: readonly (readonly [string, Pod, number])[] = [
  ['containers add up', pod({ containers: [asking('1'), asking('500m')] }), 1500],
  [
    'the sum is rounded up, not each container',
    pod({ containers: [asking('100.4m'), asking('100.4m')] }),
    201,
  ],
  [
    'a larger init container counts instead',
    pod({ containers: [asking('1')], initContainers: [asking('2')] }),
    2000,
  ],
  [
    'sidecars run beside the containers and later init containers',
    pod({
      containers: [asking('300m')],
      initContainers: [asking('400m', { restartPolicy: 'Always' }), asking('350m')],
    }),
    750,
  ],
  ['overhead comes on top', pod({ containers: [asking('1')], overhead: { cpu: '250m' } }), 1250],
  ['but not on top of nothing', pod({ containers: [{ name: 'c' }], overhead: { cpu: '250m' } }), 0],
  ['limits are not read', pod({ containers: [{ name: 'c', resources: { limits: { cpu: '2' } } }] }), 0],
  [
    'a pod-level request replaces them all',
    pod({ containers: [asking('1')], resources: { requests: { cpu: '300m' } }, overhead: { cpu: '1m' } }),
    301,
  ],
  [
    'a pod-level memory request does not',
    pod({ containers: [asking('1')], resources: { requests: { memory: '1' } } }),
    1000,
  ],
  ['what is no quantity counts as missing', pod({ containers: [asking('many'), asking('1')] }), 1000],
];

describe('Peaks score', () => {
  for (const [sentence, costs, scores] of NORMALISED) {
    it(`normalised: ${sentence}`, () => {
      const range = scoreRange(costs);
      expect(costs.map((cost) => scoreOfCost(cost, range))).to.deep.equal(scores);
    });
  }

  for (const [k1, k2, now, then, cost] of COSTS) {
    it(`cost of going from ${now} to ${then} % with k1 ${k1} and k2 ${k2}`, () => {
      expect(costOf(powerJump({ k0: 1, k1, k2 }, then, goExp(k2 * now))) + 0).to.equal(cost);
    });
  }

  it('three machines of upstream, idle, and a pod of 15 %', () => {
    const costs = [-91.50493019588365, -1091.5049301958836, -2091.504930195884].map((k1) =>
      costOf(powerJump({ k0: 1, k1, k2: K2 }, 15, 1)),
    );
    expect(costs.map((cost) => scoreOfCost(cost, scoreRange(costs)))).to.deep.equal([100, 51, 0]);
  });

  it('a jump that is no number ranks behind all', () => {
    expect(costOf(Number.NaN)).to.equal(BEHIND);
    expect(percentOf(1500, 4000)).to.equal(37.5);
  });

  for (const [sentence, subject, cpuMilli] of REQUESTS) {
    it(`request: ${sentence}`, () => expect(requestedCpuMilli(subject)).to.equal(cpuMilli));
  }

  it('scores are whole, 0 to 100, in the order of costs, and those behind come last', () => {
    const cost = fc.oneof(
      { weight: 5, arbitrary: fc.double({ min: -9e18, max: 9e18, noNaN: true }).map(Math.trunc) },
      { weight: 3, arbitrary: fc.integer({ min: -5, max: 5 }) },
      { weight: 1, arbitrary: fc.constant(BEHIND) },
    );
    fc.assert(
      fc.property(fc.array(cost, { minLength: 1, maxLength: 12 }), (costs) => {
        const range = scoreRange(costs);
        const scored = costs.map((value) => ({ value, score: scoreOfCost(value, range) }));
        for (const { value, score } of scored) {
          expect(score).to.satisfy(Number.isInteger);
          expect(score).to.be.within(0, 100);
          for (const other of scored) {
            if (value < other.value) expect(score).to.be.at.least(other.score);
            if (value < BEHIND && other.value === BEHIND) expect(score).to.be.above(other.score);
          }
        }
      }),
    );
  });
});
