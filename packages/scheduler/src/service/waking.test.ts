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

  describe('when a node that was promised to another pod', () => {
    const PROMISED: PodShape = {
      schedulerName: 'elsewhere',
      requests: { cpu: '3' },
      spec: { priority: 10 },
      status: { nominatedNodeName: 'promised' },
    };

    beforeEach(async () => {
      world.cluster.createNode(nodeOf('promised'));
      world.cluster.createPod(podOf('first', PROMISED));
      await world.settle();
      await wait();
    });

    const ways: [sentence: string, free: () => void][] = [
      ['is free because that pod is gone', () => world.cluster.deletePod('default', 'first')],
      [
        'is free because that pod is promised another node',
        () => world.cluster.updatePodStatus('default', 'first', { nominatedNodeName: 'full' }),
      ],
      [
        'is free because that pod is promised nothing any more',
        () => world.cluster.updatePodStatus('default', 'first', { nominatedNodeName: '' }),
      ],
      [
        'is free because that pod has finished',
        () => world.cluster.updatePodStatus('default', 'first', { phase: 'Failed' }),
      ],
    ];
    for (const [sentence, free] of ways) {
      it(sentence, async () => {
        free();
        await world.settle();
        await world.advance(15_000);
        expect(world.nodeOf('p')).to.equal('promised');
      });
    }

    it('is free because that pod was placed elsewhere', async () => {
      const { metadata, spec } = world.cluster.objects.get('pods', 'first', 'default');
      world.cluster.objects.update('pods', { metadata, spec: { ...spec, nodeName: 'full' } });
      await world.settle();
      await world.advance(15_000);
      expect(world.nodeOf('p')).to.equal('promised');
    });

    it('but not when that pod takes its place', async () => {
      const attempts = () => world.written.events.length + world.written.series.length;
      const { metadata, spec } = world.cluster.objects.get('pods', 'first', 'default');
      const before = attempts();
      world.cluster.objects.update('pods', { metadata, spec: { ...spec, nodeName: 'promised' } });
      await world.settle();
      await world.advance(200_000);
      expect(world.nodeOf('p')).to.equal(undefined);
      expect(attempts()).to.equal(before);
    });
  });
});
