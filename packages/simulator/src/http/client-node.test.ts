import { InMemoryCluster, SystemClock, silentLogger } from '@catamaran/platform';
import { nodeOf, podOf } from '@catamaran/testkit';
import type { CoreV1Api, CoreV1Event, KubeConfig, V1Pod } from '@kubernetes/client-node';
import { expect } from 'chai';
import { type RunningSimulatorServer, startSimulatorServer } from './simulator-server.js';

type ClientNode = typeof import('@kubernetes/client-node');

describe('simulator and the JavaScript client of Kubernetes', function () {
  this.timeout(30_000);
  let client: ClientNode;
  let config: KubeConfig;
  let core: CoreV1Api;
  let cluster: InMemoryCluster;
  let server: RunningSimulatorServer;

  before(async () => {
    client = await import('@kubernetes/client-node');
  });
  beforeEach(async () => {
    const clock = new SystemClock();
    cluster = new InMemoryCluster({}, { clock, nodeUsage: () => ({ cpuMilli: 250, memoryBytes: 2 ** 30 }) });
    server = await startSimulatorServer({ port: 0 }, { cluster, clock, log: silentLogger });
    config = new client.KubeConfig();
    config.loadFromClusterAndUser(
      { name: 'simulator', server: server.url, skipTLSVerify: true },
      { name: 'me' },
    );
    core = config.makeApiClient(client.CoreV1Api);
  });
  afterEach(() => server.close());

  it('lists, creates, binds and deletes', async () => {
    cluster.createNode(nodeOf('n1'));
    expect((await core.listNode()).items.map(({ metadata }) => metadata?.name)).to.deep.equal(['n1']);
    const body = podOf('p1', { requests: { cpu: '100m' } }) as unknown as V1Pod;
    const created = await core.createNamespacedPod({ namespace: 'default', body });
    expect(created.metadata?.creationTimestamp).to.be.instanceOf(Date);
    const metadata = {
      name: 'p1',
      ...(created.metadata?.uid === undefined ? {} : { uid: created.metadata.uid }),
    };
    const binding = { metadata, target: { kind: 'Node', name: 'n1' } };
    await core.createNamespacedPodBinding({ namespace: 'default', name: 'p1', body: binding });
    const bound = await core.readNamespacedPod({ namespace: 'default', name: 'p1' });
    expect(bound.spec?.nodeName).to.equal('n1');
    expect(bound.status?.conditions?.[0]).to.include({ type: 'PodScheduled', status: 'True' });
    const again = core.createNamespacedPodBinding({ namespace: 'default', name: 'p1', body: binding });
    expect(await again.catch((error: { code: number }) => error.code)).to.equal(409);
    await core.deleteNamespacedPod({ namespace: 'default', name: 'p1' });
    expect((await core.listPodForAllNamespaces()).items).to.deep.equal([]);
  });

  it('watches', async () => {
    const told: string[] = [];
    const { metadata } = await core.listPodForAllNamespaces();
    const query = { resourceVersion: metadata?.resourceVersion ?? '', allowWatchBookmarks: true };
    await new Promise<void>((resolve, reject) => {
      new client.Watch(config)
        .watch(
          '/api/v1/pods',
          query,
          (type: string, pod: CoreV1Event) => {
            told.push(`${type} ${pod.metadata.name}`);
            if (type === 'DELETED') resolve();
          },
          reject,
        )
        .catch(reject);
      cluster.createPod(podOf('p1'));
      cluster.updatePodStatus('default', 'p1', { phase: 'Running' });
      cluster.deletePod('default', 'p1');
    });
    expect(told).to.deep.equal(['ADDED p1', 'MODIFIED p1', 'DELETED p1']);
  });

  it('reads node metrics and keeps a lease', async () => {
    cluster.createNode(nodeOf('n1'));
    const { items } = await new client.Metrics(config).getNodeMetrics();
    expect(items.map(({ metadata, usage }) => [metadata.name, usage])).to.deep.equal([
      ['n1', { cpu: '250000000n', memory: '1048576Ki' }],
    ]);
    const leases = config.makeApiClient(client.CoordinationV1Api);
    const renewTime = new client.V1MicroTime(Date.UTC(2026, 10, 30));
    const body = { metadata: { name: 'l1' }, spec: { holderIdentity: 'me', renewTime } };
    const created = await leases.createNamespacedLease({ namespace: 'kube-system', body });
    expect(created.spec?.holderIdentity).to.equal('me');
    const claim = { ...body, metadata: { name: 'l1', resourceVersion: '1' } };
    const stale = leases.replaceNamespacedLease({ namespace: 'kube-system', name: 'l1', body: claim });
    expect(await stale.catch((error: { code: number }) => error.code)).to.equal(409);
  });
});
