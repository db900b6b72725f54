import { nodeOf, type PodShape, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { SchedulerWorld } from './scheduler-world.test.js';

const OURS: PodShape = { schedulerName: 'packer', requests: { cpu: '3' } };
const NOT_READY = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' as const }];

/** A pod that several things keep away, one after the other: each that goes away must be noticed. */
describe('a waiting pod is tried again', () => {
  let world: SchedulerWorld;

  beforeEach(async () => {
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('full', { allocatable: { cpu: '1', memory: '8Gi', pods: '10' } }));
    await world.start();
  });

  afterEach(() => world.close());

  async function wait(): Promise<void> {
    world.cluster.createPod(podOf('p', OURS));
    await world.settle();
    expect(world.nodeOf('p')).to.equal(undefined);
    await world.advance(15_000);
  }

  const cases: [sentence: string, before: object, after: object][] = [
    ['when a node that came with a taint loses it', { taints: NOT_READY }, {}],
    ['when a node that came cordoned is uncordoned', { unschedulable: true }, {}],
    [
      'when a node that came with a taint, then cordoned, is free of both',
      { taints: NOT_READY, unschedulable: true },
      {},
    ],
  ];
  for (const [sentence, before, after] of cases) {
    it(sentence, async () => {
      await wait();
      world.cluster.createNode(nodeOf('new', before));
      await world.settle();
      await world.advance(15_000);
      expect(world.nodeOf('p')).to.equal(undefined);
      world.cluster.updateNode(nodeOf('new', after));
      await world.settle();
      await world.advance(15_000);
      expect(world.nodeOf('p')).to.equal('new');
    });
  }

  it('when a node that was tainted and full is first opened and then freed', async () => {
    world.cluster.createNode(nodeOf('busy', { taints: NOT_READY }));
    world.cluster.createPod(podOf('old', { ...OURS, nodeName: 'busy' }));
    await world.settle();
    await wait();
    world.cluster.updateNode(nodeOf('busy', {}));
    await world.settle();
    await world.advance(15_000);
    expect(world.nodeOf('p')).to.equal(undefined);
    world.cluster.deletePod('default', 'old');
    await world.settle();
    await world.advance(15_000);
    expect(world.nodeOf('p')).to.equal('busy');
  });
});
