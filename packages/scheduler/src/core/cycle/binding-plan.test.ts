import { expect } from 'chai';
import { expandPlugins } from '../config/plugin-set.js';
import type { BindPlugin, Cycle, PodWrite, PreBindOutcome } from '../framework/plugin.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo } from '../state/pod-info.js';
import { type BindingPlan, bindingPlan } from './binding-plan.js';
import { type CompiledProfile, compileProfile } from './profile.js';

function event(note: string): PodWrite {
  return { kind: 'event', type: 'Normal', reason: 'R', action: 'A', note };
}

function cycle(): Cycle {
  const state = new ClusterState();
  state.upsertNode({ metadata: { name: 'n' } });
  const pod = podInfo({ metadata: { name: 'p', namespace: 'x', uid: 'u' }, spec: {} });
  return { pod, snapshot: state.snapshot(0) };
}

function profile(parts: Partial<CompiledProfile> = {}): CompiledProfile {
  const spec = { schedulerName: 's', percentageOfNodesToScore: undefined, pluginArgs: {} };
  return { ...compileProfile({ ...spec, plugins: expandPlugins({}) }), ...parts };
}

function preBinds(...outcomes: readonly (readonly [string, PreBindOutcome])[]): Partial<CompiledProfile> {
  return { preBinds: outcomes.map(([name, outcome]) => ({ name, preBind: () => outcome })) };
}

function planned(parts: Partial<CompiledProfile>, nodeName = 'n'): BindingPlan {
  return bindingPlan(cycle(), profile(parts), nodeName);
}

const PLAIN = { namespace: 'x', name: 'p', uid: 'u', nodeName: 'n' };

function binder(name: string, binding: Partial<typeof PLAIN> | 'skip'): BindPlugin {
  return {
    name,
    bind: () => (binding === 'skip' ? { kind: 'skip' } : { kind: 'bind', binding: { ...PLAIN, ...binding } }),
  };
}

describe('bindingPlan', () => {
  it('of the default profile is DefaultBinder alone', () => {
    expect(planned({})).to.deep.equal({ kind: 'bind', writes: [], binding: PLAIN });
  });

  it('has the writes of all PreBind plugins in their order', () => {
    const plan = planned(
      preBinds(
        ['One', { kind: 'write', writes: [event('1'), event('2')] }],
        ['Idle', { kind: 'skip' }],
        ['Two', { kind: 'write', writes: [event('3')] }],
      ),
    );
    expect(plan.kind === 'bind' && plan.writes).to.deep.equal([
      { plugin: 'One', write: event('1') },
      { plugin: 'One', write: event('2') },
      { plugin: 'Two', write: event('3') },
    ]);
  });

  it('is a refusal when a PreBind plugin refuses, and later ones are not asked', () => {
    const rejection = { plugin: 'No', code: 'Unschedulable', reasons: ['not today'] } as const;
    const { preBinds: first = [] } = preBinds(['No', { kind: 'reject', rejection }]);
    const later = {
      name: 'Later',
      preBind: (): PreBindOutcome => {
        throw new Error('asked');
      },
    };
    expect(planned({ preBinds: [...first, later] })).to.deep.equal({ kind: 'rejected', rejection });
  });

  it('is made by the first Bind plugin that does not skip', () => {
    const plan = planned({
      binds: [binder('A', 'skip'), binder('B', { name: 'p' }), binder('C', { uid: 'other' })],
    });
    expect(plan).to.deep.equal({ kind: 'bind', writes: [], binding: PLAIN });
  });

  const errors: readonly (readonly [string, Partial<CompiledProfile>, string, string])[] = [
    [
      'all Bind plugins skip',
      { binds: [binder('A', 'skip')] },
      'n',
      'no Bind plugin of profile "s" binds the pod',
    ],
    ['there is no Bind plugin', { binds: [] }, 'n', 'no Bind plugin of profile "s" binds the pod'],
    [
      'a Bind plugin binds to another node',
      { binds: [binder('A', { nodeName: 'm' })] },
      'n',
      'plugin "A" binds pod u to node "m" in place of u to "n"',
    ],
    [
      'a Bind plugin binds another pod',
      { binds: [binder('A', { uid: 'v' })] },
      'n',
      'plugin "A" binds pod v to node "n" in place of u to "n"',
    ],
    ['the node is not there', {}, 'gone', 'node "gone" is gone'],
  ];
  for (const [sentence, parts, nodeName, message] of errors) {
    it(`is an error when ${sentence}`, () => {
      expect(planned(parts, nodeName)).to.deep.equal({ kind: 'error', message });
    });
  }
});
