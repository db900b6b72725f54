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
    TargetLoadPacking: { metricsMaxAge: '45s', whenBlind: 'useRequests', missingMetrics: 'skip' },
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
    TargetLoadPacking: { missingMetrics: 'error', unmeasuredPods: 'ignore' },
  },
};

const step = fc.oneof(
  { weight: 2, arbitrary: clusterEvent.map((event) => ({ event })) },
  {
    weight: 3,
    arbitrary: fc.record({ pod: pendingPod, twin: fc.boolean(), assume: fc.boolean() }),
  },
);

function withUid(pod: Pod, uid: string): Pod {
  return { ...pod, metadata: { ...pod.metadata, name: uid, uid } };
}

describe('decide', () => {
  for (const [title, args] of Object.entries(PROFILES)) {
    it(`is always what evaluating from scratch gives, with ${title}`, () => {
      fc.assert(
        fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), fc.integer(), (steps, seed) => {
          const state = new ClusterState();
          const compiled = profile(args);
          steps.forEach((next, index) => {
            if ('event' in next) {
              applyEvent(state, next.event);
              return;
            }
            for (let twin = 0; twin < (next.twin ? 3 : 1); twin += 1) {
              const pod = podInfo(withUid(next.pod, `pending-${index}-${twin}`));
              const cycle = { pod, snapshot: state.snapshot(NOW_MS + index * 1000) };
              const decision = decide(cycle, compiled, seed);
              expect(decision).to.deep.equal(evaluate(cycle, compiled, seed).decision);
              if (next.assume && decision.kind === 'placed') state.assume(pod, decision.node, NOW_MS);
            }
          });
        }),
        { numRuns: 60 },
      );
    });
  }

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
