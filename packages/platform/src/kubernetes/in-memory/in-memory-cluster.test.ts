import { type ClusterApiHarness, describeClusterApi, expectFailure, nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { VirtualClock } from '../../clock/virtual-clock.js';
import type { WatchEvent } from '../cluster-api.js';
import { InMemoryCluster, type InMemoryClusterOptions } from './in-memory-cluster.js';

const START_MS = Date.UTC(2026, 10, 30, 15);
const never = new AbortController().signal;

function newCluster(options: InMemoryClusterOptions = {}): { cluster: InMemoryCluster; clock: VirtualClock } {
  const clock = new VirtualClock(START_MS);
  const nodeUsage = (name: string) =>
    name === 'dark' ? undefined : { cpuMilli: 1500.5, memoryBytes: 2 ** 30 };
  return { clock, cluster: new InMemoryCluster(options, { clock, nodeUsage }) };
}

async function makeHarness(): Promise<ClusterApiHarness> {
  const { cluster, clock } = newCluster();
  cluster.createNode(nodeOf('measured'));
  cluster.createNamespace('suite');
  return {
    api: cluster,
    namespace: 'suite',
    createPod: async (pod) => cluster.createPod(pod),
    deletePod: async (name) => cluster.deletePod('suite', name),
    createNode: async (node) => cluster.createNode(node),
    deleteNode: async (name) => cluster.deleteNode(name),
    passSeconds: (seconds) => clock.advanceBy(seconds * 1000),
    compact: async () => cluster.compact(),
    hasMetrics: true,
    close: async () => undefined,
  };
}

describeClusterApi('InMemoryCluster', makeHarness);

/** Pulls events one by one, as a slow reader would. */
function reader<T>(events: AsyncIterable<WatchEvent<T>>): () => Promise<WatchEvent<T> | undefined> {
  const iterator = events[Symbol.asyncIterator]();
  return async () => {
    const { done, value } = await iterator.next();
    return done === true ? undefined : value;
  };
}

describe('InMemoryCluster', () => {
  it('tells a slow reader everything that is still in the log, then 410', async () => {
    const { cluster } = newCluster();
    const next = reader(
      cluster.watch('pods', { resourceVersion: cluster.latestVersion('namespaces') }, never),
    );
    cluster.createPod(podOf('p1'));
    cluster.createPod(podOf('p2'));
    expect(await next()).to.have.nested.property('object.metadata.name', 'p1');
    expect(await next()).to.have.nested.property('object.metadata.name', 'p2');
    cluster.createPod(podOf('p3'));
    cluster.compact();
    expect(await next()).to.have.nested.property('status.code', 410);
    expect(await next()).to.equal(undefined);
  });

  it('drops the older half of its history above the limit', async () => {
    const { cluster } = newCluster({ historyLimit: 4 });
    const start = cluster.latestVersion('namespaces');
    const versions = ['p1', 'p2', 'p3', 'p4', 'p5'].map(
      (name) => cluster.createPod(podOf(name)).metadata.resourceVersion ?? '',
    );
    const first = reader(cluster.watch('pods', { resourceVersion: start }, never));
    expect(await first()).to.have.nested.property('status.reason', 'Expired');
    const later = reader(cluster.watch('pods', { resourceVersion: versions[2] ?? '' }, never));
    expect(await later()).to.have.nested.property('object.metadata.name', 'p4');
  });

  it('lets a list be read on as long as its version is kept, and not beyond', async () => {
    const { cluster } = newCluster({ historyLimit: 4 });
    for (const name of ['p1', 'p2', 'p3']) cluster.createPod(podOf(name));
    const first = await cluster.list('pods', { limit: 1 }, never);
    const query = { limit: 1, continueToken: first.continueToken ?? '' };
    cluster.createPod(podOf('p0'));
    const second = await cluster.list('pods', query, never);
    expect(second.items.map(({ metadata }) => metadata.name)).to.deep.equal(['p2']);
    for (const name of ['p4', 'p5', 'p6', 'p7']) cluster.createPod(podOf(name));
    await expectFailure(cluster.list('pods', query, never), 'gone', 'start the list again');
  });

  it('answers 410 for a version from the future, as after a restore', async () => {
    const { cluster } = newCluster();
    const next = reader(cluster.watch('pods', { resourceVersion: '999999' }, never));
    const event = await next();
    expect(event).to.have.nested.property('status.code', 410);
    expect(event).to.have.nested.property('status.message').that.includes('ahead of the store');
  });

  it('bookmarks at once behind changes that the selector hides', async () => {
    const { cluster } = newCluster();
    const query = { resourceVersion: cluster.latestVersion('namespaces'), fieldSelector: 'spec.nodeName=' };
    const next = reader(cluster.watch('pods', query, never));
    cluster.createPod(podOf('bound', { nodeName: 'n1' }));
    const hidden = cluster.createPod(podOf('bound-too', { nodeName: 'n1' }));
    expect(await next()).to.deep.equal({
      type: 'BOOKMARK',
      resourceVersion: hidden.metadata.resourceVersion,
    });
  });

  it('bookmarks a quiet watch at the interval, with the version of the whole store', async () => {
    const { cluster, clock } = newCluster({ bookmarkIntervalMs: 1000 });
    const next = reader(
      cluster.watch('pods', { resourceVersion: cluster.latestVersion('namespaces') }, never),
    );
    const pending = next();
    await new Promise((resolve) => setImmediate(resolve));
    const node = cluster.createNode(nodeOf('n1'));
    await clock.advanceBy(1000);
    const bookmark = { type: 'BOOKMARK', resourceVersion: node.metadata.resourceVersion };
    expect(await pending).to.deep.equal(bookmark);
  });

  it('announces what is there to a watch without a version', async () => {
    const { cluster } = newCluster();
    cluster.createNode(nodeOf('b'));
    cluster.createNode(nodeOf('a'));
    const next = reader(cluster.watch('nodes', { resourceVersion: '' }, never));
    expect(await next()).to.have.nested.property('object.metadata.name', 'a');
    expect(await next()).to.have.nested.property('object.metadata.name', 'b');
    cluster.createNode(nodeOf('c'));
    expect(await next()).to.have.nested.property('object.metadata.name', 'c');
  });

  it('leaves no timer and no listener behind when a watch is left', async () => {
    const { cluster, clock } = newCluster();
    const iterator = cluster.watch('nodes', { resourceVersion: '' }, never);
    cluster.createNode(nodeOf('a'));
    await iterator.next();
    expect(clock.nextTimerMs()).not.to.equal(undefined);
    await iterator.return(undefined);
    expect(clock.nextTimerMs()).to.equal(undefined);
  });

  it('hands out the same identities for the same seed and writes, others for another seed', () => {
    const uids = (seed: number) => {
      const { cluster } = newCluster({ seed });
      return ['p1', 'p2', 'p3'].map((name) => cluster.createPod(podOf(name)).metadata.uid ?? '');
    };
    expect(uids(7)).to.deep.equal(uids(7));
    expect(uids(7)).not.to.deep.equal(uids(8));
    expect(new Set([...uids(7), ...uids(8)]).size).to.equal(6);
    for (const uid of uids(7)) {
      expect(uid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('knows the version of the last change to each collection', () => {
    const { cluster } = newCluster();
    const node = cluster.createNode(nodeOf('n1'));
    const pod = cluster.createPod(podOf('p1'));
    expect(cluster.latestVersion('nodes')).to.equal(node.metadata.resourceVersion);
    expect(cluster.latestVersion('pods')).to.equal(pod.metadata.resourceVersion);
    cluster.deletePod('default', 'p1');
    expect(Number(cluster.latestVersion('pods'))).to.be.above(Number(pod.metadata.resourceVersion));
  });

  it('makes no version for a change that changes nothing', () => {
    const { cluster } = newCluster();
    cluster.createPod(podOf('p1'));
    const running = cluster.updatePodStatus('default', 'p1', { phase: 'Running' });
    const again = cluster.updatePodStatus('default', 'p1', { phase: 'Running' });
    expect(again.metadata.resourceVersion).to.equal(running.metadata.resourceVersion);
  });

  it('is not changed through the object it was given', () => {
    const { cluster } = newCluster();
    const labels = { app: 'web' };
    cluster.createPod(podOf('p1', { labels }));
    labels.app = 'db';
    expect(cluster.objects.get('pods', 'p1', 'default').metadata.labels).to.deep.equal({ app: 'web' });
  });

  it('keeps the identity of an updated object and refuses an old version of it', async () => {
    const { cluster } = newCluster();
    const created = cluster.createNode(nodeOf('n1', { cpu: '4' }));
    const updated = cluster.updateNode(nodeOf('n1', { cpu: '8' }));
    expect(updated.metadata.uid).to.equal(created.metadata.uid);
    expect(updated.status?.capacity?.cpu).to.equal('8');
    await expectFailure(
      Promise.resolve().then(() => cluster.updateNode(created)),
      'conflict',
      'the object has been modified',
    );
  });

  it('only marks a pod with finalizers as being deleted, and binds it no more', async () => {
    const { cluster } = newCluster();
    const metadata = { finalizers: ['example.com/hold'] } as object;
    const { metadata: made } = cluster.createPod(podOf('held', { metadata }));
    cluster.deletePod('default', 'held');
    expect(cluster.objects.get('pods', 'held', 'default').metadata.deletionTimestamp).to.equal(
      '2026-11-30T15:00:00Z',
    );
    const bind = { namespace: 'default', name: 'held', uid: made.uid ?? '', nodeName: 'n1' };
    await expectFailure(cluster.bindPod(bind, never), 'conflict', 'is being deleted');
  });

  it('measures in nanocores and Ki, and leaves out the nodes it knows nothing of', async () => {
    const { cluster } = newCluster();
    cluster.createNode(nodeOf('lit'));
    cluster.createNode(nodeOf('dark'));
    const items = await cluster.listNodeMetrics(never);
    expect(
      items.map(({ metadata, usage, timestamp }) => ({ name: metadata.name, usage, timestamp })),
    ).to.deep.equal([
      { name: 'lit', usage: { cpu: '1500500000n', memory: '1048576Ki' }, timestamp: '2026-11-30T15:00:00Z' },
    ]);
  });

  it('asks its fault hook before each call', async () => {
    const calls: string[] = [];
    const onCall = ({ operation, target }: { operation: string; target: string }): void => {
      calls.push(`${operation} ${target}`);
      if (operation === 'bindPod') throw new Error('planned');
    };
    const cluster = new InMemoryCluster({}, { clock: new VirtualClock(0), onCall });
    await cluster.list('pods', {}, never);
    const request = { namespace: 'default', name: 'p1', uid: '', nodeName: 'n1' };
    const outcome = await cluster.bindPod(request, never).catch((error: Error) => error.message);
    expect(outcome).to.equal('planned');
    expect(calls).to.deep.equal(['list pods', 'bindPod default/p1']);
  });
});
