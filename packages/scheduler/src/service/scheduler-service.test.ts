import { MetricsRegistry } from '@catamaran/platform';
import { nodeOf, type PodShape, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { PACKING, PLAIN, SchedulerWorld, START_MS } from './scheduler-world.test.js';

const OURS: PodShape = { schedulerName: 'packer', requests: { cpu: '200m', memory: '100Mi' } };

describe('SchedulerService', () => {
  let world: SchedulerWorld;

  beforeEach(() => {
    world = new SchedulerWorld();
  });

  afterEach(() => world.close());

  describe('places pods', () => {
    it('that waited before it started, on the node nearest the target', async () => {
      world.cluster.createNode(nodeOf('idle'));
      world.cluster.createNode(nodeOf('warm'));
      world.cluster.createNode(nodeOf('hot'));
      world.watcher.tell({ idle: 2, warm: 25, hot: 70 }, START_MS - 10_000);
      world.cluster.createPod(podOf('a', OURS));
      await world.start();
      expect(world.nodeOf('a')).to.equal('warm');
      expect(world.notes('Scheduled')).to.deep.equal(['Successfully assigned default/a to warm']);
    });

    it('and counts those it just placed, though the figures do not show them', async () => {
      world.cluster.createNode(nodeOf('a'));
      world.cluster.createNode(nodeOf('b'));
      world.watcher.tell({ a: 30, b: 20 }, START_MS);
      await world.start();
      // 4 cores: each pod is expected to use 300m, 7.5 %. a takes one (37.5 %) and would then be above 40.
      for (const name of ['1', '2', '3']) {
        world.cluster.createPod(podOf(name, OURS));
        await world.settle();
      }
      expect(['1', '2', '3'].map((name) => world.nodeOf(name))).to.deep.equal(['a', 'b', 'b']);
    });

    it('and goes by new figures when they come', async () => {
      world.cluster.createNode(nodeOf('a'));
      world.cluster.createNode(nodeOf('b'));
      world.watcher.tell({ a: 30, b: 10 }, START_MS);
      await world.start();
      world.watcher.tell({ a: 90, b: 10 }, START_MS + 30_000);
      await world.advance(30_000);
      world.cluster.createPod(podOf('late', OURS));
      await world.settle();
      expect(world.nodeOf('late')).to.equal('b');
    });

    it('of its own profiles only', async () => {
      world.cluster.createNode(nodeOf('n'));
      world.cluster.createPod(podOf('ours', OURS));
      world.cluster.createPod(podOf('theirs', { ...OURS, schedulerName: 'default-scheduler' }));
      await world.start();
      expect([world.nodeOf('ours'), world.nodeOf('theirs')]).to.deep.equal(['n', undefined]);
    });

    it('never on a cordoned node, unless the pod tolerates it (C73)', async () => {
      world.cluster.createNode(nodeOf('cordoned', { unschedulable: true }));
      world.cluster.createNode(nodeOf('busy'));
      world.watcher.tell({ cordoned: 30, busy: 90 }, START_MS);
      await world.start();
      const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }];
      world.cluster.createPod(podOf('plain', OURS));
      world.cluster.createPod(podOf('tolerant', { ...OURS, spec: { tolerations } }));
      await world.settle();
      expect([world.nodeOf('plain'), world.nodeOf('tolerant')]).to.deep.equal(['busy', 'cordoned']);
    });

    it('once, with two schedulers of different profiles in one process', async () => {
      world.cluster.createNode(nodeOf('n'));
      await world.start();
      await world.start(PLAIN.replace('packer', 'other'), {}, new MetricsRegistry());
      for (let index = 0; index < 10; index++) {
        world.cluster.createPod(
          podOf(`p${index}`, { ...OURS, schedulerName: index % 2 ? 'packer' : 'other' }),
        );
      }
      await world.settle();
      expect(world.written.bindings).to.have.length(10);
      expect(new Set(world.written.bindings.map(({ name }) => name)).size).to.equal(10);
    });
  });

  describe('after a restart', () => {
    it('does not count pods twice that have been running for long (C64)', async () => {
      world.cluster.createNode(nodeOf('n'));
      world.cluster.createNode(nodeOf('other', { unschedulable: true }));
      const assignedLongAgo = {
        conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2025-12-31T20:00:00Z' }],
      };
      for (let index = 0; index < 6; index++) {
        world.cluster.createPod(
          podOf(`running${index}`, { ...OURS, nodeName: 'n', status: assignedLongAgo }),
        );
      }
      world.watcher.tell({ n: 30 }, START_MS);
      const service = await world.start();
      const info = service.explainer.hypothetical(
        podOf('p', { schedulerName: 'packer', requests: { cpu: '0' } }),
      );
      // Counted twice it would be 75 %.
      const { inputs } = info.nodes.find(({ name }) => name === 'n') ?? {};
      expect(inputs?.TargetLoadPacking).to.include({
        measuredPercent: 30,
        unmeasuredPods: 0,
        expectedPercent: 30,
      });
    });
  });

  describe('a pod that fits nowhere', () => {
    it('is told why, in condition and event', async () => {
      world.cluster.createNode(nodeOf('a', { cpu: '1' }));
      world.cluster.createNode(nodeOf('b', { cpu: '1' }));
      await world.start();
      world.cluster.createPod(podOf('big', { ...OURS, requests: { cpu: '2' } }));
      await world.settle();
      const text = '0/2 nodes are available: 2 Insufficient cpu.';
      expect(world.condition('big')).to.include({ status: 'False', reason: 'Unschedulable', message: text });
      expect(world.notes('FailedScheduling')).to.deep.equal([text]);
    });

    it('is placed when a node comes that has room', async () => {
      world.cluster.createNode(nodeOf('small', { cpu: '1' }));
      await world.start();
      world.cluster.createPod(podOf('big', { ...OURS, requests: { cpu: '2' } }));
      await world.settle();
      world.cluster.createNode(nodeOf('large', { cpu: '8' }));
      await world.settle();
      expect(world.nodeOf('big')).to.equal('large');
    });

    it('is left alone by a node that comes without room', async () => {
      const service = await world.start();
      world.cluster.createNode(nodeOf('small', { cpu: '1' }));
      world.cluster.createPod(podOf('big', { ...OURS, requests: { cpu: '2' } }));
      await world.settle();
      world.cluster.createNode(nodeOf('small-too', { cpu: '1' }));
      await world.advance(60_000);
      expect(service.decisions.newest('default/big')).to.have.length(1);
    });

    it('is placed when a pod goes whose place it needs', async () => {
      world.cluster.createNode(nodeOf('n', { cpu: '1' }));
      await world.start();
      world.cluster.createPod(podOf('first', { ...OURS, requests: { cpu: '800m' } }));
      await world.settle();
      world.cluster.createPod(podOf('second', { ...OURS, requests: { cpu: '800m' } }));
      await world.settle();
      world.cluster.deletePod('default', 'first');
      await world.settle();
      expect(world.nodeOf('second')).to.equal('n');
    });

    it('gets one condition and one series for the same answer again and again', async () => {
      world.cluster.createNode(nodeOf('n', { cpu: '1' }));
      await world.start();
      world.cluster.createPod(podOf('big', { ...OURS, requests: { cpu: '2' } }));
      await world.settle();
      await world.advance(5 * 60_000);
      expect(world.written.conditions).to.have.length(1);
      expect(world.written.events).to.have.length(1);
      expect(world.written.series.map(({ count }) => count)).to.deep.equal([2]);
    });

    it('is an error of ours when it asks for what is not built: named, and no autoscaler is woken', async () => {
      world.cluster.createNode(nodeOf('n'));
      await world.start();
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }];
      world.cluster.createPod(podOf('claim', { ...OURS, spec: { volumes } }));
      await world.settle();
      expect(world.nodeOf('claim')).to.equal(undefined);
      expect(world.condition('claim')?.reason).to.equal('SchedulerError');
      expect(world.condition('claim')?.message).to.match(/persistentVolumeClaim volumes.*extender/);
      world.cluster.createNode(nodeOf('n2'));
      await world.advance(60_000);
      expect(world.notes('FailedScheduling')).to.have.length(1);
    });

    it('does not hold up others', async () => {
      world.cluster.createNode(nodeOf('n'));
      await world.start();
      world.cluster.createPod(
        podOf('urgent', { ...OURS, requests: { cpu: '99' }, spec: { priority: 1000 } }),
      );
      world.cluster.createPod(podOf('modest', OURS));
      await world.settle();
      expect(world.nodeOf('modest')).to.equal('n');
    });
  });

  it('passes over a pod that is being deleted, and says so', async () => {
    world.cluster.createNode(nodeOf('n'));
    await world.start();
    world.cluster.createPod(
      podOf('going', { ...OURS, metadata: { deletionTimestamp: '2026-01-01T00:00:10Z' } }),
    );
    await world.settle();
    expect(world.written.bindings).to.deep.equal([]);
    expect(world.notes('FailedScheduling')).to.deep.equal(['skip schedule deleting pod: default/going']);
  });

  describe('a gated pod', () => {
    it('waits, without a word, until its gates are gone', async () => {
      world.cluster.createNode(nodeOf('n'));
      await world.start();
      const pod = world.cluster.createPod(
        podOf('gated', { ...OURS, spec: { schedulingGates: [{ name: 'g' }] } }),
      );
      await world.settle();
      expect([world.written.bindings, world.written.events]).to.deep.equal([[], []]);
      world.cluster.objects.update('pods', { ...pod, spec: { ...pod.spec, schedulingGates: [] } });
      await world.settle();
      expect(world.nodeOf('gated')).to.equal('n');
    });
  });

  describe('load figures', () => {
    it('are asked for at start and every 30 seconds', async () => {
      world.cluster.createNode(nodeOf('n'));
      await world.start();
      expect(world.watcher.fetches).to.equal(1);
      await world.advance(90_000);
      expect(world.watcher.fetches).to.equal(4);
    });

    it('are shared by profiles of one address', async () => {
      const two = PACKING + PACKING.slice(PACKING.indexOf('- schedulerName')).replace('packer', 'second');
      await world.start(two);
      await world.advance(30_000);
      expect(world.watcher.fetches).to.equal(2);
    });

    it('that never came are announced once, and requests stand in', async () => {
      world.cluster.createNode(nodeOf('n'));
      world.watcher.fail('no route');
      await world.start();
      await world.advance(120_000);
      const [line, ...more] = world.logged('no load figures for any node');
      expect(more).to.deep.equal([]);
      expect(line?.fields).to.deep.include({
        reason: 'no route',
        consequence: 'TargetLoadPacking goes by requests (whenBlind: useRequests)',
      });
    });

    it('that get too old are announced once and no longer attract (C74, C77)', async () => {
      world.cluster.createNode(nodeOf('idle'));
      world.cluster.createNode(nodeOf('packed'));
      world.cluster.createPod(podOf('resident', { nodeName: 'packed', requests: { cpu: '1' } }));
      world.watcher.tell({ idle: 30, packed: 90 }, START_MS);
      await world.start();
      await world.advance(6 * 60_000);
      world.cluster.createPod(podOf('p', OURS));
      await world.settle();
      expect(world.logged('load figures are too old')).to.have.length(1);
      expect(world.nodeOf('p')).to.equal('packed');
      world.watcher.tell({ idle: 30, packed: 90 }, START_MS + 6 * 60_000);
      await world.advance(30_000);
      expect(world.logged('load figures are fresh')).to.have.length(2);
    });

    it('that come from the future are announced once and do not attract', async () => {
      world.cluster.createNode(nodeOf('idle'));
      world.cluster.createNode(nodeOf('packed'));
      world.cluster.createPod(podOf('resident', { nodeName: 'packed', requests: { cpu: '1' } }));
      world.watcher.tell({ idle: 30, packed: 90 }, START_MS + 10 * 60_000);
      await world.start();
      await world.advance(60_000);
      world.cluster.createPod(podOf('p', OURS));
      await world.settle();
      expect(world.logged('load figures are from the future: set the clocks')).to.have.length(1);
      expect(world.nodeOf('p')).to.equal('packed');
    });

    it('that lack some nodes name them, once', async () => {
      world.cluster.createNode(nodeOf('a'));
      world.cluster.createNode(nodeOf('win-1'));
      world.watcher.tell({ a: 30 }, START_MS);
      await world.start();
      await world.advance(60_000);
      expect(world.logged('nodes without load figures').map(({ fields }) => fields)).to.deep.equal([
        { count: 1, nodes: ['win-1'] },
      ]);
    });
  });

  it('settles again after the watch history was compacted', async () => {
    world.cluster.createNode(nodeOf('n'));
    await world.start();
    world.cluster.compact();
    world.cluster.createPod(podOf('p', OURS));
    await world.drift(2_000);
    await world.settle();
    expect(world.nodeOf('p')).to.equal('n');
  });

  it('is not ready any more when the API server has been silent for long', async () => {
    const service = await world.start();
    world.cutOff = true;
    await world.drift(301_000, 10_000);
    expect(service.unready).to.match(/^the API server has said nothing for 3\d\d s$/);
    world.cutOff = false;
    await world.drift(60_000, 1_000);
    expect(service.unready).to.equal(undefined);
  });

  it('closes twice without harm and says so to probes', async () => {
    const service = await world.start();
    expect(service.unready).to.equal(undefined);
    await Promise.all([service.close(), service.close()]);
    expect(service.unready).to.equal('the scheduler is stopping');
  });
});
