import type { Pod } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { expandPlugins } from '../config/plugin-set.js';
import { applyEvent, clusterEvent, NOW_MS, pendingPod } from '../state/cluster-events.test.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo } from '../state/pod-info.js';
import { decide } from './decide.js';
import { evaluate } from './evaluate.js';
import { type CompiledProfile, compileProfile } from './profile.js';

const packing = { enabled: [{ name: 'TargetLoadPacking', weight: 5 }], disabled: [] };

function profile(pluginArgs: Readonly<Record<string, unknown>> = {}): CompiledProfile {
  return compileProfile({
    schedulerName: 'test',
    percentageOfNodesToScore: undefined,
    plugins: expandPlugins({ score: packing }),
    pluginArgs,
  });
}

/** Arguments that send scores down every path. */
const PROFILES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'the defaults': {},
  'most allocated, an extended resource, old figures not used, requests when blind': {
    NodeResourcesFit: {
      scoringStrategy: {
        type: 'MostAllocated',
        resources: [
          { name: 'cpu', weight: 2 },
          { name: 'example.com/gpu', weight: 1 },
        ],
      },
    },
    NodeResourcesBalancedAllocation: {
      resources: [
        { name: 'cpu', weight: 1 },
        { name: 'memory', weight: 1 },
        { name: 'example.com/gpu', weight: 1 },
      ],
    },
    TargetLoadPacking: { metricsMaxAge: '70s', whenBlind: 'useRequests', missingMetrics: 'skip' },
  },
  'a ratio, an error without figures': {
    NodeResourcesFit: {
      scoringStrategy: {
        type: 'RequestedToCapacityRatio',
        requestedToCapacityRatio: {
          shape: [
            { utilization: 0, score: 10 },
            { utilization: 100, score: 0 },
          ],
        },
      },
    },
    TargetLoadPacking: { missingMetrics: 'error' },
  },
};

/** Pods come from a few workloads, so that classes come back while the cluster changes. */
const workloads = fc.array(pendingPod, { minLength: 1, maxLength: 8 });

const step = fc.oneof(
  { weight: 2, arbitrary: clusterEvent.map((event) => ({ event })) },
  {
    weight: 3,
    arbitrary: fc.record({ workload: fc.nat(), assume: fc.boolean() }),
  },
);

function withUid(pod: Pod, uid: string): Pod {
  return { ...pod, metadata: { ...pod.metadata, name: uid, uid } };
}

describe('decide', () => {
  for (const [title, args] of Object.entries(PROFILES)) {
    it(`is always what evaluating from scratch gives, with ${title}`, () => {
      fc.assert(
        fc.property(
          workloads,
          fc.array(step, { minLength: 30, maxLength: 100 }),
          fc.integer(),
          (pool, steps, seed) => {
            const state = new ClusterState();
            const compiled = profile(args);
            steps.forEach((next, index) => {
              if ('event' in next) {
                applyEvent(state, next.event);
                return;
              }
              const shape = pool[next.workload % pool.length] ?? { metadata: { name: '' }, spec: {} };
              const pod = podInfo(withUid(shape, `pending-${index}`));
              const cycle = { pod, snapshot: state.snapshot(NOW_MS + index * 1000) };
              const decision = decide(cycle, compiled, seed);
              expect(decision).to.deep.equal(evaluate(cycle, compiled, seed).decision);
              if (next.assume && decision.kind === 'placed') state.assume(pod, decision.node, NOW_MS);
            });
          },
        ),
        { numRuns: 60 },
      );
    });
  }

  it('figures that have grown too old count no more, for classes seen before and for new ones', () => {
    const state = new ClusterState();
    for (const name of ['a', 'b']) {
      const amounts = { cpu: '4', memory: '8Gi', pods: '110' };
      state.upsertNode({ metadata: { name }, status: { capacity: amounts, allocatable: amounts } });
    }
    const figure = (value: number) => [{ name: '', type: 'CPU', operator: 'AVG', rollup: '15m', value }];
    const endUnixSeconds = NOW_MS / 1000;
    state.setUtilization({
      timestampUnixSeconds: endUnixSeconds,
      window: { duration: '15m', startUnixSeconds: endUnixSeconds - 900, endUnixSeconds },
      source: 'Prometheus',
      nodes: new Map([
        ['a', figure(20)],
        ['b', figure(40)],
      ]),
    });
    const compiled = profile({ TargetLoadPacking: { metricsMaxAge: '1m' } });
    const totalAt = (seconds: number, cpu: string): number => {
      const containers = [{ name: 'c', resources: { requests: { cpu }, limits: { cpu: '0' } } }];
      const pod = podInfo({ metadata: { name: `p-${seconds}-${cpu}` }, spec: { containers } });
      const cycle = { pod, snapshot: state.snapshot(NOW_MS + seconds * 1000) };
      const decision = decide(cycle, compiled, 1);
      expect(decision).to.deep.equal(evaluate(cycle, compiled, 1).decision);
      return decision.kind === 'placed' ? decision.total : 0;
    };
    const fresh = [0, 1, 60].map((seconds) => totalAt(seconds, '1m'));
    const old = ['1m', '2m'].map((cpu) => totalAt(61, cpu));
    expect(new Set(fresh).size).to.equal(1);
    expect(old.map((total) => (fresh[0] ?? 0) - total)).to.deep.equal([500, 500]);
  });

  it('the order in which nodes and pods became known changes nothing', () => {
    const events = fc.uniqueArray(clusterEvent, {
      selector: (event) => {
        if (event.kind === 'node') return event.node.metadata.name;
        return 'pod' in event ? event.pod.metadata.uid : event.kind;
      },
      maxLength: 30,
    });
    const shuffled = events.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, pendingPod, ([one, other], pod) => {
        const decisions = [one, other].map((list) => {
          const state = new ClusterState();
          for (const event of list) {
            if (event.kind !== 'node-gone' && event.kind !== 'forget') applyEvent(state, event);
          }
          const cycle = { pod: podInfo(withUid(pod, 'pending')), snapshot: state.snapshot(NOW_MS) };
          return decide(cycle, profile(), 7);
        });
        expect(decisions[0]).to.deep.equal(decisions[1]);
      }),
      { numRuns: 100 },
    );
  });
});
