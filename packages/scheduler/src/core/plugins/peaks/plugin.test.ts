import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  cluster,
  explanation,
  failure,
  type MeasuredNode,
  NOW_MS,
  pod,
  scores,
} from '../measured-cluster.test.js';

const plugin = 'Peaks';
const CONVEX = { k0: 100, k1: 5, k2: 0.03 };
const CONCAVE = { k0: 471.7412504314313, k1: -91.50493019588365, k2: -0.07186049052516227 };
const NAMES = ['a', 'b', 'c', 'd'];
const ARGS = { nodePowerModel: Object.fromEntries(NAMES.map((name) => [name, CONVEX])) };
const ONE_CPU = pod('pending', { requests: { cpu: '1' } });

function at(percent: number): MeasuredNode {
  return { metrics: [['CPU', 'AVG', percent]] };
}

function ask(
  nodes: Readonly<Record<string, MeasuredNode>>,
  args: Readonly<Record<string, unknown>> = {},
  pending = ONE_CPU,
): Readonly<Record<string, number>> {
  return scores(cluster(nodes), { plugin, args: { ...ARGS, ...args }, pod: pending });
}

/** Sentence, a third node beside two good ones of 10 and 40 %, its score. */
const BEHIND: readonly (readonly [string, MeasuredNode])[] = [
  ['absent from the document', {}],
  ['without a CPU figure', { metrics: [['Memory', 'AVG', 1]] }],
  ['with a negative figure', at(-20)],
  ['with an operator that is not read', { metrics: [['CPU', '', 1]] }],
  ['that would be above 100 %', at(75.1)],
  ['that is above 100 % now', at(130)],
  ['without CPU capacity', { ...at(1), capacity: { cpu: '0', pods: '110' } }],
];

