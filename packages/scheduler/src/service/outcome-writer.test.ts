import { ClusterApiError } from '@catamaran/platform';
import { nodeOf, type PodShape, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { PLAIN, SchedulerWorld } from './scheduler-world.test.js';

const BIG: PodShape = { schedulerName: 'packer', requests: { cpu: '2' } };

describe('the PodScheduled condition', () => {
  let world: SchedulerWorld;

  beforeEach(async () => {
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('a', { cpu: '1' }));
    await world.start(PLAIN);
  });

  afterEach(() => world.close());

  function messages(): readonly (string | undefined)[] {
    return world.written.conditions.map(({ condition }) => condition.message);
  }

  it('has reason, message, time and the generation it was made for', async () => {
    world.cluster.createPod(podOf('p', { ...BIG, metadata: { generation: 3 } }));
    await world.settle();
    expect(world.written.conditions).to.deep.equal([
      {
        namespace: 'default',
        name: 'p',
        condition: {
          type: 'PodScheduled',
          status: 'False',
          reason: 'Unschedulable',
          message: '0/1 nodes are available: 1 Insufficient cpu.',
          lastTransitionTime: '2026-01-01T00:00:00Z',
          observedGeneration: 3,
        },
      },
    ]);
  });

  it('is written again when the answer changes, with the time of the first', async () => {
    world.cluster.createPod(podOf('p', BIG));
    await world.settle();
    world.cluster.createNode(nodeOf('b', { cpu: '1', labels: { zone: 'x' } }));
    await world.advance(300_000);
    expect(messages()).to.deep.equal([
      '0/1 nodes are available: 1 Insufficient cpu.',
      '0/2 nodes are available: 2 Insufficient cpu.',
    ]);
    expect(world.condition('p')?.lastTransitionTime).to.equal('2026-01-01T00:00:00Z');
  });

  it('is not written when the pod says so already, as after a restart', async () => {
    world.cluster.createPod(podOf('p', BIG));
    await world.settle();
    await world.close();
    await world.start(PLAIN);
    expect(world.written.conditions).to.have.length(1);
  });

  it('is tried again with the next attempt when the write failed', async () => {
    let isFirst = true;
    world.intercept.patch = (proceed) => {
      if (isFirst) {
        isFirst = false;
        return Promise.reject(new ClusterApiError('unavailable', 'injected'));
      }
      return proceed();
    };
    world.cluster.createPod(podOf('p', BIG));
    await world.settle();
    expect(world.condition('p')).to.equal(undefined);
    await world.advance(300_000);
    expect(world.condition('p')?.reason).to.equal('Unschedulable');
  });

  it('without any node says so', async () => {
    world.cluster.deleteNode('a');
    world.cluster.createPod(podOf('p', BIG));
    await world.settle();
    expect(messages()).to.deep.equal(['no nodes available to schedule pods']);
  });
});

describe('clientConnection', () => {
  it('bounds the bindings to burst and rate', async () => {
    const world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n'));
    for (let index = 0; index < 10; index++) {
      world.cluster.createPod(podOf(`p${index}`, { schedulerName: 'packer', requests: { cpu: '1m' } }));
    }
    const starting = world.start(PLAIN.replace('qps: -1', 'qps: 2, burst: 3'));
    const boundAfter: number[] = [];
    for (const ms of [100, 1_000, 1_000, 2_000]) {
      await world.drift(ms, 100);
      boundAfter.push(world.written.bindings.length);
    }
    expect(boundAfter).to.deep.equal([3, 5, 7, 10]);
    await world.drift(20_000, 500);
    await starting;
    await world.close();
  });
});
