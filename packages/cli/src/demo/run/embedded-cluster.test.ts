import type { Node, Pod } from '@catamaran/model';
import { SystemClock, silentLogger, VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { seededPlan } from '../plan/seeded-plan.js';
import { EmbeddedCluster } from './embedded-cluster.js';

const START_MS = Date.UTC(2026, 0, 5, 8);
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly (string | number)[] }[];
}

describe('EmbeddedCluster', () => {
  const plan = seededPlan({ nodes: 3, pods: 6, seed: 1 });
  let clock: VirtualClock;
  let world: EmbeddedCluster;
  beforeEach(async () => {
    clock = new VirtualClock(START_MS);
    const deps = { clock, wallClock: new SystemClock(), log: silentLogger, say: () => undefined };
    world = await EmbeddedCluster.start({ plan, seed: 1, port: 0 }, deps);
  });
  afterEach(() => world.close());

  const bind = async (pod: Pod): Promise<void> => {
    const { namespace = 'default', name, uid = '' } = pod.metadata;
    const nodeName = plan.nodes[0]?.name ?? '';
    await world.cluster.bindPod({ namespace, name, uid, nodeName }, new AbortController().signal);
  };
  const podNamed = (name: string): Pod => world.cluster.objects.get('pods', name, 'default');
  const arrive = async (): Promise<readonly Pod[]> => {
    world.arrive(plan.pods);
    const { items } = world.cluster.objects.list('pods', {});
    for (const pod of items) await bind(pod);
    return items;
  };
  const cells = async (
    path: string,
  ): Promise<readonly Readonly<Record<string, string | number | undefined>>[]> => {
    const response = await fetch(`${world.url}${path}`, { headers: { accept: TABLE } });
    const { columnDefinitions, rows } = (await response.json()) as Table;
    return rows.map((row) =>
      Object.fromEntries(columnDefinitions.map(({ name }, index) => [name, row.cells[index]])),
    );
  };

  it('starts every pod that is bound, of the plan and of others, once', async () => {
    await arrive();
    world.cluster.createPod({
      metadata: { name: 'mine', namespace: 'other' },
      spec: { containers: [{ name: 'a', image: 'x' }, { name: 'b' }] },
    });
    await bind(world.cluster.objects.get('pods', 'mine', 'other'));
    expect(world.runBoundPods()).to.equal(true);
    expect(world.runBoundPods()).to.equal(false);
    const shown = (await cells('/api/v1/pods')).map(
      (row) => `${row.Name ?? ''} ${row.Ready ?? ''} ${row.Status ?? ''}`,
    );
    const planned = plan.pods.map(({ name }) => `${name} 1/1 Running`);
    expect(shown.toSorted()).to.deep.equal([...planned, 'mine 2/2 Running'].toSorted());
    expect(world.state()).to.deep.include({ bound: plan.pods.length, nodesInUse: 1 });
  });

  it('a pod that is not bound waits, and says so', () => {
    world.arrive(plan.pods.slice(0, 1));
    const [planned] = plan.pods;
    expect(world.runBoundPods()).to.equal(false);
    expect(podNamed(planned?.name ?? '').status?.phase).to.equal('Pending');
    world.cluster.deletePod('default', planned?.name ?? '');
    expect(world.runBoundPods()).to.equal(false);
    expect(world.waiting()).to.deep.equal([{ pod: planned?.name, why: 'it was deleted' }]);
  });

  it('a running pod keeps what others wrote of it, and is Ready', async () => {
    await arrive();
    world.runBoundPods();
    const conditions = podNamed(plan.pods[0]?.name ?? '').status?.conditions ?? [];
    expect(conditions.map(({ type, status }) => `${type} ${status}`)).to.include.members([
      'PodScheduled True',
      'Ready True',
      'ContainersReady True',
    ]);
    expect(new Set(conditions.map(({ type }) => type)).size).to.equal(conditions.length);
  });

  it('pods that were deleted use nothing and request nothing any more', async () => {
    const before = world.state().nodes;
    const pods = await arrive();
    world.runBoundPods();
    expect(world.state().nodes[0]?.podCount).to.equal(pods.length);
    for (const { metadata } of pods) world.cluster.deletePod('default', metadata.name);
    world.runBoundPods();
    expect(world.state().nodes).to.deep.equal(before);
  });

  it('nodes have a version, an address of their own and a time at which they were heard of', async () => {
    const rows = await cells('/api/v1/nodes');
    for (const row of rows) expect(row.Version).to.match(/^v1\.\d+\.\d+/);
    const addresses = rows.map((row) => row['Internal-IP']);
    expect(addresses).to.deep.equal(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    for (const { status } of world.cluster.objects.list('nodes', {}).items as readonly Node[]) {
      const [ready] = status?.conditions ?? [];
      const times = { lastHeartbeatTime: '2026-01-05T08:00:00Z', lastTransitionTime: '2026-01-05T08:00:00Z' };
      expect(ready).to.deep.include({ type: 'Ready', status: 'True', ...times });
    }
  });
});
