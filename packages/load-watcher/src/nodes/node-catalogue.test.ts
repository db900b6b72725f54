import type { Node } from '@catamaran/model';
import { type ClusterApi, InMemoryCluster, SystemClock } from '@catamaran/platform';
import { FaultyClusterApi, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { NodeCatalogue } from './node-catalogue.js';

const { signal } = new AbortController();

describe('NodeCatalogue', () => {
  it('gives the same list while nothing of use has changed, heartbeats included', async () => {
    const node = (resourceVersion: string, heartbeat: string, cpu = '4'): Node => ({
      metadata: { name: 'n1', uid: 'u', resourceVersion },
      status: {
        capacity: { cpu, memory: '8Gi' },
        conditions: [{ type: 'Ready', status: 'True', reason: heartbeat }],
      },
    });
    let items = [node('1', 'a')];
    const api = { list: async () => ({ items, resourceVersion: '1' }) } as Partial<ClusterApi> as ClusterApi;
    const catalogue = new NodeCatalogue({}, { api, clock: new SystemClock() });
    const first = await catalogue.list(signal);
    items = [node('2', 'b')];
    expect(await catalogue.list(signal)).to.equal(first);
    items = [node('3', 'c', '8')];
    expect((await catalogue.list(signal)).nodes.get('n1')?.status?.capacity?.cpu).to.equal('8');
    items = [];
    expect((await catalogue.list(signal)).nodes.size).to.equal(0);
  });

  it('keeps the last list for nobody when a page fails: the caller decides', async () => {
    const cluster = new InMemoryCluster({}, { clock: new SystemClock() });
    for (let number = 0; number < 5; number += 1) cluster.createNode(nodeOf(`n${number}`));
    const api = new FaultyClusterApi(cluster);
    const catalogue = new NodeCatalogue({ pageSize: 2 }, { api, clock: new SystemClock() });
    api.plan('list', 'none', '500');
    expect(await catalogue.list(signal).catch((error: unknown) => error)).to.have.property(
      'name',
      'ClusterApiError',
    );
    expect((await catalogue.list(signal)).nodes.size).to.equal(5);
  });

  it('remembers when a name was taken over', async () => {
    const cluster = new InMemoryCluster({}, { clock: new SystemClock() });
    cluster.createNode(nodeOf('n1'));
    const catalogue = new NodeCatalogue({}, { api: cluster, clock: new SystemClock() });
    expect((await catalogue.list(signal)).replacedAtMs.size).to.equal(0);
    cluster.deleteNode('n1');
    await catalogue.list(signal);
    cluster.createNode(nodeOf('n1'));
    expect([...(await catalogue.list(signal)).replacedAtMs.keys()]).to.deep.equal(['n1']);
  });
});
