import { readFileSync } from 'node:fs';
import type { Pod } from '@catamaran/model';
import { expect } from 'chai';
import { ClusterState } from '../../state/cluster-state.js';
import {
  cluster,
  explanation,
  failure,
  type MeasuredNode,
  NOW_MS,
  pod,
  scores,
  tell,
} from '../measured-cluster.test.js';

const plugin = 'LowRiskOverCommitment';
const NEIGHBOUR = pod('old', { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } });
const PENDING = pod('pending', {
  requests: { cpu: '500m', memory: '512Mi' },
  limits: { cpu: '3', memory: '1Gi' },
});
const MEASURED: NonNullable<MeasuredNode['metrics']> = [
  ['CPU', 'AVG', 50],
  ['CPU', 'STD', 10],
  ['Memory', 'AVG', 40],
  ['Memory', 'STD', 5],
];

function scoreOf(
  node: MeasuredNode,
  args: Readonly<Record<string, unknown>> = {},
  pending = PENDING,
): number {
  return scores(cluster({ n1: node }), { plugin, args, pod: pending }).n1 ?? Number.NaN;
}

/** The pod of upstream's test of node totals. */
function upstreamPod(name: string): Pod {
  const resources = (
    r: readonly [number, number],
    l: readonly [number, number],
  ): Record<string, unknown> => ({
    requests: { cpu: `${r[0]}m`, memory: String(r[1]) },
    limits: { cpu: `${l[0]}m`, memory: String(l[1]) },
  });
  return {
    ...pod(name, {}),
    spec: {
      containers: [
        { name: 'a', resources: resources([1000, 512], [1500, 1024]) },
        { name: 'b', resources: resources([500, 1024], [500, 1024]) },
      ],
      initContainers: [{ name: 'i', resources: resources([100, 2048], [500, 2048]) }],
    },
  } as Pod;
}

/** Sentence, node, score of a pod of 500m to 3 CPUs and 512Mi to 1Gi on 4 CPUs and 8Gi. */
const ROWS: readonly (readonly [string, MeasuredNode, number])[] = [
  ['an empty node: the pod alone risks nothing', { metrics: MEASURED }, 100],
  ['one neighbour', { metrics: MEASURED, pods: [NEIGHBOUR] }, 51],
  [
    'no neighbour claims anything: load does not matter',
    { metrics: [['CPU', 'AVG', 99]], pods: [pod('be', {})] },
    100,
  ],
  [
    'CPU measured alone',
    {
      metrics: [
        ['CPU', 'AVG', 50],
        ['CPU', 'STD', 10],
      ],
      pods: [NEIGHBOUR],
    },
    51,
  ],
  ['memory measured alone', { metrics: [['Memory', 'AVG', 5]], pods: [NEIGHBOUR] }, 86],
  [
    'a figure of something else: limits alone count',
    { metrics: [['Bandwidth', 'AVG', 5]], pods: [NEIGHBOUR] },
    86,
  ],
  ['a deviation alone measures nothing', { metrics: [['CPU', 'STD', 5]], pods: [NEIGHBOUR] }, 0],
  ['an empty list', { metrics: [], pods: [NEIGHBOUR] }, 0],
  ['absent', { pods: [NEIGHBOUR] }, 0],
  ['no capacity', { metrics: MEASURED, capacity: { cpu: '0', memory: '0' } }, 50],
  [
    'shares are of what is allocatable',
    {
      metrics: MEASURED,
      pods: [NEIGHBOUR],
      capacity: { cpu: '64', memory: '1Ti' },
      allocatable: { cpu: '4', memory: '8Gi' },
    },
    51,
  ],
];

