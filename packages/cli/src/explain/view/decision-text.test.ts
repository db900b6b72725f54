import type { Explanation } from '@catamaran/scheduler';
import { expect } from 'chai';
import { decisionLines } from './decision-text.js';

const PLUGINS = [
  'TargetLoadPacking',
  'NodeResourcesFit',
  'NodeResourcesBalancedAllocation',
  'TaintToleration',
  'NodeAffinity',
];

function decision(parts: Partial<Explanation>): Explanation {
  return {
    pod: 'web/shop-0',
    uid: 'u',
    time: '2026-01-01T00:00:00.000Z',
    profile: 'catamaran',
    snapshotVersion: 1,
    outcome: 'placed',
    chosen: 'n-0',
    nodes: [],
    omittedNodes: 0,
    ...parts,
  };
}

function text(explained: Explanation, columns = 80): string {
  return decisionLines(explained, { isHypothetical: false, nodesShown: 10, columns }).join('\n');
}

describe('decisionLines', () => {
  it('stay within 80 columns with five plugins and long names of nodes', () => {
    const nodes = Array.from({ length: 40 }, (_, node) => ({
      name: `ip-10-0-0-${node}.eu-west-1.compute.internal`,
      scores: Object.fromEntries(PLUGINS.map((plugin, at) => [plugin, (node * 7 + at * 13) % 300])),
      total: 900 - node,
      inputs: {
        TargetLoadPacking: {
          branch: 'towards-target',
          measuredPercent: 12.345,
          unmeasuredPods: 3,
          unmeasuredCpuMilli: 4500,
          expectedPercent: 39.99,
          metricsAgeSeconds: 42,
          podCpuMilli: 300,
          targetPercent: 40,
        },
      },
    }));
    const lines = text(decision({ nodes, chosen: nodes[0]?.name ?? null })).split('\n');
    expect(lines.filter((line) => line.length > 80)).to.deep.equal([]);
    expect(lines).to.include('* ip-10-0-0-0.eu-west-1.compute.internal');
    expect(lines).to.include('… and 30 more nodes (--nodes 40 lists them)');
  });

  it('says how equals were told apart', () => {
    const runnerUp = { name: 'n-1', total: 90, lostBy: {}, tied: true };
    expect(text(decision({ runnerUp }), 200)).to.contain(
      "Second best: n-1 with 90 points, as many as n-0; among equals the pod's uid decides.",
    );
  });

  it('shows what spoke for the runner-up too', () => {
    const runnerUp = {
      name: 'n-1',
      total: 70,
      lostBy: { TargetLoadPacking: 30, NodeResourcesFit: -10 },
      tied: false,
    };
    expect(text(decision({ runnerUp }), 200)).to.contain(
      'n-0 is ahead by 20: TargetLoadPacking +30, NodeResourcesFit -10.',
    );
  });

  it('says what a ceiling was not applied to, and why, with ages as people tell them', () => {
    const gap = {
      plugin: 'LoadCeiling',
      nodes: 40,
      reason: 'too-old',
      ageSeconds: 28_440_000,
      maxAgeSeconds: 300,
    };
    const one = { plugin: 'LoadCeiling', nodes: 1, reason: 'no-figure', figure: 'gpu' };
    const gaps = [{ ...gap, figure: 'cpu' }, { ...gap, figure: 'memory' }, one];
    expect(text(decision({ gaps, loadAgeSeconds: 28_440_000 }), 120).split('\n')).to.include.members([
      'profile catamaran, 2026-01-01T00:00:00.000Z, load figures 329d4h old',
      'LoadCeiling: not applied to 40 nodes: figures too old (329d4h, at most 5m); concerns cpu, memory',
      'LoadCeiling: not applied to 1 node: no figure of these nodes; concerns gpu',
    ]);
  });

  it('prints the inputs of every plugin, of refused nodes too, and sends nobody to the JSON', () => {
    const nodes = [
      { name: 'n-0', scores: { Own: 7 }, total: 7, inputs: { Own: { widgets: 3 }, Other: { gears: 4 } } },
      { name: 'n-1', scores: {}, total: 0, rejectedBy: 'Gate', reason: 'no', inputs: { Gate: { keys: 5 } } },
    ];
    const printed = text(decision({ nodes }));
    expect(printed).to.match(/^Own: widgets 3$/m);
    expect(printed).to.match(/^Other: gears 4$/m);
    expect(printed).to.match(/^Gate, refused nodes: keys 5$/m);
    expect(printed).to.not.contain('json');
  });

  it('says that a single node is not scored', () => {
    const nodes = [{ name: 'n-0', scores: {}, total: 0 }];
    expect(text(decision({ nodes }))).to.contain('It was the only node that passed the filters');
  });

  it('shows requests where a node was judged by them', () => {
    const input = {
      branch: 'towards-target',
      basis: 'requests',
      requestedCpuMilli: 1500,
      expectedPercent: 38,
      targetPercent: 40,
    };
    const nodes = [{ name: 'n-0', scores: {}, total: 0, inputs: { TargetLoadPacking: input } }];
    expect(text(decision({ nodes }))).to.match(/\* n-0 +no figure +1500m requested +38\.0 % +towards-target/);
  });

  it('says why an old decision has no nodes, and how many a long answer leaves out', () => {
    const note = 'the nodes of older decisions are not kept';
    expect(text(decision({ note }))).to.match(/No details: the nodes of older decisions are not kept\.$/);
    const nodes = [{ name: 'n-0', scores: {}, total: 0 }];
    expect(text(decision({ nodes, omittedNodes: 4000 }))).to.contain(
      '4000 more nodes were left out (--nodes 4001 lists them).',
    );
  });
});
