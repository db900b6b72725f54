import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { decide } from '../../cycle/decide.js';
import {
  cluster,
  cycleOf,
  explanation,
  failure,
  type MeasuredNode,
  NOW_MS,
  pod,
  profileOf,
  scores,
} from '../measured-cluster.test.js';

const plugin = 'LoadVariationRiskBalancing';
const NOTHING = pod('pending', {});
const SMALL = pod('pending', { requests: { cpu: '500m', memory: '512Mi' } });

function scoreOf(node: MeasuredNode, args: Readonly<Record<string, unknown>> = {}, pending = SMALL): number {
  return scores(cluster({ n1: node }), { plugin, args, pod: pending }).n1 ?? Number.NaN;
}

/** Sentence, node, score of a pod of 500m and 512Mi on 4 CPUs and 8Gi. */
const ROWS: readonly (readonly [string, MeasuredNode, number])[] = [
  [
    'CPU and memory: memory is worse',
    {
      metrics: [
        ['CPU', 'AVG', 30],
        ['Memory', 'AVG', 60],
        ['Memory', 'STD', 4],
      ],
    },
    65,
  ],
  [
    'CPU alone',
    {
      metrics: [
        ['CPU', 'AVG', 30],
        ['CPU', 'STD', 10],
      ],
    },
    74,
  ],
  [
    'memory alone',
    {
      metrics: [
        ['Memory', 'AVG', 30],
        ['Memory', 'STD', 10],
      ],
    },
    77,
  ],
  ['a deviation alone measures nothing', { metrics: [['CPU', 'STD', 30]] }, 0],
  ['another resource alone measures nothing', { metrics: [['Bandwidth', 'AVG', 30]] }, 0],
  ['an empty list', { metrics: [] }, 0],
  ['absent', {}, 0],
  [
    'percentages apply to what is allocatable, not to the capacity',
    { metrics: [['CPU', 'AVG', 40]], allocatable: { cpu: '2', memory: '8Gi' } },
    68,
  ],
  [
    'without allocatable CPU a CPU figure makes 0',
    {
      metrics: [
        ['CPU', 'AVG', 20],
        ['Memory', 'AVG', 20],
      ],
      allocatable: { memory: '8Gi' },
    },
    0,
  ],
  ['full and more', { metrics: [['CPU', 'AVG', 120]] }, 50],
  [
    'full and unsteady',
    {
      metrics: [
        ['CPU', 'AVG', 120],
        ['CPU', 'STD', 300],
      ],
    },
    0,
  ],
];

