import type { Pod } from '@catamaran/model';
import { expect } from 'chai';
import { expandPlugins } from '../config/plugin-set.js';
import { evaluate } from '../cycle/evaluate.js';
import { compileProfile } from '../cycle/profile.js';
import { podInfo } from '../state/pod-info.js';
import { cluster, cycleOf, type MeasuredNode, NOW_MS, pod, scores } from './measured-cluster.test.js';

const TARGET = 'TargetLoadPacking';
const BALANCING = 'LoadVariationRiskBalancing';

/** A pod that uses no CPU: a limit of 0 is a limit. */
const NOTHING = pod('p0', { limits: { cpu: '0' } });

function figure(type: string, value: number): readonly [string, string, number] {
  return [type, 'AVG', value];
}

const BIG = { cpu: '4', memory: '8388608Ki', pods: '110' };

/** Case and sentence, plugin, nodes, scores. Numbers are worked out by hand from the formulas of both plugins. */
const ROWS: readonly (readonly [
  string,
  string,
  Readonly<Record<string, MeasuredNode>>,
  Readonly<Record<string, number>>,
])[] = [
  [
    'C01 a share of capacity is taken of what is allocatable',
    BALANCING,
    {
      n: {
        capacity: { cpu: '4', memory: '4194304Ki', pods: '110' },
        allocatable: { cpu: '4', memory: '2560000Ki', pods: '110' },
        metrics: [figure('Memory', 63.5)],
      },
    },
    { n: 68 },
  ],
  [
    'C01 more than all is legal, and counts as all',
    BALANCING,
    { n: { capacity: BIG, metrics: [figure('Memory', 104.04)] } },
    { n: 50 },
  ],
  [
    'C02 a node that is not in the figures scores 0, the others as measured',
    TARGET,
    { n1: { metrics: [figure('CPU', 40)] }, n2: { metrics: [figure('CPU', 0)] }, n3: {} },
    { n1: 100, n2: 40, n3: 0 },
  ],
  [
    'C03 a node measured at 0 is idle, not unmeasured',
    TARGET,
    { n: { metrics: [figure('CPU', 0)] } },
    { n: 40 },
  ],
  [
    'C04 a node with memory figures only scores 0 by CPU',
    TARGET,
    { win: { capacity: BIG, metrics: [figure('Memory', 39.0625)] } },
    { win: 0 },
  ],
  [
    'C04 a node with memory figures only is balanced by memory',
    BALANCING,
    { win: { capacity: BIG, metrics: [figure('Memory', 39.0625)] } },
    { win: 80 },
  ],
  [
    'C06 a node without CPU scores 0, also when a figure is there, and never NaN',
    TARGET,
    {
      zero: { capacity: { cpu: '0', pods: '110' }, metrics: [figure('CPU', 10)] },
      none: { capacity: { pods: '110' }, metrics: [figure('CPU', 10)] },
      busy: { metrics: [figure('CPU', 99)] },
    },
    { zero: 0, none: 0, busy: 1 },
  ],
  ['C08 without any figure every node scores 0', TARGET, { a: {}, b: {} }, { a: 0, b: 0 }],
  [
    'C09 a node without a CPU series scores 0 by CPU',
    TARGET,
    { n1: { metrics: [figure('Memory', 50)] }, n2: { metrics: [figure('CPU', 50), figure('Memory', 50)] } },
    { n1: 0, n2: 33 },
  ],
  [
    'C09 a node without a CPU series is balanced by memory',
    BALANCING,
    { n1: { metrics: [figure('Memory', 50)] } },
    { n1: 75 },
  ],
  [
    'C14, C15 samples that are no numbers measure nothing',
    TARGET,
    {
      nan: { metrics: [figure('CPU', Number.NaN)] },
      inf: { metrics: [figure('CPU', Number.POSITIVE_INFINITY)] },
      low: { metrics: [figure('CPU', Number.NEGATIVE_INFINITY)] },
      good: { metrics: [figure('CPU', 50)] },
    },
    { nan: 0, inf: 0, low: 0, good: 33 },
  ],
  [
    'C32 quantities that are numbers are read; a null is not set',
    TARGET,
    { n: { capacity: { cpu: 2, memory: '8Gi', pods: 110 }, metrics: [figure('CPU', 20)] } },
    { n: 70 },
  ],
  [
    'C34 a bad quantity costs its own field only',
    TARGET,
    { n: { capacity: { cpu: '4', memory: '8 GB', pods: '110' }, metrics: [figure('CPU', 20)] } },
    { n: 70 },
  ],
  [
    'C72 a Windows node without figures scores 0 beside measured ones',
    TARGET,
    { linux: { metrics: [figure('CPU', 20)] }, win: {} },
    { linux: 70, win: 0 },
  ],
];

