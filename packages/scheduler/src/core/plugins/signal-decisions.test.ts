import { expect } from 'chai';
import fc from 'fast-check';
import { expandPlugins } from '../config/plugin-set.js';
import { decide } from '../cycle/decide.js';
import { evaluate } from '../cycle/evaluate.js';
import { compileProfile } from '../cycle/profile.js';
import { signalKey } from '../signals/signal-spec.js';
import {
  applyEvent,
  type ClusterEvent,
  clusterEvent,
  NOW_MS,
  pendingPod,
} from '../state/cluster-events.test.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo } from '../state/pod-info.js';
import { signalNeeds } from './signal-users.js';

type PluginArgs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const prometheus = { address: 'http://p' };
const signal = (name: string, rule: Readonly<Record<string, unknown>>) => ({
  name,
  promQL: name,
  maxAge: '90s',
  weight: 1,
  missing: 'zeroScore',
  ...rule,
});

/** Arguments that send scores and verdicts down every path. */
const ARGS: Readonly<Record<string, PluginArgs>> = {
  'traffic, old values not used': {
    CPUTraffic: { ip: 'http://p', metricsMaxAge: '80s' },
    NetworkTraffic: { ip: 'http://p', missingMetrics: 'skip' },
  },
  'relative and packed signals under a hard ceiling': {
    NodeSignals: {
      prometheus,
      signals: [
        signal('a', { unit: 'relative', direction: 'spread' }),
        signal('b', { unit: 'percent', direction: 'pack', target: 30, ceiling: 90 }),
      ],
    },
    LoadCeiling: { ceilings: { cpu: 50 }, metricsMaxAge: '2m' },
  },
  'a soft ceiling of a relative signal, unknown nodes refused': {
    DiskTraffic: { ip: 'http://p', missingMetrics: 'error' },
    LoadCeiling: {
      prometheus,
      ceilings: { cpu: 39.9, a: 20 },
      mode: 'soft',
      missingMetrics: 'reject',
      signals: [signal('a', { unit: 'relative' })],
    },
  },
};

/** The readings of an event under the keys of the signals that the plugins read, in turn. */
function adopted(event: ClusterEvent, keys: readonly string[]): ClusterEvent {
  if (event.kind !== 'signals') return event;
  const readings = keys.flatMap((key, index) => {
    const reading = event.readings[index % event.readings.length];
    return reading === undefined ? [] : [{ ...reading, key }];
  });
  return { kind: 'signals', readings };
}

const step = fc.oneof(
  { weight: 2, arbitrary: clusterEvent.map((event) => ({ event })) },
  { weight: 3, arbitrary: fc.record({ workload: fc.nat(), assume: fc.boolean() }) },
);

describe('plugins that go by signals', () => {
  for (const [title, pluginArgs] of Object.entries(ARGS)) {
    it(`decide what evaluating from scratch gives, with ${title}`, () => {
      const names = Object.keys(pluginArgs);
      const scoring = names.filter((name) => name !== 'LoadCeiling').map((name) => ({ name, weight: 3 }));
      const filtering = names.filter((name) => name === 'LoadCeiling').map((name) => ({ name, weight: 0 }));
      const keys = names.flatMap((name) =>
        (signalNeeds(name, pluginArgs[name])?.uses ?? []).map(({ spec }) => signalKey('default', spec)),
      );
      fc.assert(
        fc.property(
          fc.array(pendingPod, { minLength: 1, maxLength: 4 }),
          fc.array(step, { minLength: 30, maxLength: 80 }),
          (workloads, steps) => {
            const state = new ClusterState();
            const compiled = compileProfile({
              schedulerName: 'test',
              percentageOfNodesToScore: undefined,
              plugins: expandPlugins({
                score: { enabled: scoring, disabled: [] },
                filter: { enabled: filtering, disabled: [] },
              }),
              pluginArgs,
            });
            steps.forEach((next, index) => {
              if ('event' in next) {
                applyEvent(state, adopted(next.event, keys));
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
        { numRuns: 60 },
      );
    });
  }
});
