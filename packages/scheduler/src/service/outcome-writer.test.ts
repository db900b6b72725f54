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

  /** The next writes fail so often. */
  function failWrites(times: number, error: ClusterApiError): void {
    let left = times;
    world.intercept.patch = (proceed) => {
      left -= 1;
      return left >= 0 ? Promise.reject(error) : proceed();
    };
  }

  for (const code of ['throttled', 'unavailable', 'timeout'] as const) {
    it(`is written again by itself when the server could not (${code})`, async () => {
      failWrites(2, new ClusterApiError(code, 'injected'));
      world.cluster.createPod(podOf('p', BIG));
      await world.settle();
      expect(world.condition('p')).to.equal(undefined);
      await world.advance(5_000);
      expect(world.condition('p')?.reason).to.equal('Unschedulable');
      expect(world.written.conditions).to.have.length(3);
      expect(world.notes('FailedScheduling')).to.have.length(1);
    });
  }

  it('is written as late as the server asks', async () => {
    failWrites(1, new ClusterApiError('throttled', 'injected', { retryAfterMs: 20_000 }));
    world.cluster.createPod(podOf('p', BIG));
    await world.settle();
    await world.advance(19_000);
    expect(world.condition('p')).to.equal(undefined);
    await world.advance(2_000);
    expect(world.condition('p')?.reason).to.equal('Unschedulable');
  });

  it('that was refused is tried again with the next attempt', async () => {
    failWrites(1, new ClusterApiError('forbidden', 'injected'));
    world.cluster.createPod(podOf('p', BIG));
    await world.settle();
    await world.advance(290_000);
    expect(world.condition('p')).to.equal(undefined);
    await world.advance(20_000);
    expect(world.condition('p')?.reason).to.equal('Unschedulable');
  });

  it('that waits for its next try is dropped when the pod is bound or gone meanwhile', async () => {
    failWrites(2, new ClusterApiError('throttled', 'injected', { retryAfterMs: 30_000 }));
    world.cluster.createPod(podOf('bound', BIG));
    world.cluster.createPod(podOf('gone', BIG));
    await world.settle();
    world.cluster.createNode(nodeOf('large', { cpu: '8' }));
    world.cluster.deletePod('default', 'gone');
    await world.advance(15_000);
    expect(world.nodeOf('bound')).to.equal('large');
    await world.advance(60_000);
    expect(world.written.conditions).to.have.length(2);
  });

  it('that waits for its next try gives way to a newer one', async () => {
    failWrites(1, new ClusterApiError('throttled', 'injected', { retryAfterMs: 30_000 }));
    world.cluster.createPod(podOf('p', BIG));
    await world.settle();
    world.cluster.createNode(nodeOf('b', { cpu: '1' }));
    await world.settle();
    const { metadata, spec } = world.cluster.objects.get('pods', 'p', 'default');
    world.cluster.objects.update('pods', {
      metadata,
      spec: { ...spec, tolerations: [{ operator: 'Exists' }] },
    });
    await world.settle();
    await world.advance(60_000);
    expect(messages()).to.deep.equal([
      '0/1 nodes are available: 1 Insufficient cpu.',
      '0/2 nodes are available: 2 Insufficient cpu.',
    ]);
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

describe('what waits to be written at the end', () => {
  let world: SchedulerWorld;

  beforeEach(async () => {
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n'));
    await world.start(PLAIN.replace('qps: -1', 'qps: 100, burst: 1'));
  });

  it('is sent before the service closes', async () => {
    for (let index = 0; index < 20; index++) {
      world.cluster.createPod(podOf(`p${index}`, { schedulerName: 'packer', requests: { cpu: '1m' } }));
    }
    let sent = 0;
    world.intercept.event = async (proceed) => {
      await world.clock.sleep(500);
      await proceed();
      sent += 1;
    };
    await world.drift(300, 10);
    const before = sent;
    const closing = world.close();
    await world.drift(3_000);
    await closing;
    expect([before, sent]).to.deep.equal([0, 20]);
  });

  it('and can not be sent in time is counted and said, and does not hold up the end', async () => {
    world.intercept.event = () => new Promise(() => undefined);
    for (let index = 0; index < 5; index++) {
      world.cluster.createPod(podOf(`p${index}`, { schedulerName: 'packer', requests: { cpu: '1m' } }));
    }
    await world.drift(1_000);
    let isClosed = false;
    const closing = world.close().then(() => {
      isClosed = true;
    });
    await world.drift(3_600);
    expect(isClosed).to.equal(true);
    await closing;
    expect(
      world.logged('not everything could be sent before the end').map(({ fields }) => fields),
    ).to.deep.equal([{ what: 'events', left: 5 }]);
    expect((await world.metrics.render()).body).to.include(
      'catamaran_scheduler_dropped_writes_total{what="events"} 5',
    );
  });
});