describe('LowRiskOverCommitment', () => {
  for (const [sentence, node, score] of ROWS) {
    it(sentence, () => expect(scoreOf(node)).to.equal(score));
  }

  it('does not rank nodes for best-effort pods, and asks for no figures then', () => {
    const bestEffort = pod('pending', {});
    const state = cluster({ n1: { metrics: MEASURED, pods: [NEIGHBOUR] }, n2: {} });
    const question = { plugin, args: { missingMetrics: 'error' }, pod: bestEffort };
    expect(scores(state, question)).to.deep.equal({ n1: 0, n2: 0 });
  });

  it('weights choose between limits and load', () => {
    const node = { metrics: MEASURED, pods: [NEIGHBOUR] };
    const weighted = (cpu: number, memory: number): number =>
      scoreOf(node, { riskLimitWeights: { cpu, memory } });
    expect([weighted(1, 1), weighted(0, 0), weighted(1, 0)]).to.deep.equal([71, 2, 2]);
  });

  it('a larger window widens the deviation', () => {
    const node: MeasuredNode = {
      metrics: [
        ['CPU', 'AVG', 30],
        ['CPU', 'STD', 5],
      ],
      pods: [pod('old', { requests: { cpu: '2' }, limits: { cpu: '4' } })],
    };
    const small = pod('pending', { requests: { cpu: '100m' } });
    const risks = [1, 5, 20].map((smoothingWindowSize) => {
      const { cpuMilli } = explanation(cluster({ n1: node }), 'n1', {
        plugin,
        args: { smoothingWindowSize },
        pod: small,
      });
      return (cpuMilli as { readonly loadRisk: number }).loadRisk;
    });
    // By mpmath: 1 - I(0.5) of the beta distributions with mean 0.3 and these deviations.
    expect(risks.map((risk) => risk.toFixed(4))).to.deep.equal(['0.0001', '0.0486', '0.2019']);
  });

  it('node totals are those of upstream', () => {
    const neighbours = [upstreamPod('a'), upstreamPod('b')];
    const capacity = { cpu: '8', memory: '6Ki' };
    const state = cluster({ n1: { metrics: [['CPU', 'AVG', 1]], pods: neighbours, capacity } });
    const { cpuMilli, memoryBytes } = explanation(state, 'n1', { plugin, pod: upstreamPod('pending') });
    expect(cpuMilli).to.include({
      capacity: 8000,
      requests: 3000,
      limits: 4000,
      podRequests: 1500,
      podLimits: 2000,
    });
    expect(memoryBytes).to.include({
      capacity: 6144,
      requests: 4096,
      limits: 4096,
      podRequests: 2048,
      podLimits: 2048,
    });
  });

  it('a pod whose memory limit changes in place counts with the new limit', () => {
    const state = cluster({ n1: { metrics: [['CPU', 'AVG', 1]], pods: [NEIGHBOUR] } });
    const resized = pod('old', {
      requests: { cpu: '1', memory: '1Gi' },
      limits: { cpu: '2', memory: '7Gi' },
    });
    state.upsertPod({ ...resized, spec: { ...resized.spec, nodeName: 'n1' } });
    const { memoryBytes } = explanation(state, 'n1', { plugin, pod: PENDING });
    expect(memoryBytes).to.include({ limits: 7 * 2 ** 30 });
  });

  describe('nodes without figures', () => {
    const state = cluster({ n1: { pods: [NEIGHBOUR] }, n2: { metrics: MEASURED } });
    const given = (missingMetrics: string): Readonly<Record<string, number>> =>
      scores(state, { plugin, args: { missingMetrics }, pod: PENDING });

    it('score 0 by default, as upstream', () => expect(given('zeroScore')).to.deep.equal({ n1: 0, n2: 100 }));
    it('are neutral with skip', () => expect(given('skip')).to.deep.equal({ n1: 50, n2: 100 }));
    it('go by limits alone with useRequests', () =>
      expect(given('useRequests')).to.deep.equal({ n1: 86, n2: 100 }));
    it('end the attempt with error', () => {
      expect(failure(state, { plugin, args: { missingMetrics: 'error' }, pod: PENDING })).to.equal(
        'plugin "LowRiskOverCommitment" finds no usable CPU or memory figure of node "n1" (missingMetrics: error)',
      );
    });

    it('are all nodes while the watcher has never answered', () => {
      const silent = new ClusterState();
      silent.upsertNode({ metadata: { name: 'n1' }, status: { allocatable: { cpu: '4', memory: '8Gi' } } });
      const ask = (whenBlind: string): Readonly<Record<string, number>> =>
        scores(silent, { plugin, args: { whenBlind }, pod: PENDING });
      expect([ask('zeroScore'), ask('useRequests')]).to.deep.equal([{ n1: 0 }, { n1: 100 }]);
      tell(silent, new Map());
      expect([ask('zeroScore'), ask('useRequests')]).to.deep.equal([{ n1: 0 }, { n1: 100 }]);
    });
  });

  it('pods that are not measured yet add to the load when they are to count', () => {
    const node: MeasuredNode = {
      metrics: [['CPU', 'AVG', 20]],
      pods: [
        pod('old', { requests: { cpu: '1' }, limits: { cpu: '4' } }),
        pod('young', { requests: { cpu: '800m' }, limits: { cpu: '800m' } }, 10),
      ],
    };
    const meanWith = (unmeasuredPods: string): unknown => {
      const { cpuMilli } = explanation(cluster({ n1: node }), 'n1', {
        plugin,
        args: { unmeasuredPods },
        pod: PENDING,
      });
      return (cpuMilli as { readonly mean: number }).mean;
    };
    expect(['upstream', 'ignore', 'count'].map(meanWith)).to.deep.equal([0.2, 0.2, 0.4]);
  });

  it('explains itself', () => {
    const state = cluster({ n1: { metrics: [['CPU', 'AVG', 40]], pods: [NEIGHBOUR] }, n2: {} });
    expect(explanation(state, 'n1', { plugin, pod: PENDING })).to.deep.equal({
      branch: 'risk',
      basis: 'metrics',
      metricsEndUnixSeconds: NOW_MS / 1000 - 30,
      metricsAgeSeconds: 30,
      cpuMilli: {
        capacity: 4000,
        requests: 1000,
        limits: 2000,
        podRequests: 500,
        podLimits: 3000,
        mean: 0.4,
        deviation: 0,
        limitRisk: 1000 / 3500,
        loadRisk: 1,
        weight: 0.5,
        risk: 0.5 * (1000 / 3500) + 0.5,
      },
      memoryBytes: {
        capacity: 8 * 2 ** 30,
        requests: 2 ** 30,
        limits: 2 ** 31,
        podRequests: 2 ** 29,
        podLimits: 2 ** 30,
        measured: false,
        limitRisk: 0,
        loadRisk: 0,
        weight: 0.5,
        risk: 0,
      },
      smoothingWindowSize: 5,
    });
    expect(explanation(state, 'n2', { plugin, pod: PENDING })).to.deep.equal({
      branch: 'no-metrics',
      missingMetrics: 'zeroScore',
    });
    expect(explanation(state, 'n1', { plugin, pod: pod('pending', {}) })).to.deep.equal({
      branch: 'best-effort',
    });
  });

  it('the example of the README', () => {
    const metrics: MeasuredNode['metrics'] = [
      ['CPU', 'AVG', 30],
      ['CPU', 'STD', 8],
    ];
    const state = cluster({
      modest: { metrics, pods: [pod('a', { requests: { cpu: '2' }, limits: { cpu: '2500m' } })] },
      promising: { metrics, pods: [pod('b', { requests: { cpu: '1' }, limits: { cpu: '4' } })] },
    });
    const question = { plugin, pod: pod('pending', { requests: { cpu: '500m' }, limits: { cpu: '1' } }) };
    const found = scores(state, question);
    const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
    for (const node of ['modest', 'promising']) {
      const { cpuMilli } = explanation(state, node, question);
      const { limitRisk, loadRisk } = cpuMilli as { readonly limitRisk: number; readonly loadRisk: number };
      expect(readme).to.include(
        `| ${node} | ${limitRisk.toFixed(3)} | ${loadRisk.toFixed(3)} | ${found[node]} |`,
      );
    }
  });
});
