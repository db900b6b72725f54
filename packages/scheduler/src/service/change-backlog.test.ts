import { nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { ChangeBacklog } from './change-backlog.js';
import { PLAIN, SchedulerWorld, turns } from './scheduler-world.test.js';

function numbers(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

describe('ChangeBacklog', () => {
  it('takes a few changes in at once', () => {
    const taken: number[] = [];
    const backlog = new ChangeBacklog(() => undefined);
    backlog.push([1, 2, 3], (item) => taken.push(item));
    expect([taken, backlog.isRunning]).to.deep.equal([[1, 2, 3], false]);
  });

  it('takes a long list in by slices, and keeps the order of what comes meanwhile', async () => {
    const taken: number[] = [];
    let drained = 0;
    const backlog = new ChangeBacklog(() => {
      drained += 1;
    });
    const take = (item: number) => taken.push(item);
    backlog.push(numbers(0, 1_000), take);
    const sizes = [taken.length];
    backlog.push(numbers(1_000, 1), take);
    const done = backlog.drained();
    for (let turn = 0; turn < 6; turn += 1) {
      await turns(1);
      sizes.push(taken.length);
    }
    await done;
    expect(sizes).to.deep.equal([200, 400, 600, 800, 1_000, 1_001, 1_001]);
    expect(taken).to.deep.equal(numbers(0, 1_001));
    expect([drained, backlog.isRunning]).to.deep.equal([1, false]);
  });

  it('drops what is left when it is closed', async () => {
    const taken: number[] = [];
    const backlog = new ChangeBacklog(() => taken.push(-1));
    backlog.push(numbers(0, 1_000), (item) => taken.push(item));
    const done = backlog.drained();
    backlog.close();
    await done;
    await turns(5);
    backlog.push([5], (item) => taken.push(item));
    expect(taken).to.deep.equal(numbers(0, 200));
  });
});

describe('a scheduler that starts on a large cluster', () => {
  it('gives others a turn between slices, is not ready and places nothing until all is taken in', async () => {
    const world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('n', { cpu: '10' }));
    // By name the resident that fills the node comes last.
    for (let index = 0; index < 1_500; index += 1) {
      world.cluster.createPod(podOf(`p${index}`, { schedulerName: 'packer', requests: { cpu: '1' } }));
    }
    world.cluster.createPod(podOf('z-resident', { nodeName: 'n', requests: { cpu: '10' } }));
    const starting = world.start(PLAIN);
    let turnsTaken = 0;
    let isStarted = false;
    void starting.then(() => {
      isStarted = true;
    });
    while (!isStarted && turnsTaken < 100_000) {
      await turns(1);
      turnsTaken += 1;
    }
    await starting;
    expect(turnsTaken).to.be.above(1_501 / 200);
    expect(world.written.bindings).to.deep.equal([]);
    await world.close();
  });
});
