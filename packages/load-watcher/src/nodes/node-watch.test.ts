import type { Node } from '@catamaran/model';
import {
  type ClusterApi,
  InMemoryCluster,
  type Logger,
  silentLogger,
  VirtualClock,
} from '@catamaran/platform';
import { FaultyClusterApi, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { NodeCatalogue } from './node-catalogue.js';
import { NodeWatch } from './node-watch.js';

const START_MS = 1_800_000_000_000;
const { signal } = new AbortController();

/** Lets everything that can go on without time go on. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('NodeWatch', () => {
  let clock: VirtualClock;
  let cluster: InMemoryCluster;
  let api: FaultyClusterApi;
  let lines: string[];
  let watch: NodeWatch;
  let catalogue: NodeCatalogue;
  const log: Logger = {
    ...silentLogger,
    info: (message, fields) => lines.push(`info ${message}: ${String(fields?.reason)}`),
    warn: (message) => lines.push(`warn ${message}`),
    error: (message) => lines.push(`error ${message}`),
    with: () => log,
  };
  const over = (source: ClusterApi): NodeCatalogue => {
    watch = new NodeWatch({ api: source, clock, log, random: () => 0.5 });
    catalogue = new NodeCatalogue({}, { api: source, clock, watch });
    return catalogue;
  };
  beforeEach(() => {
    clock = new VirtualClock(START_MS);
    cluster = new InMemoryCluster({}, { clock });
    cluster.createNode(nodeOf('n1'));
    api = new FaultyClusterApi(cluster);
    lines = [];
    over(api);
  });
  afterEach(() => catalogue.close());

  const lists = (): number => api.calls.filter(({ operation }) => operation === 'list').length;
  const names = async (): Promise<string> => [...(await catalogue.list(signal)).nodes.keys()].join(',');

  it('lists once, then shows what the watch tells, without a further list', async () => {
    expect(await names()).to.equal('n1');
    await turns();
    const before = lists();
    cluster.createNode(nodeOf('n2'));
    await turns();
    expect(await names()).to.equal('n1,n2');
    cluster.deleteNode('n1');
    await turns();
    expect(await names()).to.equal('n2');
    expect(lists()).to.equal(before);
  });

  it('gives the same list while nothing of use has changed', async () => {
    await catalogue.list(signal);
    await turns();
    const first = await catalogue.list(signal);
    expect(await catalogue.list(signal)).to.equal(first);
  });

  it('sees that a name was taken over between two looks', async () => {
    await catalogue.list(signal);
    await turns();
    await catalogue.list(signal);
    cluster.deleteNode('n1');
    await clock.advanceBy(5_000);
    cluster.createNode(nodeOf('n1'));
    await turns();
    expect([...(await catalogue.list(signal)).replacedAtMs.keys()]).to.deep.equal(['n1']);
  });

  it('lists again when the server was not heard of for half a minute, also by a clock that was set back', async () => {
    await catalogue.list(signal);
    await turns();
    const before = lists();
    await clock.advanceBy(29_000);
    await catalogue.list(signal);
    expect(lists()).to.equal(before);
    api.plan('watch', 'silence');
    api.cutWatches('silence');
    await clock.advanceBy(2_000);
    await catalogue.list(signal);
    expect(lists()).to.be.above(before);
  });

  it('says once that it is not allowed to watch, and lists from then on', async () => {
    api.plan('watch', '403', '403', '403');
    for (let refresh = 0; refresh < 3; refresh += 1) {
      expect(await names()).to.equal('n1');
      await turns();
      await clock.advanceBy(60_000);
    }
    expect(lines).to.deep.equal([
      'info nodes are not watched but listed at each refresh: it is not allowed: grant "watch" on nodes (k8s/rbac/load-watcher.yaml)',
    ]);
    expect(api.calls.filter(({ operation }) => operation === 'watch')).to.have.length(1);
    // One a refresh, and one of the watch that was given up.
    expect(lists()).to.equal(4);
  });

  it('leaves a list with items that are no nodes to the lister, which tells of each', async () => {
    const items = [null, nodeOf('n1')] as unknown as Node[];
    over({ list: async () => ({ items, resourceVersion: '1' }) } as Partial<ClusterApi> as ClusterApi);
    await catalogue.list(signal);
    await turns();
    expect((await catalogue.list(signal)).malformed).to.have.length(1);
    expect(lines).to.deep.equal([
      'info nodes are not watched but listed at each refresh: the list of nodes has items that are no nodes',
    ]);
  });

  it('a watch that breaks costs lists until it is back, and no line', async () => {
    await catalogue.list(signal);
    await turns();
    api.plan('watch', 'reset');
    api.cutWatches('reset');
    await clock.advanceBy(60_000);
    await turns();
    cluster.createNode(nodeOf('n2'));
    await turns();
    expect(await names()).to.equal('n1,n2');
    expect(lines).to.deep.equal([]);
  });

  it('ends with the catalogue, whether it was started or not', async () => {
    await catalogue.close();
    await catalogue.list(signal);
    await turns();
    expect(api.openWatches).to.equal(0);
    over(api);
    await catalogue.list(signal);
    await turns();
    expect(api.openWatches).to.equal(1);
    await Promise.all([catalogue.close(), catalogue.close()]);
    expect(api.openWatches).to.equal(0);
  });
});
