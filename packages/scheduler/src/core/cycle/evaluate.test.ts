import type { Node, Pod } from '@catamaran/model';
import { expect } from 'chai';
import { expandPlugins } from '../config/plugin-set.js';
import type { ScorePlugin } from '../framework/plugin.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo } from '../state/pod-info.js';
import { decide } from './decide.js';
import type { Decision } from './decision.js';
import { evaluate } from './evaluate.js';
import { type CompiledProfile, compileProfile } from './profile.js';

const NOW_MS = Date.UTC(2026, 10, 30, 12);

function profile(percentageOfNodesToScore?: number): CompiledProfile {
  return compileProfile({
    schedulerName: 'test',
    percentageOfNodesToScore,
    plugins: expandPlugins({}),
    pluginArgs: {},
  });
}

function node(name: string, cpu = '4', more: Partial<Node> = {}): Node {
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: { capacity: { cpu, memory: '8Gi' }, allocatable: { cpu, memory: '8Gi', pods: '110' } },
    ...more,
  };
}

function pod(cpu: string, spec: Pod['spec'] = {}): Pod {
  return {
    metadata: { name: 'p', namespace: 'default', uid: 'u' },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }], ...spec },
  };
}

function clusterOf(...nodes: readonly Node[]): ClusterState {
  const state = new ClusterState();
  for (const one of nodes) state.upsertNode(one);
  return state;
}

function decided(state: ClusterState, pending: Pod, compiled = profile()): Decision {
  const cycle = { pod: podInfo(pending), snapshot: state.snapshot(NOW_MS) };
  const decision = decide(cycle, compiled, 1);
  expect(decision).to.deep.equal(evaluate(cycle, compiled, 1).decision);
  return decision;
}

