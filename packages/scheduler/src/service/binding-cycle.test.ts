import { ClusterApiError } from '@catamaran/platform';
import { nodeOf, type PodShape, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import type { PreBindOutcome } from '../core/framework/plugin.js';
import type { PluginDefinition, PluginParts } from '../core/framework/plugin-definition.js';
import { exampleLicence } from '../core/plugins/example-licence/plugin.js';
import { configOf, PLAIN, SchedulerWorld } from './scheduler-world.test.js';

const NEEDS = { 'example.com/needs-licence': '' };
const OURS: PodShape = { schedulerName: 'packer', requests: { cpu: '1' } };
const LICENSED: PodShape = { ...OURS, labels: NEEDS };

const POINTS = ['filter', 'postFilter', 'score', 'reserve', 'permit', 'preBind', 'bind'] as const;

/** The default profile with a plugin first at every point. */
function configWith(name: string): SchedulerConfig {
  const config = configOf(PLAIN);
  const profiles = config.profiles.map((profile) => {
    const plugins = { ...profile.plugins };
    for (const point of POINTS) plugins[point] = [{ name, weight: 1 }, ...plugins[point]];
    return { ...profile, plugins };
  });
  return { ...config, profiles };
}

function definition(name: string, parts: PluginParts): PluginDefinition {
  return { name, create: () => parts };
}

describe('between the choice of a node and the binding', () => {
  let world: SchedulerWorld;

  beforeEach(() => {
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n', { labels: { 'example.com/licences': '1' } }));
  });

  afterEach(() => world.close());

  async function start(plugin: PluginDefinition): Promise<void> {
    await world.start(PLAIN, { config: configWith(plugin.name), plugins: [plugin] });
  }

  function startPreBind(outcome: () => PreBindOutcome): Promise<void> {
    const unreserve = (note: string) => () =>
      [{ kind: 'event', type: 'Normal', reason: 'Undone', action: 'Unreserving', note }] as const;
    const name = 'Test';
    return start(
      definition(name, {
        reserve: { name, reserve: () => undefined, unreserve: unreserve('given back') },
        preBind: { name, preBind: outcome },
      }),
    );
  }

  it('PreBind writes are made first, then the pod is bound', async () => {
    await start(exampleLicence);
    const order: string[] = [];
    world.intercept.patch = (proceed) => {
      order.push(`write ${world.written.conditions.at(-1)?.condition.type}`);
      return proceed();
    };
    world.intercept.bind = (_request, proceed) => {
      order.push('bind');
      return proceed();
    };
    world.cluster.createPod(podOf('p', LICENSED));
    await world.settle();
    expect(order).to.deep.equal(['write example.com/Licensed', 'bind']);
    expect(world.nodeOf('p')).to.equal('n');
    const licensed = world.pod('p')?.status?.conditions?.find(({ type }) => type === 'example.com/Licensed');
    expect(licensed).to.include({ status: 'True', reason: 'LicenceTaken' });
  });

  it('a write that fails ends the attempt: undone, forgotten, tried again with a back-off', async () => {
    await start(exampleLicence);
    let isBroken = true;
    world.intercept.patch = (proceed) =>
      isBroken ? Promise.reject(new ClusterApiError('forbidden', 'injected')) : proceed();
    world.cluster.createPod(podOf('p', LICENSED));
    await world.settle();
    expect(world.written.bindings).to.deep.equal([]);
    expect(world.notes('LicenceFreed')).to.deep.equal(['the licence is free again']);
    expect(world.notes('FailedScheduling')).to.deep.equal([
      'binding rejected: PreBind plugin "ExampleLicence": injected',
    ]);
    isBroken = false;
    await world.advance(1_000);
    expect(world.nodeOf('p')).to.equal('n');
  });

  it('a PreBind refusal is undone, and the place is free for others at once', async () => {
    let asked = 0;
    await startPreBind(() => {
      asked += 1;
      const rejection = { plugin: 'Test', code: 'Unschedulable', reasons: ['not before noon'] } as const;
      return asked === 1 ? { kind: 'reject', rejection } : { kind: 'skip' };
    });
    world.cluster.createPod(podOf('p', { ...OURS, requests: { cpu: '4' } }));
    await world.settle();
    expect(world.condition('p')).to.include({ reason: 'Unschedulable', message: 'not before noon' });
    expect(world.notes('Undone')).to.deep.equal(['given back']);
    world.cluster.createPod(podOf('q', { ...OURS, requests: { cpu: '4' } }));
    await world.settle();
    expect(world.nodeOf('q')).to.equal('n');
  });

  it('a pod that PreBind refuses again and again is not woken by its own going', async () => {
    const rejection = { plugin: 'Test', code: 'Unschedulable', reasons: ['never'] } as const;
    let asked = 0;
    await startPreBind(() => {
      asked += 1;
      return { kind: 'reject', rejection };
    });
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    await world.advance(200_000);
    expect(asked).to.equal(1);
  });

  it('a plugin that throws is an error of the attempt, not the end of the loop', async () => {
    await startPreBind(() => {
      throw new Error('out of ink');
    });
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    expect(world.condition('p')).to.include({ reason: 'SchedulerError', message: 'out of ink' });
  });

  it('an Unreserve that throws does not keep the place taken', async () => {
    const name = 'Test';
    const rejection = { plugin: name, code: 'Unschedulable', reasons: ['not p'] } as const;
    await start(
      definition(name, {
        reserve: {
          name,
          reserve: () => undefined,
          unreserve: () => {
            throw new Error('jammed');
          },
        },
        preBind: {
          name,
          preBind: ({ pod }) =>
            pod.pod.metadata.name === 'p' ? { kind: 'reject', rejection } : { kind: 'skip' },
        },
      }),
    );
    world.cluster.createPod(podOf('p', { ...OURS, requests: { cpu: '4' } }));
    await world.settle();
    expect(world.logged('Unreserve failed')).to.have.length(1);
    world.cluster.createPod(podOf('q', { ...OURS, requests: { cpu: '4' } }));
    await world.settle();
    expect(world.nodeOf('q')).to.equal('n');
  });

  for (const [sentence, permit] of [
    ['refuses', () => ({ plugin: 'Test', code: 'Unschedulable', reasons: ['closed'] }) as const],
    [
      'throws',
      () => {
        throw new Error('closed');
      },
    ],
  ] as const) {
    it(`a Permit that ${sentence} after Reserve is undone once, and the place is free`, async () => {
      const name = 'Test';
      const unreserve = () =>
        [{ kind: 'event', type: 'Normal', reason: 'Undone', action: 'Unreserving', note: 'x' }] as const;
      await start(
        definition(name, {
          reserve: { name, reserve: () => undefined, unreserve },
          permit: { name, permit: ({ pod }) => (pod.pod.metadata.name === 'p' ? permit() : undefined) },
        }),
      );
      world.cluster.createPod(podOf('p', { ...OURS, requests: { cpu: '4' } }));
      await world.settle();
      expect(world.notes('Undone')).to.deep.equal(['x']);
      expect(world.condition('p')).to.include({ status: 'False', message: 'closed' });
      world.cluster.createPod(podOf('q', { ...OURS, requests: { cpu: '4' } }));
      await world.settle();
      expect(world.nodeOf('q')).to.equal('n');
    });
  }

  it('a binding that fails is undone too', async () => {
    await startPreBind(() => ({ kind: 'skip' }));
    let isBroken = true;
    world.intercept.bind = (_request, proceed) =>
      isBroken ? Promise.reject(new ClusterApiError('forbidden', 'injected')) : proceed();
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    expect(world.notes('Undone')).to.deep.equal(['given back']);
    isBroken = false;
    await world.advance(1_000);
    expect(world.nodeOf('p')).to.equal('n');
    expect(world.notes('Undone')).to.have.length(1);
  });

  it('a pod that is deleted while PreBind writes are made is not bound', async () => {
    await start(exampleLicence);
    world.intercept.patch = async (proceed) => {
      await proceed();
      world.cluster.deletePod('default', 'p');
      await new Promise(() => undefined);
    };
    world.cluster.createPod(podOf('p', LICENSED));
    await world.drift(200);
    await world.settle();
    expect(world.written.bindings).to.deep.equal([]);
    world.intercept.patch = (proceed) => proceed();
    world.cluster.createPod(podOf('q', LICENSED));
    await world.settle();
    expect(world.nodeOf('q')).to.equal('n');
  });
});
