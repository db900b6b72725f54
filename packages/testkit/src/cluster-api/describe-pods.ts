/* oxlint-disable eslint/max-lines-per-function -- a suite is one function of many tests */
import type { Pod } from '@catamaran/model';
import { expect } from 'chai';
import { podOf } from '../builders/pod-builder.js';
import { expectFailure, scheduledCondition } from './cluster-api-assertions.js';
import type { ClusterApiFixture } from './describe-cluster-api.js';

const GATES = { schedulingGates: [{ name: 'example.com/wait' }] };

export function describePods(fixture: ClusterApiFixture): void {
  const create = (name: string, shape: Parameters<typeof podOf>[1] = {}) =>
    fixture.harness.createPod(podOf(name, { ...shape, namespace: fixture.harness.namespace }));
  const read = (name: string): Promise<Pod | undefined> =>
    fixture.harness.api.getPod(fixture.harness.namespace, name, fixture.signal);
  const bind = (name: string, uid: string, nodeName = 'n1') =>
    fixture.harness.api.bindPod(
      { namespace: fixture.harness.namespace, name, uid, nodeName },
      fixture.signal,
    );
  const patch = (name: string, condition: { status: string; reason: string; message: string }) =>
    fixture.harness.api.patchPodCondition(
      { namespace: fixture.harness.namespace, name, condition: { type: 'PodScheduled', ...condition } },
      fixture.signal,
    );

  it('gives a new pod its identity and defaults', async () => {
    await create('p1', { requests: { memory: '1Gi' }, limits: { cpu: '500m', memory: '2Gi' } });
    const pod = await read('p1');
    expect(pod?.metadata.uid).to.match(/^[0-9a-f-]{36}$/);
    expect(pod?.metadata.creationTimestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(pod?.spec.priority).to.equal(0);
    expect(pod?.spec.schedulerName).to.equal('default-scheduler');
    expect(pod?.spec.containers?.[0]?.resources?.requests).to.deep.equal({ cpu: '500m', memory: '1Gi' });
    expect(pod?.status?.phase).to.equal('Pending');
    expect(scheduledCondition(pod)).to.deep.equal({});
  });

  it('says of a gated pod that it waits', async () => {
    await create('gated', { spec: GATES });
    expect(scheduledCondition(await read('gated'))).to.deep.equal({
      status: 'False',
      reason: 'SchedulingGated',
    });
  });

  it('finds no pod where there is none', async () => {
    expect(await read('nobody')).to.equal(undefined);
  });

  it('binds a pod to a node, known or not, and says that it is scheduled', async () => {
    const { metadata } = await create('p1');
    await patch('p1', { status: 'False', reason: 'Unschedulable', message: 'no room' });
    await bind('p1', metadata.uid ?? '', 'a-node-nobody-knows');
    const bound = await read('p1');
    expect(bound?.spec.nodeName).to.equal('a-node-nobody-knows');
    expect(scheduledCondition(bound)).to.deep.equal({ status: 'True' });
    const condition = bound?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    expect(condition?.lastTransitionTime).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('refuses to bind twice, another uid, a gated pod and one that is not there', async () => {
    const { metadata } = await create('p1');
    const gated = await create('gated', { spec: GATES });
    await expectFailure(
      bind('p1', '00000000-0000-4000-8000-000000000000'),
      'conflict',
      'UID in precondition',
    );
    await expectFailure(bind('gated', gated.metadata.uid ?? ''), 'conflict', 'schedulingGates');
    await expectFailure(bind('nobody', metadata.uid ?? ''), 'not-found', '"nobody" not found');
    await bind('p1', metadata.uid ?? '');
    await expectFailure(
      bind('p1', metadata.uid ?? ''),
      'conflict',
      'pod p1 is already assigned to node "n1"',
    );
    expect((await read('p1'))?.spec.nodeName).to.equal('n1');
    expect((await read('gated'))?.spec.nodeName ?? '').to.equal('');
  });

  it('refuses to bind a pod that is gone, or being deleted', async () => {
    const gone = await create('gone');
    await fixture.harness.deletePod('gone');
    await expectFailure(bind('gone', gone.metadata.uid ?? ''), 'not-found', '"gone" not found');
    const successor = await create('gone');
    await expectFailure(bind('gone', gone.metadata.uid ?? ''), 'conflict', 'UID in precondition');
    expect((await read('gone'))?.metadata.uid).to.equal(successor.metadata.uid);
    const finalizers = ['example.com/kept'];
    const { metadata } = await create('going', { metadata: { finalizers } as object });
    await fixture.harness.deletePod('going');
    expect((await read('going'))?.metadata.deletionTimestamp).to.be.a('string');
    await expectFailure(bind('going', metadata.uid ?? ''), 'conflict', 'is being deleted');
    expect((await read('going'))?.spec.nodeName ?? '').to.equal('');
  });

  it('lets one of several binders have a pod', async () => {
    const { metadata } = await create('p1');
    const nodes = ['n1', 'n2', 'n3', 'n4'];
    const outcomes = await Promise.allSettled(nodes.map((node) => bind('p1', metadata.uid ?? '', node)));
    const winners = nodes.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(winners).to.have.length(1);
    expect((await read('p1'))?.spec.nodeName).to.equal(winners[0]);
  });

  it('tells in an error what a caller acts on: status, reason and words of the server', async () => {
    const missing = await expectFailure(bind('nobody', 'u1'), 'not-found');
    expect(missing).to.include({ httpStatus: 404, reason: 'NotFound', message: 'pods "nobody" not found' });
    const { metadata } = await create('p1');
    await bind('p1', metadata.uid ?? '');
    const twice = await expectFailure(bind('p1', metadata.uid ?? ''), 'conflict');
    expect(twice).to.include({ httpStatus: 409, reason: 'Conflict' });
    expect(twice.message).to.equal(
      'Operation cannot be fulfilled on pods/binding "p1": pod p1 is already assigned to node "n1"',
    );
  });

  it('changes nothing but the condition with a patch, and nothing at all with the same one again', async () => {
    const before = await create('p1', { labels: { app: 'web' } });
    await patch('p1', { status: 'False', reason: 'Unschedulable', message: 'no room' });
    const once = await read('p1');
    expect(once?.spec).to.deep.equal(before.spec);
    expect(once?.metadata.labels).to.deep.equal({ app: 'web' });
    expect(once?.metadata.resourceVersion).not.to.equal(before.metadata.resourceVersion);
    await patch('p1', { status: 'False', reason: 'Unschedulable', message: 'no room' });
    expect((await read('p1'))?.metadata.resourceVersion).to.equal(once?.metadata.resourceVersion);
  });

  it('merges a condition by its type', async () => {
    await create('p1');
    await patch('p1', { status: 'False', reason: 'Unschedulable', message: 'no room' });
    await patch('p1', { status: 'False', reason: 'SchedulerError', message: 'too clever' });
    const { conditions } = (await read('p1'))?.status ?? {};
    expect(conditions?.filter(({ type }) => type === 'PodScheduled')).to.have.length(1);
    expect(conditions?.[0]).to.include({ reason: 'SchedulerError', message: 'too clever' });
    await expectFailure(patch('nobody', { status: 'False', reason: 'x', message: 'x' }), 'not-found');
  });
}
