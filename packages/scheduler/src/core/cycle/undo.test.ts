import { expect } from 'chai';
import { expandPlugins } from '../config/plugin-set.js';
import type { Cycle, PermitPlugin, PodWrite, Rejection, ReservePlugin } from '../framework/plugin.js';
import { ClusterState } from '../state/cluster-state.js';
import { podInfo } from '../state/pod-info.js';
import { decide } from './decide.js';
import { evaluate } from './evaluate.js';
import { type CompiledProfile, compileProfile } from './profile.js';
import { undoing } from './undo.js';

const NAMES = ['First', 'Plain', 'Second', 'Third'];

function event(note: string): PodWrite {
  return { kind: 'event', type: 'Normal', reason: 'R', action: 'A', note };
}

function cycle(nodes = ['n']): Cycle {
  const state = new ClusterState();
  const allocatable = { cpu: '4', memory: '8Gi', pods: '10' };
  for (const name of nodes) state.upsertNode({ metadata: { name }, status: { allocatable } });
  const pod = podInfo({ metadata: { name: 'p', namespace: 'x', uid: 'u' }, spec: {} });
  return { pod, snapshot: state.snapshot(0) };
}

function profile(parts: Partial<CompiledProfile>): CompiledProfile {
  const spec = { schedulerName: 's', percentageOfNodesToScore: undefined, pluginArgs: {} };
  return { ...compileProfile({ ...spec, plugins: expandPlugins({}) }), ...parts };
}

type Answer = 'yes' | 'no' | 'throws';

function answer(plugin: string, how: Answer): Rejection | undefined {
  if (how === 'throws') throw new Error(`${plugin} is jammed`);
  return how === 'no' ? { plugin, code: 'Unschedulable', reasons: [`${plugin} said no`] } : undefined;
}

/** Four Reserve plugins, one of which has nothing to undo. */
function reserves(answers: Readonly<Record<string, Answer>>, jammed = ''): readonly ReservePlugin[] {
  return NAMES.map((name) => ({
    name,
    reserve: () => answer(name, answers[name] ?? 'yes'),
    ...(name === 'Plain'
      ? {}
      : {
          unreserve: () => {
            if (name === jammed) throw new Error('jammed');
            return [event(name)];
          },
        }),
  }));
}

const permit = (how: Answer): readonly PermitPlugin[] => [
  { name: 'Gate', permit: () => answer('Gate', how) },
];

/** Sentence, profile, what the pod is told. */
const REFUSALS: readonly (readonly [string, Partial<CompiledProfile>, object])[] = [
  [
    'a Permit plugin refuses',
    { reserves: reserves({}), permits: permit('no') },
    { kind: 'unschedulable', message: 'Gate said no', rejectedBy: new Set(['Gate']), reservedOn: 'n' },
  ],
  [
    'a Permit plugin throws',
    { reserves: reserves({}), permits: permit('throws') },
    { kind: 'error', message: 'Gate is jammed', refusedFeature: undefined, reservedOn: 'n' },
  ],
  [
    'a later Reserve plugin refuses',
    { reserves: reserves({ Second: 'no' }) },
    { kind: 'unschedulable', message: 'Second said no', rejectedBy: new Set(['Second']), reservedOn: 'n' },
  ],
  [
    'a later Reserve plugin throws',
    { reserves: reserves({ Third: 'throws' }) },
    { kind: 'error', message: 'Third is jammed', refusedFeature: undefined, reservedOn: 'n' },
  ],
];

describe('what Reserve plugins undo', () => {
  for (const [sentence, parts, decision] of REFUSALS) {
    it(`is asked for when ${sentence}`, () => {
      expect(decide(cycle(), profile(parts), 0)).to.deep.equal(decision);
      expect(evaluate(cycle(), profile(parts), 0).decision).to.deep.equal(decision);
    });
  }

  it('is not asked for when no node would do, or all agree', () => {
    const asked = { reserves: reserves({}), permits: permit('yes') };
    expect(decide(cycle([]), profile(asked), 0)).to.not.have.property('reservedOn');
    expect(decide(cycle(), profile(asked), 0)).to.deep.include({ kind: 'placed', node: 'n' });
  });

  it('comes from all of them, the last first', () => {
    const { writes, failures } = undoing(cycle(), profile({ reserves: reserves({}) }), 'n');
    expect(writes).to.deep.equal(
      ['Third', 'Second', 'First'].map((plugin) => ({ plugin, write: event(plugin) })),
    );
    expect(failures).to.deep.equal([]);
  });

  for (const jammed of ['First', 'Second', 'Third']) {
    it(`comes from the others when that of ${jammed} throws`, () => {
      const { writes, failures } = undoing(cycle(), profile({ reserves: reserves({}, jammed) }), 'n');
      const others = ['Third', 'Second', 'First'].filter((name) => name !== jammed);
      expect(writes.map(({ plugin }) => plugin)).to.deep.equal(others);
      expect(failures.map(({ plugin, error }) => `${plugin} ${String(error)}`)).to.deep.equal([
        `${jammed} Error: jammed`,
      ]);
    });
  }

  it('is nothing when the node is gone', () => {
    const { writes } = undoing(cycle(), profile({ reserves: reserves({}) }), 'gone');
    expect(writes).to.deep.equal([]);
  });
});
