import { LOAD_CEILING_ANNOTATION, type Pod } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { expandPlugins } from '../../config/plugin-set.js';
import { decide } from '../../cycle/decide.js';
import { evaluate } from '../../cycle/evaluate.js';
import { type CompiledProfile, compileProfile } from '../../cycle/profile.js';
import type { PluginDefinition } from '../../framework/plugin-definition.js';
import {
  cluster,
  cycleOf,
  type MeasuredNode,
  NOW_MS,
  pod,
  tell,
  tellSignals,
} from '../measured-cluster.test.js';

const PLUGIN = 'LoadCeiling';
const PENDING = pod('pending', { requests: { cpu: '1' } });
const FILTERS = ['NodeUnschedulable', 'TaintToleration', 'NodeAffinity', 'NodeResourcesFit', PLUGIN];

type Args = Readonly<Record<string, unknown>>;

const at = (cpu: number, memory = 10): MeasuredNode => ({
  metrics: [
    ['CPU', 'AVG', cpu],
    ['Memory', 'AVG', memory],
  ],
});

const figure = (value: number) => [{ name: '', type: 'CPU', operator: 'AVG', rollup: '15m', value }];

function told(nodes: Readonly<Record<string, MeasuredNode>>) {
  return cluster(nodes);
}

/** Nodes that stay, and the message when none does. */
function ask(state: ReturnType<typeof told>, args: Args, pending: Pod = PENDING, nowMs = NOW_MS): string {
  const profile = compileProfile({
    schedulerName: 'test',
    percentageOfNodesToScore: undefined,
    plugins: { filter: FILTERS.map((name) => ({ name, weight: 0 })), score: [] },
    pluginArgs: { [PLUGIN]: args },
  });
  const { feasible, decision } = evaluate(cycleOf(state, pending, nowMs), profile, 0);
  return decision.kind === 'unschedulable' ? decision.message : feasible.join(' ');
}

function annotated(text: string, given: Pod = PENDING): Pod {
  return { ...given, metadata: { ...given.metadata, annotations: { [LOAD_CEILING_ANNOTATION]: text } } };
}

function withNode(state: ReturnType<typeof told>, name: string, text: string): void {
  const { node } = state.snapshot(NOW_MS).node(name) ?? {};
  if (node === undefined) throw new Error(`no node ${name}`);
  state.upsertNode({
    ...node,
    metadata: { ...node.metadata, annotations: { [LOAD_CEILING_ANNOTATION]: text } },
  });
}

const CEILINGS = { ceilings: { cpu: 80, memory: 90 } };