describe('field cases, as scores', () => {
  for (const [sentence, plugin, nodes, expected] of ROWS) {
    it(sentence, () => {
      expect(scores(cluster(nodes), { plugin, pod: NOTHING })).to.deep.equal(expected);
    });
  }

  for (const [target, percent, score] of [
    [70, 85, 35],
    [40, 60, 27],
    [40, 15, 63],
    [40, 100.1, 0],
  ] as const) {
    it(`C81 the penalty falls from the target: target ${target}, ${percent} % used`, () => {
      const state = cluster({ n: { metrics: [figure('CPU', percent)] } });
      const args = { targetUtilization: target };
      expect(scores(state, { plugin: TARGET, args, pod: NOTHING })).to.deep.equal({ n: score });
    });
  }

  it('C18 a node that is gone is never looked at, whatever the figures say', () => {
    const state = cluster({ n1: { metrics: [figure('CPU', 90)] }, 'old-1': { metrics: [figure('CPU', 2)] } });
    state.removeNode('old-1');
    expect(scores(state, { plugin: TARGET, pod: NOTHING })).to.deep.equal({ n1: 7 });
  });

  it('C68 pod-level requests replace the sum, and what is held counts during a resize', () => {
    const resources = { requests: { cpu: '500m' } };
    const asked: Pod = {
      metadata: { name: 'p' },
      spec: {
        resources,
        containers: [{ name: 'a', resources: { requests: { cpu: '100m' } } }, { name: 'b' }],
      },
    };
    expect(podInfo(asked).requests.cpuMilli).to.equal(500);
    const growing = { ...asked, status: { resources: { requests: { cpu: '900m' } } } };
    expect(podInfo(growing).requests.cpuMilli).to.equal(900);
  });

  it('C73 a cordoned node takes only pods that tolerate it, and stays measured', () => {
    const state = cluster({ n1: { metrics: [figure('CPU', 5)] }, n2: { metrics: [figure('CPU', 90)] } });
    const capacity = { cpu: '4', memory: '8Gi', pods: '110' };
    state.upsertNode({
      metadata: { name: 'n1' },
      spec: { unschedulable: true },
      status: { capacity, allocatable: capacity },
    });
    const profile = compileProfile({
      schedulerName: 's',
      percentageOfNodesToScore: undefined,
      plugins: expandPlugins({}),
      pluginArgs: {},
    });
    const feasible = (asked: Pod) => evaluate(cycleOf(state, asked), profile, 1).feasible;
    const tolerant = {
      ...NOTHING,
      spec: {
        ...NOTHING.spec,
        tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }],
      },
    };
    expect([feasible(NOTHING), feasible(tolerant)]).to.deep.equal([['n2'], ['n1', 'n2']]);
    expect(scores(state, { plugin: TARGET, pod: NOTHING })).to.deep.equal({ n1: 48, n2: 7 });
  });

  it('C74, C77 figures older than the limit are missing for all nodes, however idle they look', () => {
    const state = cluster({ idle: { metrics: [figure('CPU', 2)] }, busy: { metrics: [figure('CPU', 95)] } });
    const question = { plugin: TARGET, args: { metricsMaxAge: '5m' }, pod: NOTHING };
    expect(scores(state, question, NOW_MS)).to.deep.equal({ idle: 43, busy: 3 });
    expect(scores(state, question, NOW_MS + 271_000)).to.deep.equal({ idle: 0, busy: 0 });
  });

  for (const [sentence, text, unixSeconds] of [
    ['in UTC', '2026-03-08T07:30:00Z', 1772955000],
    ['with an offset', '2026-03-08T15:30:00+08:00', 1772955000],
    ['within the hour that summer time leaves out', '2026-03-08T02:30:00-05:00', 1772955000],
    ['without a zone, which says nothing', '2026-03-08T07:30:00', undefined],
  ] as const) {
    it(`C76 a time ${sentence}, is the same moment in every zone that this runs in`, () => {
      const placed: Pod = {
        metadata: { name: 'p' },
        spec: { nodeName: 'n' },
        status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: text }] },
      };
      expect(podInfo(placed).assignedUnixSeconds).to.equal(unixSeconds);
    });
  }
});
