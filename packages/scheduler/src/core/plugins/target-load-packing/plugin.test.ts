import type { Metric, Pod, WatcherDocument } from '@catamaran/model';
import { expect } from 'chai';
import { decide } from '../../cycle/decide.js';
import { evaluate } from '../../cycle/evaluate.js';
import { type CompiledProfile, compileProfile } from '../../cycle/profile.js';
import { scoreAll } from '../../cycle/score-all.js';
import { prepareScores } from '../../cycle/score-run.js';
import { ClusterState } from '../../state/cluster-state.js';
import { podInfo } from '../../state/pod-info.js';
import type { TargetLoadPackingArgs } from './args.js';

const NOW_MS = Date.UTC(2026, 10, 30, 12);
const END_UNIX_SECONDS = NOW_MS / 1000 - 30;

/** Expected to use nothing. */
const NO_CPU: Pod['spec'] = { containers: [{ name: 'c', resources: { limits: { cpu: '0' } } }] };

function profile(args: Partial<TargetLoadPackingArgs> = {}): CompiledProfile {
  return compileProfile({
    schedulerName: 'test',
    percentageOfNodesToScore: undefined,
    plugins: { filter: [], score: [{ name: 'TargetLoadPacking', weight: 1 }] },
    pluginArgs: { TargetLoadPacking: args },
  });
}

function cpu(value: number, operator = 'AVG'): Metric {
  return { name: '', type: 'CPU', operator, rollup: '15m', value };
}

function documentOf(
  nodes: Readonly<Record<string, readonly Metric[]>>,
  endUnixSeconds = END_UNIX_SECONDS,
): WatcherDocument {
  return {
    timestampUnixSeconds: endUnixSeconds + 1,
    window: { duration: '15m', startUnixSeconds: endUnixSeconds - 900, endUnixSeconds },
    source: 'Prometheus',
    nodes: new Map(Object.entries(nodes)),
  };
}

function cluster(
  nodes: Readonly<Record<string, readonly Metric[] | undefined>>,
  cores = '4',
  endUnixSeconds = END_UNIX_SECONDS,
): ClusterState {
  const state = new ClusterState();
  for (const name of Object.keys(nodes)) {
    state.upsertNode({
      metadata: { name },
      status: { capacity: { cpu: cores }, allocatable: { cpu: '1', pods: '110' } },
    });
  }
  const measured = Object.entries(nodes).flatMap(([name, metrics]) =>
    metrics === undefined ? [] : [[name, metrics] as const],
  );
  state.setUtilization(documentOf(Object.fromEntries(measured), endUnixSeconds));
  return state;
}

function pod(name: string, spec: Pod['spec'] = NO_CPU): Pod {
  return { metadata: { name, namespace: 'default', uid: name }, spec };
}

function bound(name: string, milli: number, assignedUnixSeconds: number): Pod {
  const lastTransitionTime = new Date(assignedUnixSeconds * 1000).toISOString();
  return {
    ...pod(name, {
      nodeName: 'n1',
      containers: [{ name: 'c', resources: { limits: { cpu: `${milli}m` } } }],
    }),
    status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime }] },
  };
}

function scores(
  state: ClusterState,
  args: Partial<TargetLoadPackingArgs> = {},
  spec = NO_CPU,
): readonly number[] {
  const cycle = { pod: podInfo(pod('pending', spec)), snapshot: state.snapshot(NOW_MS) };
  return scoreAll(cycle, profile(args), [...cycle.snapshot.nodes()]).map(({ total }) => total);
}

/** Sentence, the node's metrics, score. */
const METRIC_ROWS: readonly (readonly [string, readonly Metric[] | undefined, number])[] = [
  ['an average', [cpu(20)], 70],
  ['a latest value', [cpu(20, 'Latest')], 70],
  ['the last of average and latest counts', [cpu(20), cpu(60, 'Latest')], 27],
  ['whichever it is', [cpu(60, 'Latest'), cpu(20)], 70],
  ['an empty operator is no figure', [cpu(20, '')], 0],
  ['a deviation alone measures nothing', [cpu(20, 'STD')], 0],
  ['memory alone measures nothing', [{ ...cpu(20), type: 'Memory' }], 0],
  ['an empty list', [], 0],
  ['absent from the document', undefined, 0],
  ['0 is a figure', [cpu(0)], 40],
  ['a negative sample is dropped', [cpu(-5)], 0],
  ['a sample that is no number is dropped', [cpu(Number.NaN)], 0],
  ['an infinite sample is dropped', [cpu(Number.POSITIVE_INFINITY)], 0],
  ['a dropped sample leaves the good one', [cpu(20), cpu(-5)], 70],
  ['exactly the target', [cpu(40)], 100],
  ['just above the target', [cpu(40.01)], 40],
  ['full', [cpu(100)], 0],
  ['above full', [cpu(120)], 0],
];