describe('LoadCeiling', () => {
  it('leaves out what is above a ceiling; at the ceiling is fine', () => {
    const state = told({ a: at(80, 90), b: at(80.1), c: at(10, 91) });
    expect(ask(state, CEILINGS)).to.equal('a');
  });

  it("says why no node will do, in kube-scheduler's manner", () => {
    const state = told({ a: at(81), b: at(99, 95), c: at(10, 91), d: at(90) });
    expect(ask(state, CEILINGS)).to.equal(
      '0/4 nodes are available: 2 node(s) had memory load above the ceiling, 3 node(s) had cpu load above the ceiling.',
    );
  });

  it('a node without a figure passes, or is refused when asked so; old figures are none', () => {
    const state = told({ a: {}, b: at(10) });
    expect(ask(state, CEILINGS)).to.equal('a b');
    expect(ask(state, { ...CEILINGS, missingMetrics: 'reject' })).to.equal('b');
    const late = NOW_MS + 300_000;
    expect(ask(told({ a: at(99) }), CEILINGS, PENDING, late)).to.equal('a');
    expect(ask(told({ a: at(1) }), { ...CEILINGS, missingMetrics: 'reject' }, PENDING, late)).to.equal(
      '0/1 nodes are available: 1 node(s) had no figure of cpu load, 1 node(s) had no figure of memory load.',
    );
  });

  it('a limit of 0s is none: figures of any age are held against ceilings', () => {
    const signal = { name: 'psi', promQL: 'x', unit: 'ratio', maxAge: '0s' };
    const args = { ceilings: { cpu: 80, psi: 25 }, signals: [signal], prometheus: { address: 'http://p' } };
    const state = told({ a: at(99), b: at(10), c: at(10) });
    tellSignals(state, { plugin: PLUGIN, args }, { samples: { psi: [['b', 0.9]] } });
    const late = NOW_MS + 1e10;
    expect(ask(state, { ...args, metricsMaxAge: '0s' }, PENDING, late)).to.equal('c');
    expect(ask(state, args, PENDING, late)).to.equal('a c');
  });

  it('signals have ceilings too, in whatever unit', () => {
    const signal = { name: 'psi', promQL: 'x', unit: 'ratio', maxAge: '5m' };
    const args = { ceilings: { psi: 25 }, signals: [signal], prometheus: { address: 'http://p' } };
    const state = told({ a: {}, b: {}, c: {} });
    const samples = {
      psi: [
        ['a', 0.25],
        ['b', 0.26],
      ],
    } as const;
    tellSignals(state, { plugin: PLUGIN, args }, { samples });
    expect(ask(state, args)).to.equal('a c');
    expect(ask(state, { ...args, missingMetrics: 'reject' })).to.equal('a');
    const full = { ...args, ceilings: { psi: 20 }, missingMetrics: 'reject' };
    expect(ask(state, full)).to.equal(
      '0/3 nodes are available: 1 node(s) had no figure of signal psi, 2 node(s) had signal psi above the ceiling.',
    );
  });

  it('soft: when all are above, the least loaded stay; a node below is enough for hard ceilings', () => {
    const soft = { ...CEILINGS, mode: 'soft' };
    expect(ask(told({ a: at(95), b: at(90), c: at(90) }), soft)).to.equal('b c');
    expect(ask(told({ a: at(95), b: at(90), c: at(79) }), soft)).to.equal('c');
    // 95 of 80 is nearer to its ceiling than 99 of 80, whatever memory says.
    expect(ask(told({ a: at(95, 100), b: at(99, 20) }), soft)).to.equal('a');
  });

  it('soft: an idle node that would not take the pod is no choice', () => {
    const state = told({
      a: at(95),
      b: at(90),
      idle: at(1),
      small: { ...at(1), capacity: { cpu: '0.5', pods: '9' } },
    });
    const { node } = state.snapshot(NOW_MS).node('idle') ?? {};
    if (node === undefined) throw new Error('no node');
    state.upsertNode({ ...node, spec: { taints: [{ key: 'control-plane', effect: 'NoSchedule' }] } });
    expect(ask(state, { ...CEILINGS, mode: 'soft' })).to.equal('b');
  });

  it('soft: with whatever other filters, it refuses no pod that they would place, and nothing better is left', () => {
    const hosts = ['a', 'b', 'c', 'd'];
    const label = 'kubernetes.io/hostname';
    const far = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: label, labelSelector: { matchLabels: { app: 'x' } } },
      ],
    };
    const own: PluginDefinition = {
      name: 'Own',
      create: () => ({
        filter: {
          name: 'Own',
          filter: (_cycle, { name, labels }) =>
            labels.own === 'no'
              ? { plugin: 'Own', code: 'Unschedulable', reasons: [`not ${name}`] }
              : undefined,
        },
      }),
    };
    const compiled = (
      disabled: readonly string[],
      isFirst: boolean,
      withCeiling: boolean,
    ): CompiledProfile => {
      const { filter, score } = expandPlugins({});
      const others = [...filter.filter(({ name }) => !disabled.includes(name)), { name: 'Own', weight: 0 }];
      const ceiling = withCeiling ? [{ name: PLUGIN, weight: 0 }] : [];
      return compileProfile(
        {
          schedulerName: 'test',
          percentageOfNodesToScore: undefined,
          plugins: { filter: isFirst ? [...ceiling, ...others] : [...others, ...ceiling], score },
          pluginArgs: { [PLUGIN]: { ceilings: { cpu: 80 }, mode: 'soft' } },
        },
        { definitions: [own] },
      );
    };
    const nodeKind = fc.constantFrom('open', 'tainted', 'guarded', 'own', 'small');
    const node = fc.record({ kind: nodeKind, cpu: fc.integer({ min: 60, max: 99 }) });
    const disabled = fc.subarray(['TaintToleration', 'InterPodAffinity', 'NodeResourcesFit', 'NodePorts']);
    fc.assert(
      fc.property(fc.tuple(node, node, node, node), disabled, fc.boolean(), (nodes, off, isFirst) => {
        const kinds = nodes.map(({ kind }) => kind);
        const state = told(
          Object.fromEntries(
            hosts.map((host, index) => {
              const guard = pod(`guard-${host}`, {});
              const guarded = { ...guard, spec: { ...guard.spec, affinity: { podAntiAffinity: far } } };
              const pods = kinds[index] === 'guarded' ? [guarded] : [];
              const capacity = { cpu: kinds[index] === 'small' ? '0.5' : '4', pods: '9', memory: '8Gi' };
              return [host, { ...at(nodes[index]?.cpu ?? 0), capacity, pods }];
            }),
          ),
        );
        hosts.forEach((host, index) => {
          const { node: object } = state.snapshot(NOW_MS).node(host) ?? {};
          if (object === undefined) throw new Error(`no node ${host}`);
          const labels = { [label]: host, ...(kinds[index] === 'own' ? { own: 'no' } : {}) };
          const taints = kinds[index] === 'tainted' ? [{ key: 'k', effect: 'NoSchedule' } as const] : [];
          state.upsertNode({ ...object, metadata: { ...object.metadata, labels }, spec: { taints } });
        });
        const asked = { ...PENDING, metadata: { ...PENDING.metadata, labels: { app: 'x' } } };
        const cycle = cycleOf(state, asked);
        const without = evaluate(cycle, compiled(off, isFirst, false), 0);
        const profile = compiled(off, isFirst, true);
        const soft = evaluate(cycle, profile, 0);
        const cpuOf = (host: string): number => nodes[hosts.indexOf(host)]?.cpu ?? 0;
        const cool = without.feasible.filter((host) => cpuOf(host) <= 80);
        const least = Math.min(...without.feasible.map(cpuOf));
        const expected = cool.length > 0 ? cool : without.feasible.filter((host) => cpuOf(host) === least);
        expect(soft.feasible).to.deep.equal(expected);
        if (without.feasible.length === 0) expect(soft.decision).to.deep.equal(without.decision);
        for (let turn = 0; turn < 3; turn += 1) {
          expect(decide(cycle, profile, 0)).to.deep.equal(soft.decision);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('soft: what is kept of earlier decisions does not outlive a change of another node', () => {
    const state = told({ a: at(95), b: at(90) });
    const profile = compileProfile({
      schedulerName: 'test',
      percentageOfNodesToScore: undefined,
      plugins: { filter: [{ name: PLUGIN, weight: 0 }], score: [] },
      pluginArgs: { [PLUGIN]: { ...CEILINGS, mode: 'soft' } },
    });
    const place = () => {
      const decision = decide(cycleOf(state, PENDING), profile, 0);
      return decision.kind === 'placed' ? decision.node : decision.message;
    };
    expect([place(), place(), place()]).to.deep.equal(['b', 'b', 'b']);
    tell(
      state,
      new Map([
        ['a', figure(95)],
        ['b', figure(99)],
      ]),
    );
    expect(place()).to.equal('a');
    tell(
      state,
      new Map([
        ['a', figure(95)],
        ['b', figure(10)],
      ]),
    );
    expect(place()).to.equal('b');
  });

  it('pods of a priority class have their own ceilings; what it does not name is as for all', () => {
    const priorityClasses = [
      { name: 'critical', ceilings: { cpu: 95 } },
      { name: 'batch', ceilings: { cpu: 50, memory: 60 } },
    ];
    const args = { ...CEILINGS, priorityClasses };
    const state = told({ a: at(94), b: at(60), c: at(40, 61), d: at(94, 91) });
    const of = (priorityClassName: string): Pod => ({
      ...PENDING,
      spec: { ...PENDING.spec, priorityClassName },
    });
    expect(ask(state, args)).to.equal('b c');
    expect(ask(state, args, of('critical'))).to.equal('a b c');
    expect(ask(state, args, of('batch'))).to.contain('0/4 nodes are available');
    expect(ask(state, args, of('unknown'))).to.equal('b c');
  });

  it("a node's annotation changes its ceilings, a pod's changes all of its", () => {
    const state = told({ a: at(85), b: at(85), c: at(60) });
    withNode(state, 'a', 'cpu=90');
    withNode(state, 'c', 'cpu=50, memory=off');
    expect(ask(state, CEILINGS)).to.equal('a');
    expect(ask(state, CEILINGS, annotated('cpu=55'))).to.contain('3 node(s) had cpu load above the ceiling');
    expect(ask(state, CEILINGS, annotated('cpu=off'))).to.equal('a b c');
    expect(ask(state, CEILINGS, annotated('off'))).to.equal('a b c');
  });

  for (const text of [
    'cpu',
    'cpu=',
    'cpu=x',
    'cpu=-1',
    'cpu=0',
    'cpu=0.9',
    'cpu=101',
    'CPU=95',
    'disk=99',
    '',
    'cpu=1e3',
  ]) {
    it(`the annotation "${text}" changes nothing`, () => {
      const state = told({ a: at(85), b: at(60) });
      expect(ask(state, CEILINGS, annotated(text))).to.equal('b');
    });
  }

  it('a good part of an annotation holds beside a bad one', () => {
    const state = told({ a: at(85), b: at(60) });
    expect(ask(state, CEILINGS, annotated('disk=99,cpu=90'))).to.equal('a b');
  });

  it('explains what a node was refused by', () => {
    const state = told({ a: at(85, 20) });
    const profile = compileProfile({
      schedulerName: 'test',
      percentageOfNodesToScore: undefined,
      plugins: { filter: [{ name: PLUGIN, weight: 0 }], score: [] },
      pluginArgs: { [PLUGIN]: CEILINGS },
    });
    const cycle = cycleOf(state, PENDING);
    const [filter] = profile.filters;
    const outcome = filter?.preFilter?.(cycle);
    const node = cycle.snapshot.nodeAt(0);
    const inputs = outcome?.kind === 'continue' ? filter?.explain?.(cycle, node, outcome.state) : undefined;
    expect(inputs).to.deep.equal({
      mode: 'hard',
      metricsAgeSeconds: 30,
      ceilings: { cpu: { percent: 85, ceiling: 80 }, memory: { percent: 20, ceiling: 90 } },
    });
  });
});