describe('LoadVariationRiskBalancing', () => {
  for (const [sentence, node, score] of ROWS) {
    it(sentence, () => expect(scoreOf(node)).to.equal(score));
  }

  it('half a point is rounded up', () => {
    expect(
      scoreOf(
        {
          metrics: [
            ['CPU', 'AVG', 25],
            ['CPU', 'STD', 25],
          ],
        },
        { safeVarianceSensitivity: 2 },
        NOTHING,
      ),
    ).to.equal(63);
  });

  describe('nodes without figures', () => {
    const half = pod('old', { requests: { cpu: '2', memory: '2Gi' } });
    const state = cluster({ n1: { pods: [half] }, n2: { metrics: [['CPU', 'AVG', 10]] } });
    const given = (missingMetrics: string): Readonly<Record<string, number>> =>
      scores(state, { plugin, args: { missingMetrics }, pod: NOTHING });

    it('score 0 by default, as upstream', () => expect(given('zeroScore')).to.deep.equal({ n1: 0, n2: 95 }));
    it('are neutral with skip', () => expect(given('skip')).to.deep.equal({ n1: 50, n2: 95 }));
    it('go by requests with useRequests', () =>
      expect(given('useRequests')).to.deep.equal({ n1: 75, n2: 95 }));
    it('end the attempt with error', () => {
      expect(failure(state, { plugin, args: { missingMetrics: 'error' }, pod: NOTHING })).to.equal(
        'plugin "LoadVariationRiskBalancing" finds no usable CPU or memory figure of node "n1" (missingMetrics: error)',
      );
    });
  });

  it('figures that are too old count as missing, and all nodes go by requests when that is wanted', () => {
    const state = cluster({
      n1: { metrics: [['Memory', 'AVG', 90]] },
      n2: { metrics: [['Memory', 'AVG', 10]] },
    });
    const ask = (args: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> =>
      scores(state, { plugin, args, pod: SMALL }, NOW_MS);
    expect(ask({ metricsMaxAge: '30s' })).to.deep.equal({ n1: 52, n2: 92 });
    expect(ask({ metricsMaxAge: '29s' })).to.deep.equal({ n1: 0, n2: 0 });
    expect(ask({ metricsMaxAge: '29s', whenBlind: 'useRequests' })).to.deep.equal({ n1: 94, n2: 94 });
  });

  it('memory figures alone are not blindness', () => {
    const state = cluster({ n1: { metrics: [['Memory', 'AVG', 90]] }, n2: {} });
    expect(scores(state, { plugin, args: { whenBlind: 'useRequests' }, pod: SMALL })).to.deep.equal({
      n1: 52,
      n2: 0,
    });
  });

  describe('a burst of ten pods on two nodes, figures frozen (C69)', () => {
    const burst = (args: Readonly<Record<string, unknown>>): readonly number[] => {
      const state = cluster({ n1: { metrics: [['CPU', 'AVG', 10]] }, n2: { metrics: [['CPU', 'AVG', 12]] } });
      const profile = profileOf(plugin, args);
      for (let index = 0; index < 10; index += 1) {
        const cycle = cycleOf(
          state,
          pod(`p${index}`, { requests: { cpu: '500m' }, limits: { cpu: '500m' } }),
        );
        const decision = decide(cycle, profile, 0);
        if (decision.kind === 'placed') state.assume(cycle.pod, decision.node, NOW_MS);
      }
      return [...state.snapshot(NOW_MS).nodes()].map(({ pods }) => pods.length);
    };

    it('is split evenly when unmeasured pods count', () => {
      expect(burst({ unmeasuredPods: 'count' })).to.deep.equal([5, 5]);
    });

    it('goes to one node otherwise, as upstream', () => {
      expect(burst({})).to.deep.equal([10, 0]);
      expect(burst({ unmeasuredPods: 'ignore' })).to.deep.equal([10, 0]);
    });
  });

  it('only pods younger than the figures count, each with what it requests', () => {
    const requests = { cpu: '400m', memory: '2Gi' };
    const at = (secondsAgo: number): number =>
      scoreOf(
        {
          metrics: [
            ['CPU', 'AVG', 0],
            ['Memory', 'AVG', 0],
          ],
          pods: [pod('young', { requests }, secondsAgo)],
        },
        { unmeasuredPods: 'count' },
        NOTHING,
      );
    expect([at(10), at(89), at(90), at(9000)]).to.deep.equal([88, 88, 100, 100]);
  });

  it('explains itself', () => {
    const node: MeasuredNode = {
      metrics: [
        ['CPU', 'AVG', 40],
        ['CPU', 'STD', 16],
      ],
      capacity: { cpu: '1', memory: '1Gi' },
    };
    const pending = pod('pending', { requests: { cpu: '100m' } });
    expect(explanation(cluster({ n1: node }), 'n1', { plugin, pod: pending })).to.deep.equal({
      branch: 'risk',
      basis: 'metrics',
      metricsEndUnixSeconds: NOW_MS / 1000 - 30,
      metricsAgeSeconds: 30,
      cpuMilli: {
        capacity: 1000,
        used: 400,
        deviation: 160,
        unmeasured: 0,
        pod: 100,
        mean: 0.5,
        weightedDeviation: 0.16,
        score: 67,
      },
      memoryMebibytes: { measured: false },
      margin: 1,
      sensitivity: 1,
    });
    expect(explanation(cluster({ n1: {} }), 'n1', { plugin, pod: pending })).to.deep.equal({
      branch: 'no-metrics',
      missingMetrics: 'zeroScore',
      margin: 1,
      sensitivity: 1,
    });
  });

  it('the example of the README', () => {
    const state = cluster({
      steady: {
        metrics: [
          ['CPU', 'AVG', 50],
          ['CPU', 'STD', 5],
          ['Memory', 'AVG', 40],
          ['Memory', 'STD', 2],
        ],
      },
      restless: {
        metrics: [
          ['CPU', 'AVG', 40],
          ['CPU', 'STD', 30],
          ['Memory', 'AVG', 40],
          ['Memory', 'STD', 2],
        ],
      },
    });
    const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
    const found = [{}, { safeVarianceMargin: 0 }, { safeVarianceSensitivity: 2 }].map((args) => {
      const { steady, restless } = scores(state, { plugin, args, pod: SMALL });
      const [[key, value] = ['defaults', ''] as const] = Object.entries(args);
      return `| ${key === 'defaults' ? key : `\`${key}: ${value}\``} | ${steady} | ${restless} |`;
    });
    for (const line of found) expect(readme).to.include(line);
  });
});