describe('TargetLoadPacking', () => {
  for (const [sentence, metrics, score] of METRIC_ROWS) {
    it(`metrics: ${sentence}`, () => {
      expect(scores(cluster({ n1: metrics }))).to.deep.equal([score]);
    });
  }

  it('a node without CPU capacity scores 0, whatever is measured', () => {
    expect(scores(cluster({ n1: [cpu(90)] }, '0'))).to.deep.equal([0]);
  });

  describe('prediction', () => {
    it('limit, request times multiplier, default and overhead add up (C67)', () => {
      const spec = {
        containers: [
          { name: 'a', resources: { limits: { cpu: '200m' } } },
          { name: 'b', resources: { requests: { cpu: '100m', memory: '1Gi' } } },
          { name: 'c', resources: { requests: { memory: '1Gi' } } },
        ],
        overhead: { cpu: '50m' },
      };
      expect(scores(cluster({ n1: [cpu(10)] }), {}, spec)).to.deep.equal([37]);
    });

    it('a pod-level request replaces the containers (C68)', () => {
      const spec = {
        resources: { requests: { cpu: '500m' } },
        containers: [{ name: 'a', resources: { requests: { cpu: '100m' } } }, { name: 'b' }],
      };
      // 750m of 4 cores on 10 %: 28.75 % → 60 × 28.75 / 40 + 40 = 83.1
      expect(scores(cluster({ n1: [cpu(10)] }), {}, spec)).to.deep.equal([83]);
    });
  });

  describe('pods that are not measured yet', () => {
    const secondsBeforeEnd: readonly (readonly [number, number])[] = [
      [-10, 70],
      [0, 70],
      [59, 70],
      [60, 40],
      [61, 40],
      [7200, 40],
    ];
    for (const [seconds, score] of secondsBeforeEnd) {
      it(`800m assigned ${seconds} s before the window's end: score ${score}`, () => {
        const state = cluster({ n1: [cpu(0)] });
        state.upsertPod(bound('recent', 800, END_UNIX_SECONDS - seconds));
        expect(scores(state)).to.deep.equal([score]);
        expect(scores(state, { unmeasuredPods: 'ignore' })).to.deep.equal([40]);
      });
    }

    it('pods that have run for hours are not counted again when the scheduler starts (C64)', () => {
      const state = cluster({ n1: [cpu(30)] });
      for (let index = 0; index < 6; index += 1) {
        state.upsertPod(bound(`old-${index}`, 300, END_UNIX_SECONDS - 7200));
      }
      expect(scores(state)).to.deep.equal([85]);
    });

    it('finished and deleted pods are no longer counted (C65)', () => {
      const state = cluster({ n1: [cpu(0)] });
      const recent = bound('recent', 800, END_UNIX_SECONDS);
      state.upsertPod(recent);
      state.upsertPod({ ...recent, status: { ...recent.status, phase: 'Succeeded' } });
      state.upsertPod(bound('other', 800, END_UNIX_SECONDS));
      state.removePod(bound('other', 800, END_UNIX_SECONDS));
      expect(scores(state)).to.deep.equal([40]);
      expect(state.placedPodCount).to.equal(0);
    });

    it('with a window that has no end every pod counts', () => {
      const state = cluster({ n1: [cpu(5)] }, '4', 0);
      state.upsertPod(bound('old', 750, END_UNIX_SECONDS - 7200));
      expect(scores(state)).to.deep.equal([76]);
    });

    it('a burst spreads although the figures stand still (C69)', () => {
      const state = cluster({ n1: [cpu(10)], n2: [cpu(12)] });
      const compiled = profile();
      const taken: Record<string, number> = {};
      for (let index = 0; index < 10; index += 1) {
        const spec = { containers: [{ name: 'c', resources: { limits: { cpu: '500m' } } }] };
        const info = podInfo(pod(`burst-${index}`, spec));
        const decision = decide({ pod: info, snapshot: state.snapshot(NOW_MS) }, compiled, 1);
        if (decision.kind !== 'placed') throw new Error(decision.message);
        taken[decision.node] = (taken[decision.node] ?? 0) + 1;
        state.assume(info, decision.node, NOW_MS + index * 1000);
      }
      expect(taken).to.deep.equal({ n1: 5, n2: 5 });
    });
  });

  describe('figures that are missing or too old', () => {
    const withHole = (): ClusterState => {
      const state = cluster({ n1: [cpu(20)], n2: undefined });
      state.upsertPod({ ...bound('old', 0, 0), spec: { nodeName: 'n2', containers: [request('2')] } });
      return state;
    };
    const request = (amount: string): { name: string; resources: { requests: { cpu: string } } } => ({
      name: 'c',
      resources: { requests: { cpu: amount } },
    });

    it('zeroScore: the node scores 0', () => {
      expect(scores(withHole(), { missingMetrics: 'zeroScore' })).to.deep.equal([70, 0]);
    });

    it('skip: the node is neither liked nor disliked', () => {
      expect(scores(withHole(), { missingMetrics: 'skip' })).to.deep.equal([70, 50]);
    });

    it('useRequests: what is requested stands in for what is measured', () => {
      expect(scores(withHole(), { missingMetrics: 'useRequests' })).to.deep.equal([70, 33]);
    });

    it('error: the attempt fails and names the node', () => {
      const cycle = { pod: podInfo(pod('pending')), snapshot: withHole().snapshot(NOW_MS) };
      expect(decide(cycle, profile({ missingMetrics: 'error' }), 1)).to.deep.equal({
        kind: 'error',
        message: 'plugin "TargetLoadPacking" finds no usable CPU figure of node "n2" (missingMetrics: error)',
        refusedFeature: undefined,
      });
    });

    it('whenBlind applies only when no node has a figure', () => {
      expect(scores(withHole(), { whenBlind: 'useRequests' })).to.deep.equal([70, 0]);
      const blind = withHole();
      blind.setUtilization(documentOf({ n1: [cpu(20, 'STD')] }));
      expect(scores(blind, { whenBlind: 'useRequests' })).to.deep.equal([40, 33]);
      expect(scores(blind)).to.deep.equal([0, 0]);
    });

    it('without metricsMaxAge figures never get too old', () => {
      expect(scores(cluster({ n1: [cpu(20)] }, '4', END_UNIX_SECONDS - 7200))).to.deep.equal([70]);
    });

    const ages: readonly (readonly [number, number])[] = [
      [299, 70],
      [300, 70],
      [301, 0],
    ];
    for (const [seconds, score] of ages) {
      it(`metricsMaxAge 5m: figures ${seconds} s old score ${score} (C77)`, () => {
        const state = cluster({ n1: [cpu(20)] }, '4', NOW_MS / 1000 - seconds);
        expect(scores(state, { metricsMaxAge: '5m' })).to.deep.equal([score]);
      });
    }

    it('figures without a time count as missing once there is a limit', () => {
      expect(scores(cluster({ n1: [cpu(20)] }, '4', 0), { metricsMaxAge: '5m' })).to.deep.equal([0]);
    });

    it('a document that never came: every node scores 0', () => {
      const state = new ClusterState();
      state.upsertNode({ metadata: { name: 'n1' }, status: { capacity: { cpu: '4' } } });
      expect(scores(state)).to.deep.equal([0]);
    });
  });

  it('explains its inputs and its branch', () => {
    const state = cluster({ n1: [cpu(20)] });
    state.upsertPod(bound('recent', 800, END_UNIX_SECONDS));
    const cycle = { pod: podInfo(pod('pending')), snapshot: state.snapshot(NOW_MS) };
    const [active] = prepareScores(cycle, profile());
    expect(active?.plugin.explain?.(cycle, cycle.snapshot.nodeAt(0), active.state)).to.deep.equal({
      branch: 'towards-target',
      basis: 'metrics',
      measuredPercent: 20,
      metricsEndUnixSeconds: END_UNIX_SECONDS,
      metricsAgeSeconds: 30,
      unmeasuredPods: 1,
      unmeasuredCpuMilli: 800,
      capacityCpuMilli: 4000,
      podCpuMilli: 0,
      podCpuFrom: 'limit',
      expectedPercent: 40,
      targetPercent: 40,
    });
  });

  for (const [basis, milli, resources] of [
    ['limit', 700, [{ limits: { cpu: '700m' }, requests: { cpu: '100m' } }]],
    ['request', 300, [{ requests: { cpu: '200m' } }]],
    ['default', 1000, [undefined]],
    ['request and default', 1300, [undefined, { requests: { cpu: '200m' } }]],
  ] as const) {
    it(`C46: explains that ${milli}m are predicted by ${basis}`, () => {
      const containers = resources.map((each, index) => ({
        name: `c${index}`,
        ...(each === undefined ? {} : { resources: each }),
      }));
      const state = cluster({ n1: [cpu(20)] });
      const cycle = { pod: podInfo(pod('pending', { containers })), snapshot: state.snapshot(NOW_MS) };
      const [active] = prepareScores(cycle, profile());
      const inputs = active?.plugin.explain?.(cycle, cycle.snapshot.nodeAt(0), active.state);
      expect(inputs).to.deep.include({ podCpuMilli: milli, podCpuFrom: basis });
    });
  }

  it('two profiles keep their arguments and their watchers apart', () => {
    const state = cluster({ n1: [cpu(20)], n2: [cpu(60)] });
    state.setUtilization(documentOf({ n1: [cpu(80)], n2: [cpu(10)] }), 'other');
    const other = compileProfile(
      {
        schedulerName: 'other',
        percentageOfNodesToScore: undefined,
        plugins: { filter: [], score: [{ name: 'TargetLoadPacking', weight: 2 }] },
        pluginArgs: { TargetLoadPacking: { targetUtilization: 80 } },
      },
      { loadSources: new Map([['TargetLoadPacking', 'other']]) },
    );
    const cycle = { pod: podInfo(pod('pending')), snapshot: state.snapshot(NOW_MS) };
    expect(evaluate(cycle, profile(), 1).scores.map(({ total }) => total)).to.deep.equal([70, 27]);
    expect(evaluate(cycle, other, 1).scores.map(({ total }) => total)).to.deep.equal([200, 166]);
  });
});
