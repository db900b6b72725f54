import type { Node, Pod } from '@catamaran/model';
import { expect } from 'chai';
import { expandPlugins } from '../../config/plugin-set.js';
import { bindingPlan } from '../../cycle/binding-plan.js';
import { decide } from '../../cycle/decide.js';
import type { Decision } from '../../cycle/decision.js';
import { evaluate } from '../../cycle/evaluate.js';
import { compileProfile } from '../../cycle/profile.js';
import { undoing } from '../../cycle/undo.js';
import type { Cycle } from '../../framework/plugin.js';
import { ClusterState } from '../../state/cluster-state.js';
import { podInfo } from '../../state/pod-info.js';
import { readLicenceArgs } from './args.js';
import { freeLicences } from './filter.js';
import { exampleLicence } from './plugin.js';
import { licenceScore } from './score.js';

const { name } = exampleLicence;
const POINTS = ['filter', 'postFilter', 'score', 'reserve', 'permit', 'preBind'] as const;

function profile() {
  const only = { enabled: [{ name, weight: 1 }], disabled: [] };
  const points = Object.fromEntries(POINTS.map((point) => [point, only]));
  const bind = {
    enabled: [
      { name, weight: 0 },
      { name: 'DefaultBinder', weight: 0 },
    ],
    disabled: ['*'],
  };
  return compileProfile(
    {
      schedulerName: 'test',
      percentageOfNodesToScore: undefined,
      plugins: expandPlugins({ multiPoint: { enabled: [], disabled: ['*'] }, ...points, bind }),
      pluginArgs: { [name]: { nodeLabel: 'licences', podLabel: 'licensed' } },
    },
    { definitions: [exampleLicence] },
  );
}

function node(nodeName: string, labels: Record<string, string>): Node {
  const amounts = { cpu: '4', memory: '8Gi', pods: '110' };
  return { metadata: { name: nodeName, labels }, status: { capacity: amounts, allocatable: amounts } };
}

function pod(podName: string, licensed: boolean, nodeName?: string): Pod {
  return {
    metadata: { name: podName, namespace: 'x', uid: podName, labels: licensed ? { licensed: '' } : {} },
    spec: nodeName === undefined ? {} : { nodeName },
  };
}

function cycleOf(nodes: readonly Node[], pending: Pod, placed: readonly Pod[] = []): Cycle {
  const state = new ClusterState();
  for (const one of nodes) state.upsertNode(one);
  for (const one of placed) state.upsertPod(one);
  return { pod: podInfo(pending), snapshot: state.snapshot(0) };
}

function decided(cycle: Cycle): Decision {
  const compiled = profile();
  const decision = decide(cycle, compiled, 1);
  expect(decision).to.deep.equal(evaluate(cycle, compiled, 1).decision);
  return decision;
}

const two = [node('a', { licences: '1' }), node('b', { licences: '3' })];

describe('ExampleLicence', () => {
  const rows: readonly (readonly [string, string | undefined, number, number])[] = [
    ['no label', undefined, 0, 0],
    ['no number', 'many', 0, 0],
    ['some are held', '3', 2, 1],
    ['more are held than there are', '1', 2, -1],
  ];
  for (const [sentence, text, held, free] of rows) {
    it(`${sentence}: ${free} are free`, () => {
      expect(freeLicences(text, held)).to.equal(free);
    });
  }

  it('scores by the licences that are free, and never below 0', () => {
    expect([-1, 0, 1, 7].map(licenceScore)).to.deep.equal([0, 0, 1, 7]);
  });

  it('prefers the node with the most free licences, and counts those that are held', () => {
    expect(decided(cycleOf(two, pod('p', true)))).to.deep.include({ node: 'b', total: 100 });
    const held = ['q', 'r', 's'].map((one) => pod(one, true, 'b'));
    expect(decided(cycleOf(two, pod('p', true), held))).to.deep.include({ node: 'a', feasibleCount: 1 });
  });

  it('says what would help when no node has a licence', () => {
    expect(decided(cycleOf([node('a', {})], pod('p', true)))).to.deep.equal({
      kind: 'unschedulable',
      message:
        '0/1 nodes are available: 1 node(s) had no free licence. More licences, or fewer pods that hold one, would help.',
      rejectedBy: new Set([name]),
    });
  });

  it('leaves pods alone that need none', () => {
    expect(decided(cycleOf([node('a', {})], pod('p', false)))).to.deep.include({ kind: 'placed', node: 'a' });
  });

  it('permits no node that is being closed', () => {
    const closing = node('a', { licences: '1', 'example.com/closing': '' });
    expect(decided(cycleOf([closing], pod('p', true)))).to.deep.include({
      message: 'the node is being closed',
    });
  });

  it('plans a condition, then the binding; for other pods the next Bind plugin plans', () => {
    const licensed = bindingPlan(cycleOf(two, pod('p', true)), profile(), 'b');
    const binding = { namespace: 'x', name: 'p', uid: 'p', nodeName: 'b' };
    expect(licensed).to.deep.include({ kind: 'bind', binding });
    expect(licensed.kind === 'bind' && licensed.writes.map(({ write }) => write.kind)).to.deep.equal([
      'condition',
    ]);
    const other = bindingPlan(cycleOf(two, pod('p', false)), profile(), 'b');
    expect(other).to.deep.equal({ kind: 'bind', writes: [], binding });
  });

  it('says that the licence is free again when the placement comes to nothing', () => {
    const { writes } = undoing(cycleOf(two, pod('p', true)), profile(), 'b');
    expect(writes.map(({ plugin, write }) => [plugin, write.reason])).to.deep.equal([[name, 'LicenceFreed']]);
  });

  it('refuses arguments of the wrong type, all at once', () => {
    const outcome = readLicenceArgs({ nodeLabel: 1, podLabel: true, label: '' });
    expect(outcome.ok ? [] : outcome.problems.map(({ path }) => path)).to.deep.equal([
      'label',
      'nodeLabel',
      'podLabel',
    ]);
  });
});
