/* oxlint-disable eslint/max-lines-per-function -- a suite is one function of many tests */
import { expect } from 'chai';
import { nodeOf } from '../builders/node-builder.js';
import { podOf } from '../builders/pod-builder.js';
import { expectFailure } from './cluster-api-assertions.js';
import type { ClusterApiFixture } from './describe-cluster-api.js';

export function describeLists(fixture: ClusterApiFixture): void {
  const create = (name: string, shape: Parameters<typeof podOf>[1] = {}) =>
    fixture.harness.createPod(podOf(name, { ...shape, namespace: fixture.harness.namespace }));
  const inNamespace = () => `metadata.namespace=${fixture.harness.namespace}`;
  // Pages by label: kube-apiserver 1.37 loses the later pages of a list that a field selector ties to one namespace.
  const ofThisTest = () => ({ labels: { test: fixture.harness.namespace } });
  const thisTest = () => ({ labelSelector: `test=${fixture.harness.namespace}` });
  const names = async (fieldSelector: string, labelSelector?: string): Promise<string[]> => {
    const query = {
      fieldSelector: `${inNamespace()}${fieldSelector === '' ? '' : `,${fieldSelector}`}`,
      ...(labelSelector === undefined ? {} : { labelSelector }),
    };
    const { items } = await fixture.harness.api.list('pods', query, fixture.signal);
    return items.map(({ metadata }) => metadata.name);
  };

  it('lists in pages of one version, each object once, whatever is written meanwhile', async () => {
    const { api } = fixture.harness;
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await create(name, ofThisTest());
    const query = { limit: 2, ...thisTest() };
    const first = await api.list('pods', query, fixture.signal);
    await create('p0', ofThisTest());
    await create('p6', ofThisTest());
    const seen = first.items.map(({ metadata }) => metadata.name);
    let { continueToken } = first;
    while (continueToken !== undefined) {
      const page = await api.list('pods', { ...query, continueToken }, fixture.signal);
      expect(page.resourceVersion).to.equal(first.resourceVersion);
      expect(page.items.length).to.be.at.most(2);
      seen.push(...page.items.map(({ metadata }) => metadata.name));
      continueToken = page.continueToken;
    }
    expect(seen).to.deep.equal(['p1', 'p2', 'p3', 'p4', 'p5']);
  });

  it('gives a large answer whole, also compressed', async () => {
    const annotations = { 'example.com/note': 'x'.repeat(8_000) };
    const all = Array.from({ length: 40 }, (_, index) => `p${index}`).sort();
    await Promise.all(
      all.map((name) => create(name, { ...ofThisTest(), metadata: { annotations } as object })),
    );
    const { items } = await fixture.harness.api.list('pods', thisTest(), fixture.signal);
    expect(items.map(({ metadata }) => metadata.name)).to.deep.equal(all);
    for (const { metadata } of items) expect(metadata).to.have.deep.property('annotations', annotations);
  });

  it('ends a list whose last page is full, at the latest with an empty page', async () => {
    const { api } = fixture.harness;
    await create('p1', ofThisTest());
    await create('p2', ofThisTest());
    const query = { limit: 2, ...thisTest() };
    const first = await api.list('pods', query, fixture.signal);
    expect(first.items).to.have.length(2);
    const { continueToken } = first;
    if (continueToken === undefined) return;
    // A real server looks for more only when it is asked for more.
    const second = await api.list('pods', { ...query, continueToken }, fixture.signal);
    expect(second.items).to.deep.equal([]);
    expect(second).not.to.have.property('continueToken');
  });

  it('selects pods by node, phase, scheduler and name', async () => {
    await create('bound', { nodeName: 'some-node' });
    await create('pending', { schedulerName: 'catamaran' });
    expect(await names('spec.nodeName=')).to.deep.equal(['pending']);
    expect(await names('spec.nodeName=some-node')).to.deep.equal(['bound']);
    expect(await names('spec.nodeName!=')).to.deep.equal(['bound']);
    expect(await names('spec.schedulerName=catamaran')).to.deep.equal(['pending']);
    expect(await names('status.phase!=Pending')).to.deep.equal([]);
    expect(await names('status.phase!=Succeeded,status.phase!=Failed')).to.deep.equal(['bound', 'pending']);
    expect(await names('metadata.name=bound')).to.deep.equal(['bound']);
  });

  it('selects by labels: equality, sets and presence', async () => {
    await create('web', { labels: { app: 'web', tier: 'front' } });
    await create('db', { labels: { app: 'db' } });
    await create('plain');
    const rows: [selector: string, expected: string[]][] = [
      ['app=web', ['web']],
      ['app!=web', ['db', 'plain']],
      ['app in (web,db)', ['db', 'web']],
      ['app notin (web,db)', ['plain']],
      ['app', ['db', 'web']],
      ['!app', ['plain']],
      ['app in (web,db),!tier', ['db']],
    ];
    for (const [selector, expected] of rows)
      expect(await names('', selector), selector).to.deep.equal(expected);
  });

  it('refuses a field it cannot select by, and a token it did not give', async () => {
    const { api } = fixture.harness;
    const byField = api.list('pods', { fieldSelector: 'spec.colour=red' }, fixture.signal);
    const refused = await expectFailure(byField, 'rejected', 'spec.colour');
    expect(refused.httpStatus).to.equal(400);
    await expectFailure(
      api.list('pods', { limit: 1, continueToken: 'bogus' }, fixture.signal),
      'rejected',
      'continue',
    );
  });

  it('answers 410 for the next page of a list that has expired', async function () {
    const { api, compact } = fixture.harness;
    if (compact === undefined) return this.skip();
    for (const name of ['p1', 'p2', 'p3']) await create(name);
    const { continueToken = '' } = await api.list('pods', { limit: 1 }, fixture.signal);
    await create('p4');
    await compact();
    await expectFailure(api.list('pods', { limit: 1, continueToken }, fixture.signal), 'gone');
  });

  it('lists nodes and namespaces', async () => {
    const { api, namespace } = fixture.harness;
    await fixture.harness.createNode(nodeOf('listed-node', { cpu: '3', labels: { zone: 'a' } }));
    const nodes = await api.list('nodes', { fieldSelector: 'metadata.name=listed-node' }, fixture.signal);
    expect(nodes.items.map(({ status }) => status?.allocatable?.cpu)).to.deep.equal(['3']);
    const namespaces = await api.list('namespaces', {}, fixture.signal);
    expect(namespaces.items.map(({ metadata }) => metadata.name)).to.include(namespace);
    await fixture.harness.deleteNode('listed-node');
  });

  it('lists the use of nodes, or says that nobody measures it', async () => {
    const { api, hasMetrics } = fixture.harness;
    if (!hasMetrics) {
      await expectFailure(api.listNodeMetrics(fixture.signal), 'not-found');
      return;
    }
    const items = await api.listNodeMetrics(fixture.signal);
    expect(items).not.to.have.length(0);
    for (const item of items) {
      expect(item.usage?.cpu).to.match(/^\d+[num]?$/);
      expect(item.usage?.memory).to.match(/^\d+(Ki|Mi)?$/);
      expect(item.timestamp).to.match(/^\d{4}-\d\d-\d\dT/);
    }
  });

  it('rejects with the reason of a signal that has aborted', async () => {
    const reason = new Error('no longer wanted');
    const outcome = await fixture.harness.api
      .list('pods', {}, AbortSignal.abort(reason))
      .catch((error) => error);
    expect(outcome).to.equal(reason);
  });
}