describe('Peaks', () => {
  it('the least increase of power wins; 100 % is still fine', () => {
    expect(ask({ a: at(0), b: at(40), c: at(60), d: at(75) })).to.deep.equal({ a: 100, b: 73, c: 41, d: 0 });
  });

  for (const [sentence, node] of BEHIND) {
    it(`a node ${sentence} is behind all others`, () => {
      expect(ask({ a: at(10), b: at(40), c: node })).to.deep.equal({ a: 100, b: 1, c: 0 });
    });
  }

  it('a node without a model is behind all others', () => {
    expect(ask({ a: at(10), b: at(40), stranger: at(1) })).to.deep.equal({ a: 100, b: 1, stranger: 0 });
  });

  it('a jump too large to count is behind all others', () => {
    const nodePowerModel = { ...ARGS.nodePowerModel, c: { k0: 0, k1: -20_000, k2: -0.07 } };
    expect(ask({ a: at(10), b: at(40), c: at(0) }, { nodePowerModel })).to.deep.equal({ a: 100, b: 1, c: 0 });
  });

  it('where nothing costs anything all score 0, as upstream; with one behind them, the others 100', () => {
    const bestEffort = pod('pending', {});
    expect(ask({ a: at(0), b: at(40) }, {}, bestEffort)).to.deep.equal({ a: 0, b: 0 });
    expect(ask({ a: at(0), b: at(40), c: {} }, {}, bestEffort)).to.deep.equal({ a: 100, b: 100, c: 0 });
    expect(ask({ a: {}, b: {} }, {}, bestEffort)).to.deep.equal({ a: 0, b: 0 });
  });

  it('the first CPU figure counts, and percentages are of the capacity', () => {
    const mixed: MeasuredNode = {
      metrics: [
        ['CPU', 'STD', 1],
        ['CPU', 'Latest', 10],
        ['CPU', 'AVG', 90],
      ],
    };
    const narrow: MeasuredNode = { ...at(10), allocatable: { cpu: '1', pods: '110' } };
    expect(ask({ a: at(10), b: mixed, c: narrow, d: at(20) })).to.deep.equal({
      a: 100,
      b: 100,
      c: 100,
      d: 0,
    });
  });

  describe('nodes without figures', () => {
    const old = pod('old', { requests: { cpu: '1600m' } });
    const nodes = { a: at(10), b: at(60), c: { pods: [old] } };

    it('are neutral with skip, and change nothing for the others', () => {
      expect(ask(nodes, { missingMetrics: 'skip' })).to.deep.equal({ a: 100, b: 0, c: 50 });
    });

    it('go by requests with useRequests', () => {
      const { a, b, c } = ask({ ...nodes, d: at(40) }, { missingMetrics: 'useRequests' });
      expect([a, b, c]).to.deep.equal([100, 0, 59]);
      expect(ask({ ...nodes, d: at(40) }, { missingMetrics: 'useRequests' }).d).to.equal(c);
    });

    it('end the attempt with error', () => {
      expect(
        failure(cluster(nodes), { plugin, args: { ...ARGS, missingMetrics: 'error' }, pod: ONE_CPU }),
      ).to.equal('plugin "Peaks" finds no usable CPU figure of node "c" (missingMetrics: error)');
    });

    it('are all nodes once the figures are too old', () => {
      const args = { metricsMaxAge: '29s', whenBlind: 'useRequests' };
      expect(ask(nodes, args)).to.deep.equal({ a: 100, b: 100, c: 0 });
      expect(ask(nodes, { metricsMaxAge: '29s' })).to.deep.equal({ a: 0, b: 0, c: 0 });
    });
  });

  it('pods that are not measured yet add to the load when they are to count', () => {
    const young = pod('young', { requests: { cpu: '1200m' } }, 10);
    const nodes = { a: at(10), b: { ...at(10), pods: [young] }, c: at(40) };
    expect(ask(nodes)).to.deep.equal({ a: 100, b: 100, c: 0 });
    expect(ask(nodes, { unmeasuredPods: 'count' })).to.deep.equal({ a: 100, b: 0, c: 0 });
  });

  it('explains itself', () => {
    const state = cluster({
      a: { ...at(33.3), capacity: { cpu: '3920m' } },
      b: at(90),
      c: {},
      e: at(1),
    });
    const args = { nodePowerModel: { a: CONCAVE, b: CONVEX, c: CONVEX } };
    const pending = pod('pending', { requests: { cpu: '600m' } });
    const of = (node: string, subject = pending): Readonly<Record<string, unknown>> =>
      explanation(state, node, { plugin, args, pod: subject });
    const age = { metricsEndUnixSeconds: NOW_MS / 1000 - 30, metricsAgeSeconds: 30 };
    expect(of('a', pod('pending', { requests: { cpu: '250m' } }))).to.deep.equal({
      branch: 'power',
      basis: 'metrics',
      ...age,
      usedPercent: 33.3,
      capacityCpuMilli: 3920,
      podCpuMilli: 250,
      expectedPercent: 39.67755102040816,
      k1: CONCAVE.k1,
      k2: CONCAVE.k2,
      jumpWatts: 3.073396090066219,
      cost: 3_073_396_090_066_219,
    });
    expect(of('b')).to.include({ branch: 'above-capacity', expectedPercent: 105 });
    expect(of('c')).to.deep.equal({ branch: 'no-metrics', missingMetrics: 'zeroScore' });
    expect(of('e')).to.deep.equal({ branch: 'no-power-model' });
  });

  it('the example of the README', () => {
    const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
    const nodes = { old: at(40), new: at(40), busy: at(70), full: at(90) };
    const recent = { k0: 150, k1: 12, k2: 0.02 };
    const args = {
      nodePowerModel: { old: { k0: 400, k1: 20, k2: 0.02 }, new: recent, busy: recent, full: recent },
    };
    const state = cluster(nodes);
    const found = scores(state, { plugin, args, pod: ONE_CPU });
    for (const node of Object.keys(nodes)) {
      const { expectedPercent, jumpWatts } = explanation(state, node, { plugin, args, pod: ONE_CPU });
      const jump = typeof jumpWatts === 'number' ? `${jumpWatts.toFixed(2)} W` : 'none';
      expect(readme).to.include(`| ${node} | ${String(expectedPercent)} % | ${jump} | ${found[node]} |`);
    }
  });
});
