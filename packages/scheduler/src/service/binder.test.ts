import { ClusterApiError, type ClusterApiErrorCode } from '@catamaran/platform';
import { nodeOf, type PodShape, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { PLAIN, SchedulerWorld, turns } from './scheduler-world.test.js';

const OURS: PodShape = { schedulerName: 'packer', requests: { cpu: '200m' } };

function failure(code: ClusterApiErrorCode, retryAfterMs?: number): ClusterApiError {
  return new ClusterApiError(code, `injected ${code}`, retryAfterMs === undefined ? {} : { retryAfterMs });
}

describe('binding', () => {
  let world: SchedulerWorld;

  beforeEach(async () => {
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n'));
    await world.start();
  });

  afterEach(() => world.close());

  /** The outcome of the first binding; later ones go through. */
  function firstBinding(outcome: (proceed: () => Promise<void>) => Promise<void>): void {
    let isFirst = true;
    world.intercept.bind = (_request, proceed) => {
      if (!isFirst) {
        return proceed();
      }
      isFirst = false;
      return outcome(proceed);
    };
  }

  async function createAndWait(ms: number): Promise<void> {
    world.cluster.createPod(podOf('p', OURS));
    await world.drift(ms);
    await world.settle();
  }

  for (const code of ['timeout', 'unavailable', 'invalid-answer'] as const) {
    it(`that landed though the answer was lost (${code}) is not made again`, async () => {
      firstBinding(async (proceed) => {
        await proceed();
        throw failure(code);
      });
      await createAndWait(1_000);
      expect(world.nodeOf('p')).to.equal('n');
      expect(world.written.bindings).to.have.length(1);
      expect(world.notes('Scheduled')).to.have.length(1);
      expect(world.notes('FailedScheduling')).to.deep.equal([]);
    });

    it(`that did not land (${code}) is made again at once`, async () => {
      firstBinding(() => Promise.reject(failure(code)));
      await createAndWait(900);
      expect(world.nodeOf('p')).to.equal('n');
      expect(world.written.bindings).to.have.length(2);
      expect(world.notes('FailedScheduling')).to.deep.equal([]);
    });
  }

  for (const code of ['not-found', 'gone'] as const) {
    it(`that is answered "${code}" though the pod is there is made again later`, async () => {
      firstBinding(() => Promise.reject(failure(code)));
      await createAndWait(1_000);
      await world.advance(15_000);
      await world.settle();
      expect(world.nodeOf('p')).to.equal('n');
      expect(world.written.bindings).to.have.length(2);
    });
  }

  it('whose echo the watch brings before the answer counts once', async () => {
    firstBinding(async (proceed) => {
      await proceed();
      await turns(20);
    });
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    expect(world.notes('Scheduled')).to.deep.equal(['Successfully assigned default/p to n']);
    expect(world.written.bindings).to.have.length(1);
  });

  it('whose echo comes before a lost answer is a success', async () => {
    firstBinding(async (proceed) => {
      await proceed();
      await turns(20);
      throw failure('timeout');
    });
    await createAndWait(500);
    expect(world.written.bindings).to.have.length(1);
    expect(world.notes('Scheduled')).to.have.length(1);
  });

  it('that conflicts because the pod is on that node already is a success', async () => {
    firstBinding(async (proceed) => {
      await proceed();
      await proceed();
    });
    await createAndWait(500);
    expect(world.notes('Scheduled')).to.have.length(1);
    expect(world.written.bindings).to.have.length(1);
  });

  it('that conflicts because another scheduler was first leaves the pod there', async () => {
    world.cluster.createNode(nodeOf('theirs', { unschedulable: true }));
    firstBinding(async (proceed) => {
      const { namespace, name, uid } = {
        namespace: 'default',
        name: 'p',
        uid: world.pod('p')?.metadata.uid ?? '',
      };
      await world.cluster.bindPod({ namespace, name, uid, nodeName: 'theirs' }, new AbortController().signal);
      await proceed();
    });
    await createAndWait(3_000);
    expect(world.nodeOf('p')).to.equal('theirs');
    expect(world.written.bindings).to.have.length(1);
    expect(world.notes('Scheduled')).to.deep.equal([]);
  });

  it('that conflicts because the pod was replaced by one of the same name binds the new one', async () => {
    firstBinding(async (proceed) => {
      world.cluster.deletePod('default', 'p');
      world.cluster.createPod(podOf('p', OURS));
      await proceed();
    });
    await createAndWait(3_000);
    const uids = world.written.bindings.map(({ uid }) => uid);
    expect(new Set(uids).size).to.equal(2);
    expect(world.nodeOf('p')).to.equal('n');
  });

  it('that conflicts for another reason puts the pod back with a back-off', async () => {
    firstBinding(() => Promise.reject(failure('conflict')));
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    expect(world.nodeOf('p')).to.equal(undefined);
    expect(world.condition('p')).to.include({ status: 'False', reason: 'SchedulerError' });
    await world.advance(1_000);
    expect(world.nodeOf('p')).to.equal('n');
  });

  it('of a pod that was deleted meanwhile gives its place back', async () => {
    world.cluster.createNode(nodeOf('tiny', { cpu: '100m' }));
    firstBinding(async (proceed) => {
      world.cluster.deletePod('default', 'p');
      await proceed();
    });
    world.cluster.createPod(podOf('p', { ...OURS, requests: { cpu: '4' } }));
    await world.settle();
    world.cluster.createPod(podOf('next', { ...OURS, requests: { cpu: '4' } }));
    await world.settle();
    expect(world.nodeOf('next')).to.equal('n');
  });

  it('that fails wakes the pods that waited for its place', async () => {
    let fail: () => void = () => undefined;
    firstBinding(
      () =>
        new Promise((_resolve, reject) => {
          fail = () => reject(failure('forbidden'));
        }),
    );
    world.cluster.createPod(podOf('holder', { ...OURS, requests: { cpu: '4' } }));
    await world.drift(100);
    world.cluster.createPod(podOf('waiting', { ...OURS, requests: { cpu: '4' } }));
    await world.drift(1_500);
    expect(world.condition('waiting')).to.include({ reason: 'Unschedulable' });
    fail();
    await world.drift(100);
    expect(world.nodeOf('waiting')).to.equal('n');
  });

  it('that fails for many pods is logged once until one succeeds', async () => {
    let isForbidden = true;
    world.intercept.bind = (_request, proceed) =>
      isForbidden ? Promise.reject(failure('forbidden')) : proceed();
    for (const name of ['a', 'b', 'c']) {
      world.cluster.createPod(podOf(name, OURS));
    }
    await world.settle();
    await world.advance(5_000);
    const warned = () => world.logged('binding failed, the pod will be tried again').length;
    expect(warned()).to.equal(1);
    isForbidden = false;
    await world.advance(20_000);
    expect(['a', 'b', 'c'].map((name) => world.nodeOf(name))).to.deep.equal(['n', 'n', 'n']);
    isForbidden = true;
    world.cluster.createPod(podOf('d', OURS));
    await world.settle();
    expect(warned()).to.equal(2);
  });

  it('that is throttled waits as long as asked, and is then made', async () => {
    firstBinding(() => Promise.reject(failure('throttled', 2_000)));
    world.cluster.createPod(podOf('p', OURS));
    await world.drift(1_900);
    expect(world.written.bindings).to.have.length(1);
    await world.drift(200);
    await world.settle();
    expect(world.nodeOf('p')).to.equal('n');
  });

  for (const code of ['forbidden', 'unauthorized', 'rejected'] as const) {
    it(`that is refused (${code}) is not repeated within the attempt`, async () => {
      firstBinding(() => Promise.reject(failure(code)));
      world.cluster.createPod(podOf('p', OURS));
      await world.settle();
      expect(world.written.bindings).to.have.length(1);
      expect(world.condition('p')?.message).to.equal(`binding rejected: injected ${code}`);
      await world.advance(1_000);
      expect(world.nodeOf('p')).to.equal('n');
    });
  }

  it('never lands twice while the server keeps failing after the fact', async () => {
    let landed = 0;
    world.intercept.bind = async (_request, proceed) => {
      await proceed();
      landed += 1;
      throw failure('timeout');
    };
    let reads = 0;
    world.intercept.getPod = (proceed) => {
      reads += 1;
      return reads < 4 ? Promise.reject(failure('unavailable')) : proceed();
    };
    await createAndWait(5_000);
    expect(landed).to.equal(1);
    expect(world.written.bindings).to.have.length(1);
    expect(world.notes('Scheduled')).to.have.length(1);
  });

  it('of which only the watch can say that it landed is no failure', async () => {
    world.intercept.bind = async (_request, proceed) => {
      await proceed();
      throw failure('timeout');
    };
    world.intercept.getPod = () => Promise.reject(failure('unavailable'));
    world.cluster.createPod(podOf('p', OURS));
    await world.drift(5_000);
    await world.settle();
    expect(world.nodeOf('p')).to.equal('n');
    expect(world.written.conditions).to.deep.equal([]);
    expect(world.notes('FailedScheduling')).to.deep.equal([]);
  });

  it('of which nobody can say how it ended keeps its place, until somebody can', async () => {
    let isDown = true;
    world.intercept.bind = (_request, proceed) => (isDown ? Promise.reject(failure('timeout')) : proceed());
    world.intercept.getPod = (proceed) => (isDown ? Promise.reject(failure('unavailable')) : proceed());
    world.cluster.createPod(podOf('p', { ...OURS, requests: { cpu: '3' } }));
    await world.drift(1_000);
    world.cluster.createPod(podOf('other', { ...OURS, requests: { cpu: '3' } }));
    await world.drift(600_000, 5_000);
    expect(world.condition('other')?.message).to.equal('0/1 nodes are available: 1 Insufficient cpu.');
    expect(world.written.conditions.map(({ name }) => name)).not.to.include('p');
    isDown = false;
    await world.drift(60_000, 1_000);
    await world.settle();
    expect([world.nodeOf('p'), world.nodeOf('other')]).to.deep.equal(['n', undefined]);
    expect(new Set(world.written.bindings.map(({ nodeName }) => nodeName))).to.deep.equal(new Set(['n']));
  });

  it('that landed while watch and reads were away is found there, and nothing takes its place meanwhile', async () => {
    world.intercept.bind = async (_request, proceed) => {
      world.intercept.getPod = () => Promise.reject(failure('unavailable'));
      world.cutOff = true;
      await proceed();
      throw failure('timeout');
    };
    world.cluster.createPod(podOf('p', { ...OURS, requests: { cpu: '3' } }));
    await world.drift(60_000, 1_000);
    expect(world.nodeOf('p')).to.equal('n');
    world.intercept.bind = (_request, proceed) => proceed();
    world.cutOff = false;
    world.cluster.createPod(podOf('other', { ...OURS, requests: { cpu: '3' } }));
    await world.drift(60_000, 1_000);
    await world.settle();
    expect(world.nodeOf('other')).to.equal(undefined);
    expect(world.notes('Scheduled')).to.deep.equal(['Successfully assigned default/p to n']);
    expect(world.written.bindings).to.have.length(1);
  });

  it('that the watch would never show is read after a minute, and the answer holds', async () => {
    // The watch of pods goes on, but without this one.
    let isHidden = false;
    world.intercept.tamper = (object) =>
      isHidden && object.metadata.name === 'p' ? { ...object, spec: { nodeName: 7 } } : object;
    world.intercept.bind = async (_request, proceed) => {
      isHidden = true;
      await proceed();
    };
    world.cluster.createPod(podOf('p', { ...OURS, requests: { cpu: '3' } }));
    await world.drift(1_000);
    let reads = 0;
    world.intercept.getPod = (proceed) => {
      reads += 1;
      return proceed();
    };
    await world.drift(59_000, 1_000);
    expect(reads).to.equal(0);
    await world.drift(2_000, 1_000);
    expect(reads).to.equal(1);
    await world.settle();
    await world.drift(600_000, 10_000);
    expect(reads).to.equal(1);
  });

  it('that hangs gives its slot to the next after a second', async () => {
    await world.close();
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n'));
    world.intercept.bind = (request, proceed) =>
      request.name.startsWith('hung') ? new Promise(() => undefined) : proceed();
    for (const name of ['hung-1', 'hung-2', 'hung-3', 'next']) {
      world.cluster.createPod(podOf(name, { ...OURS, requests: { cpu: '1m' } }));
    }
    const starting = world.start(undefined, { maxBindingsInFlight: 3 });
    await world.drift(900);
    expect(world.nodeOf('next')).to.equal(undefined);
    await world.drift(200);
    expect(world.nodeOf('next')).to.equal('n');
    const closing = world.close();
    await world.drift(4_000);
    await Promise.all([closing, starting.catch(() => undefined)]);
    world = new SchedulerWorld();
  });

  it('that hangs again, with many others, holds up nobody', async () => {
    await world.close();
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n', { cpu: '1000', pods: '1000' }));
    world.intercept.bind = (request, proceed) =>
      request.name.startsWith('hung') ? new Promise(() => undefined) : proceed();
    const create = (name: string) =>
      world.cluster.createPod(podOf(name, { ...OURS, requests: { cpu: '1m' } }));
    for (let index = 0; index < 300; index += 1) create(`hung-${index}`);
    // Each attempt takes a turn.
    const pass = async (seconds: number): Promise<void> => {
      for (let half = 0; half < 2 * seconds; half += 1) {
        await world.clock.advanceBy(500);
        await turns(150);
      }
    };
    const starting = world.start(PLAIN, { maxBindingsInFlight: 64 });
    await pass(3);
    create('first');
    await pass(3);
    expect(world.nodeOf('first')).to.equal('n');
    // All of them are given up, read and tried again.
    await pass(32);
    create('second');
    await pass(0.5);
    expect(world.nodeOf('second')).to.equal('n');
    expect(world.written.bindings.length).to.be.greaterThan(400);
    const closing = world.close();
    await pass(4);
    await Promise.all([closing, starting.catch(() => undefined)]);
    world = new SchedulerWorld();
  });

  it('that hangs ends with its deadline, and is looked into', async () => {
    let isFirst = true;
    world.intercept.bind = (_request, proceed) => {
      if (!isFirst) return proceed();
      isFirst = false;
      return new Promise(() => undefined);
    };
    world.cluster.createPod(podOf('p', OURS));
    await world.drift(34_000, 500);
    expect(world.nodeOf('p')).to.equal(undefined);
    await world.drift(2_000, 500);
    await world.settle();
    expect(world.nodeOf('p')).to.equal('n');
    expect(world.written.bindings).to.have.length(2);
  });

  it('holds no slot while it waits for its next try', async () => {
    await world.close();
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n'));
    world.intercept.bind = (request, proceed) =>
      request.name.startsWith('busy') ? Promise.reject(failure('throttled', 20_000)) : proceed();
    for (const name of ['busy-1', 'busy-2', 'good']) {
      world.cluster.createPod(podOf(name, { ...OURS, requests: { cpu: '1m' } }));
    }
    const starting = world.start(undefined, { maxBindingsInFlight: 1 });
    await world.drift(500);
    expect(world.nodeOf('good')).to.equal('n');
    expect(world.written.bindings).to.have.length(3);
    world.intercept.bind = (_request, proceed) => proceed();
    await world.drift(21_000, 500);
    await starting;
    expect(['busy-1', 'busy-2'].map((name) => world.nodeOf(name))).to.deep.equal(['n', 'n']);
  });

  it('keeps at most as many calls under way as allowed', async () => {
    await world.close();
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n'));
    let open = 0;
    let most = 0;
    world.intercept.bind = async (_request, proceed) => {
      open += 1;
      most = Math.max(most, open);
      await turns(10);
      open -= 1;
      await proceed();
    };
    for (let index = 0; index < 20; index++) {
      world.cluster.createPod(podOf(`p${index}`, { ...OURS, requests: { cpu: '1m' } }));
    }
    await world.start(undefined, { maxBindingsInFlight: 4 });
    expect(most).to.equal(4);
    expect(world.written.bindings).to.have.length(20);
  });

  it('that hangs holds up the close by two seconds at most', async () => {
    world.intercept.bind = () => new Promise(() => undefined);
    world.cluster.createPod(podOf('p', OURS));
    await world.drift(100);
    let isClosed = false;
    const closing = world.close().then(() => {
      isClosed = true;
    });
    await world.drift(1_800);
    expect(isClosed).to.equal(false);
    await world.drift(300);
    expect(isClosed).to.equal(true);
    await closing;
  });
});