describe('one scheduling attempt', () => {
  it('without nodes', () => {
    expect(decided(new ClusterState(), pod('1'))).to.deep.equal({
      kind: 'unschedulable',
      message: 'no nodes available to schedule pods',
      rejectedBy: new Set(),
    });
  });

  it('counts each reason, sorted as text, and names the plugins that refused', () => {
    const small = Array.from({ length: 10 }, (_, index) => node(`small-${index}`, '1'));
    const tainted = node('tainted', '4', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    const cordoned = [1, 2].map((index) => node(`cordoned-${index}`, '4', { spec: { unschedulable: true } }));
    expect(decided(clusterOf(...small, tainted, ...cordoned), pod('2'))).to.deep.equal({
      kind: 'unschedulable',
      message:
        '0/13 nodes are available: 1 node(s) had untolerated taint(s), 10 Insufficient cpu, 2 node(s) were unschedulable.',
      rejectedBy: new Set(['NodeResourcesFit', 'TaintToleration', 'NodeUnschedulable']),
    });
  });

  it('a pod refused as a whole has the text of the refusal alone', () => {
    const conflicting = { key: 'metadata.name', operator: 'In' };
    const spec = {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchFields: [
                  { ...conflicting, values: ['a'] },
                  { ...conflicting, values: ['b'] },
                ],
              },
            ],
          },
        },
      },
    };
    expect(decided(clusterOf(node('a'), node('b')), pod('1', spec))).to.deep.equal({
      kind: 'unschedulable',
      message: '0/2 nodes are available: pod affinity terms conflict.',
      rejectedBy: new Set(['NodeAffinity']),
    });
  });

  it('a feature we can not honour is an error that names it', () => {
    const spec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'x' } }] };
    expect(decided(clusterOf(node('a')), pod('1', spec))).to.deep.include({
      kind: 'error',
      refusedFeature: 'persistentVolumeClaim volumes (volume data)',
    });
  });

  it('a single feasible node is taken unscored', () => {
    expect(decided(clusterOf(node('a', '1'), node('b', '4')), pod('2'))).to.deep.equal({
      kind: 'placed',
      node: 'b',
      feasibleCount: 1,
      evaluatedCount: 2,
      total: 0,
      tiedCount: 1,
    });
  });

  it('the node a pod was promised is taken alone while it will do, else all are looked at', () => {
    const state = clusterOf(node('a'), node('b'), node('c'));
    const promised = { ...pod('3'), status: { nominatedNodeName: 'b' } };
    expect(decided(state, promised)).to.deep.include({ node: 'b', feasibleCount: 1, evaluatedCount: 1 });
    state.upsertPod({ ...pod('2', { nodeName: 'b' }), metadata: { name: 'x', uid: 'x' } });
    expect(decided(state, promised)).to.deep.include({ feasibleCount: 2, evaluatedCount: 3 });
  });

  it('the place of a pod with the same or a higher priority is kept free, of a lower one not', () => {
    const state = clusterOf(node('a'));
    const waiting = { ...pod('3', { priority: 5 }), metadata: { name: 'w', uid: 'w' } };
    state.upsertPod({ ...waiting, status: { nominatedNodeName: 'a' } });
    expect(decided(state, pod('2', { priority: 5 })).kind).to.equal('unschedulable');
    expect(decided(state, pod('2', { priority: 6 })).kind).to.equal('placed');
  });

  it('a set percentage of nodes ends the search early, at a place that differs from pod to pod', () => {
    const state = clusterOf(...Array.from({ length: 400 }, (_, index) => node(`n${index}`)));
    const found = new Set<string>();
    for (let index = 0; index < 40; index += 1) {
      const pending = { ...pod('1'), metadata: { name: 'p', uid: `u${index}` } };
      const decision = decided(state, pending, profile(30));
      if (decision.kind !== 'placed') throw new Error(decision.message);
      expect([decision.feasibleCount, decision.evaluatedCount]).to.deep.equal([120, 120]);
      found.add(decision.node);
    }
    expect(found.size).to.be.above(30);
  });

  it('a score out of range ends the attempt, and nothing is bound', () => {
    const broken: ScorePlugin = { name: 'Broken', score: () => -3 };
    const compiled = { ...profile(), scores: [{ plugin: broken, weight: 1 }] };
    expect(decided(clusterOf(node('a'), node('b')), pod('1'), compiled)).to.deep.equal({
      kind: 'error',
      message:
        'plugin "Broken" returns an invalid score -3, it should in the range of [0, 100] after normalizing',
      refusedFeature: undefined,
    });
  });

  it('without score plugins every feasible node is worth 1', () => {
    const compiled = { ...profile(), scores: [] };
    expect(decided(clusterOf(node('a'), node('b')), pod('1'), compiled)).to.deep.include({
      total: 1,
      tiedCount: 2,
    });
  });

  it('a PostFilter plugin adds its text, the first that has one', () => {
    const silent = { name: 'Silent', postFilter: () => undefined };
    const speaking = {
      name: 'Speaking',
      postFilter: (_cycle: unknown, rejected: readonly unknown[]) => `asked about ${rejected.length}.`,
    };
    const compiled = { ...profile(), postFilters: [silent, speaking, speaking] };
    expect(decided(clusterOf(node('a', '1')), pod('2'), compiled)).to.deep.include({
      message: '0/1 nodes are available: 1 Insufficient cpu. asked about 1.',
    });
  });

  it('Reserve and Permit plugins have the last word on the chosen node', () => {
    const veto =
      (plugin: string, wanted: string) =>
      (_cycle: unknown, { name }: { readonly name: string }) =>
        name === wanted
          ? { plugin, code: 'Unschedulable' as const, reasons: [`${plugin} says no`] }
          : undefined;
    const compiled = {
      ...profile(),
      reserves: [{ name: 'R', reserve: veto('R', 'a') }],
      permits: [{ name: 'P', permit: veto('P', 'b') }],
    };
    const refused = (name: string): Decision =>
      decided(clusterOf(node(name), node('z', '1')), pod('2'), compiled);
    expect(refused('a')).to.deep.equal({
      kind: 'unschedulable',
      message: 'R says no',
      rejectedBy: new Set(['R']),
      reservedOn: 'a',
    });
    expect(refused('b')).to.deep.include({ message: 'P says no' });
    expect(refused('c')).to.deep.include({ kind: 'placed', node: 'c' });
  });

  it('a node with a bad quantity leaves the others alone; a pod with one is refused by name', () => {
    const state = clusterOf(node('a', 'many'), node('b'));
    expect(decided(state, pod('1'))).to.deep.include({ kind: 'placed', node: 'b', feasibleCount: 1 });
    const refused = decided(clusterOf(node('a')), pod('1,5'));
    expect(refused.kind === 'error' && refused.refusedFeature).to.match(
      /^malformed field spec\.containers\[\w+\]\.resources\.requests\.cpu: /,
    );
  });
});
