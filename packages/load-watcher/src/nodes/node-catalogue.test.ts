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

  it('an item that is nothing, or has null fields, costs itself only', async () => {
    const items = [
      null,
      { metadata: null },
      {
        metadata: { name: 'n1', uid: null, labels: null, creationTimestamp: null },
        status: {
          capacity: { cpu: null, memory: '8Gi' },
          addresses: [null, { address: null }],
          nodeInfo: null,
        },
      },
      { metadata: { name: 'n2' }, status: null },
      { metadata: { name: 'n3' }, status: { capacity: null, addresses: null } },
    ] as unknown as Node[];
    const api = { list: async () => ({ items, resourceVersion: '1' }) } as Partial<ClusterApi> as ClusterApi;
    const list = await new NodeCatalogue({}, { api, clock: new SystemClock() }).list(signal);
    expect([...list.nodes.keys()]).to.deep.equal(['n1', 'n2', 'n3']);
    expect(list.nodes.get('n1')?.status?.capacity).to.deep.equal({ memory: '8Gi' });
    expect(list.malformed.map(({ subject, reason }) => `${subject}: ${reason}`)).to.deep.equal([
      'item 0 of the list of nodes: malformed-item',
      'item 1 of the list of nodes: malformed-item',
    ]);
  });

  it('a list that goes round in circles, or never ends, is an error at once or in time', async () => {
    let pages = 0;
    const listing = (token: () => string, delayMs: number) =>
      ({
        list: async () => {
          pages += 1;
          await new SystemClock().sleep(delayMs);
          return { items: [], resourceVersion: '1', continueToken: token() };
        },
      }) as Partial<ClusterApi> as ClusterApi;
    const failure = (api: ClusterApi): Promise<unknown> =>
      new NodeCatalogue({ timeoutMs: 100 }, { api, clock: new SystemClock() })
        .list(signal)
        .catch((error: unknown) => (error as Error).message);
    expect(await failure(listing(() => 'same', 0))).to.match(/names a page a second time/);
    expect(pages).to.equal(2);
    expect(await failure(listing(() => String(pages), 10))).to.equal(
      'GET /api/v1/nodes: no answer within 0.1 s',
    );
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
