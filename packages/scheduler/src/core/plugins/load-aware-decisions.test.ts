import { expect } from 'chai';
import fc from 'fast-check';
import { expandPlugins } from '../config/plugin-set.js';
import { decide } from '../cycle/decide.js';
import { evaluate } from '../cycle/evaluate.js';
import { compileProfile } from '../cycle/profile.js';
import { applyEvent, clusterEvent, NOW_MS, pendingPod } from '../state/cluster-events.test.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo } from '../state/pod-info.js';
import { cluster, cycleOf, type MeasuredNode, pod, scores } from './measured-cluster.test.js';

const MODELS = Object.fromEntries(
  ['n0', 'n1', 'n2', 'n3'].map((name, index) => [name, { k0: 100, k1: 5 + index, k2: 0.03 }]),
);

/** Arguments that send scores down every path. */
const ARGS: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> = {
  'the defaults': { Peaks: { nodePowerModel: MODELS } },
  'unmeasured pods, a root, requests for figures': {
    LoadVariationRiskBalancing: {
      unmeasuredPods: 'count',
      safeVarianceSensitivity: 3,
      missingMetrics: 'skip',
    },
    LowRiskOverCommitment: { unmeasuredPods: 'count', smoothingWindowSize: 2, missingMetrics: 'useRequests' },
    Peaks: { nodePowerModel: MODELS, unmeasuredPods: 'count', missingMetrics: 'skip' },
  },
  'old figures not used, requests when blind': {
    LoadVariationRiskBalancing: { metricsMaxAge: '45s', whenBlind: 'useRequests' },
    LowRiskOverCommitment: { metricsMaxAge: '45s', whenBlind: 'useRequests' },
    Peaks: { nodePowerModel: MODELS, metricsMaxAge: '45s', whenBlind: 'useRequests' },
  },
};

const step = fc.oneof(
  { weight: 2, arbitrary: clusterEvent.map((event) => ({ event })) },
  { weight: 3, arbitrary: fc.record({ workload: fc.nat(), assume: fc.boolean() }) },
);

describe('plugins that go by load', () => {
  for (const [title, pluginArgs] of Object.entries(ARGS)) {
    it(`decide what evaluating from scratch gives, with ${title}`, () => {
      fc.assert(
        fc.property(
          fc.array(pendingPod, { minLength: 1, maxLength: 4 }),
          fc.array(step, { minLength: 30, maxLength: 80 }),
          (workloads, steps) => {
            const state = new ClusterState();
            const enabled = Object.keys(pluginArgs).concat('Peaks', 'LowRiskOverCommitment');
            const compiled = compileProfile({
              schedulerName: 'test',
              percentageOfNodesToScore: undefined,
              plugins: expandPlugins({
                score: { enabled: [...new Set(enabled)].map((name) => ({ name, weight: 3 })), disabled: [] },
              }),
              pluginArgs,
            });
            steps.forEach((next, index) => {
              if ('event' in next) {
                applyEvent(state, next.event);
                return;
              }
              const shape = workloads[next.workload % workloads.length] ?? {
                metadata: { name: '' },
                spec: {},
              };
              const name = `pending-${index}`;
              const info = podInfo({ ...shape, metadata: { ...shape.metadata, name, uid: name } });
              const cycle = { pod: info, snapshot: state.snapshot(NOW_MS + index * 1000) };
              const decision = decide(cycle, compiled, 7);
              expect(decision).to.deep.equal(evaluate(cycle, compiled, 7).decision);
              if (next.assume && decision.kind === 'placed') state.assume(info, decision.node, NOW_MS);
            });
          },
        ),
        { numRuns: 40 },
      );
    });
  }

  const percent = fc.double({ min: -20, max: 200, noNaN: true });
  const anyNode: fc.Arbitrary<MeasuredNode> = fc
    .array(
      fc.tuple(
        fc.constantFrom('CPU', 'Memory', 'Bandwidth'),
        fc.constantFrom('AVG', 'STD', 'Latest', '', 'Unknown'),
        percent,
      ),
      { maxLength: 5 },
    )
    .chain((metrics) =>
      fc.record({
        metrics: fc.constant(metrics),
        capacity: fc.constantFrom({ cpu: '4', memory: '8Gi' }, { cpu: '0' }, { memory: '1Gi' }, {}),
        pods: fc.constantFrom(
          [],
          [pod('old', { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '3', memory: '9Gi' } })],
          [pod('be', {})],
        ),
      }),
    );
  const anyPod = fc.constantFrom(
    pod('pending', {}),
    pod('pending', { requests: { cpu: '500m' }, limits: { cpu: '6' } }),
    pod('pending', { requests: { memory: '64Mi' }, limits: { memory: '1Gi' } }),
  );

  for (const plugin of [
    'TargetLoadPacking',
    'LoadVariationRiskBalancing',
    'LowRiskOverCommitment',
    'Peaks',
  ]) {
    it(`${plugin} gives whole scores from 0 to 100, whatever is measured`, () => {
      fc.assert(
        fc.property(fc.array(anyNode, { minLength: 1, maxLength: 4 }), anyPod, (nodes, pending) => {
          const named = Object.fromEntries(nodes.map((node, index) => [`n${index}`, renamed(node, index)]));
          const args = plugin === 'Peaks' ? { nodePowerModel: MODELS } : {};
          for (const score of Object.values(scores(cluster(named), { plugin, args, pod: pending }))) {
            expect(score).to.satisfy(Number.isInteger);
            expect(score).to.be.within(0, 100);
          }
        }),
        { numRuns: 200 },
      );
    });

    it(`${plugin} in two profiles goes by the arguments of each`, () => {
      const nodes = { n0: { metrics: [['CPU', 'AVG', 30]] as const }, n1: {} };
      const args = plugin === 'Peaks' ? { nodePowerModel: MODELS } : {};
      const question = { plugin, pod: pod('pending', { requests: { cpu: '100m' } }) };
      const state = cluster(nodes);
      const cycle = cycleOf(state, question.pod);
      const [first, second] = [{}, { missingMetrics: 'error' }].map((more) =>
        compileProfile({
          schedulerName: 'test',
          percentageOfNodesToScore: undefined,
          plugins: { filter: [], score: [{ name: plugin, weight: 1 }] },
          pluginArgs: { [plugin]: { ...args, ...more } },
        }),
      );
      if (first === undefined || second === undefined) throw new Error('no profiles');
      expect(decide(cycle, second, 0).kind).to.equal('error');
      expect(decide(cycle, first, 0)).to.include({ kind: 'placed', node: 'n0' });
      expect(decide(cycle, second, 0).kind).to.equal('error');
    });
  }
});

function renamed(node: MeasuredNode, index: number): MeasuredNode {
  const pods = (node.pods ?? []).map((old) => ({
    ...old,
    metadata: { ...old.metadata, uid: `${old.metadata.uid}-${index}` },
  }));
  return { ...node, pods };
}
