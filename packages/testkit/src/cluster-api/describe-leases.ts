import type { Lease } from '@catamaran/model';
import { expect } from 'chai';
import { expectFailure } from './cluster-api-assertions.js';
import type { ClusterApiFixture } from './describe-cluster-api.js';

export function describeLeases(fixture: ClusterApiFixture): void {
  const leaseOf = (holderIdentity: string, present?: Lease): Lease => ({
    metadata: present?.metadata ?? { name: 'leader', namespace: fixture.harness.namespace },
    spec: {
      holderIdentity,
      leaseDurationSeconds: 15,
      acquireTime: '2026-11-30T15:00:00.000000Z',
      renewTime: '2026-11-30T15:00:00.123000Z',
      leaseTransitions: 0,
    },
  });
  const create = (holder: string) => fixture.harness.api.createLease(leaseOf(holder), fixture.signal);
  const update = (holder: string, present: Lease) =>
    fixture.harness.api.updateLease(leaseOf(holder, present), fixture.signal);
  const read = () => fixture.harness.api.getLease(fixture.harness.namespace, 'leader', fixture.signal);

  it('keeps a lease as it was written, and finds none where there is none', async () => {
    expect(await read()).to.equal(undefined);
    const created = await create('a');
    expect(created.metadata.resourceVersion).to.match(/^\d+$/);
    expect((await read())?.spec).to.deep.equal(leaseOf('a').spec);
  });

  it('takes times with six decimals and no others (C61)', async () => {
    for (const renewTime of ['2026-11-30T15:00:00.123Z', '2026-11-30T15:00:00Z']) {
      const { metadata, spec } = leaseOf('a');
      const lease = { metadata, spec: { ...spec, renewTime } };
      await expectFailure(fixture.harness.api.createLease(lease, fixture.signal), 'rejected');
    }
    expect(await read()).to.equal(undefined);
  });

  it('gives a lease that many create at once to one of them', async () => {
    const holders = ['a', 'b', 'c', 'd'];
    const outcomes = await Promise.allSettled(holders.map(create));
    const winners = holders.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(winners).to.have.length(1);
    expect((await read())?.spec?.holderIdentity).to.equal(winners[0]);
    const again = await expectFailure(create('e'), 'conflict', 'already exists');
    expect(again.reason).to.equal('AlreadyExists');
  });

  it('lets one of those who have read the same version take a lease over', async () => {
    const first = await create('a');
    const holders = ['b', 'c', 'd'];
    const outcomes = await Promise.allSettled(holders.map((holder) => update(holder, first)));
    const winners = holders.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(winners).to.have.length(1);
    const present = await read();
    expect(present?.spec?.holderIdentity).to.equal(winners[0]);
    expect(present?.metadata.uid).to.equal(first.metadata.uid);
    const late = await expectFailure(update('e', first), 'conflict', 'the object has been modified');
    expect(late.reason).to.equal('Conflict');
  });

  it('renews a lease again and again from the version of the last answer', async () => {
    let present = await create('a');
    for (const holder of ['a', 'b', 'a']) present = await update(holder, present);
    expect((await read())?.metadata.resourceVersion).to.equal(present.metadata.resourceVersion);
  });

  it('refuses to replace a lease that is another by now, or without saying which version', async () => {
    const { metadata } = await create('a');
    const { resourceVersion: _left, ...unversioned } = metadata;
    const refused = await expectFailure(
      update('b', { metadata: unversioned }),
      'rejected',
      'must be specified for an update',
    );
    expect(refused).to.include({ httpStatus: 422, reason: 'Invalid' });
    const another = { ...metadata, uid: '00000000-0000-4000-8000-000000000000' };
    await expectFailure(update('b', { metadata: another }), 'conflict', 'UID in precondition');
  });
}
