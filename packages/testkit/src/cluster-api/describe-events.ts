import type { KubernetesEvent } from '@catamaran/model';
import { expect } from 'chai';
import { expectFailure } from './cluster-api-assertions.js';
import type { ClusterApiFixture } from './describe-cluster-api.js';

export function describeEvents(fixture: ClusterApiFixture): void {
  const eventOf = (name: string): KubernetesEvent => ({
    metadata: { name, namespace: fixture.harness.namespace },
    eventTime: '2026-11-30T15:00:00.000000Z',
    type: 'Normal',
    reason: 'Scheduled',
    action: 'Binding',
    note: 'Successfully assigned',
    reportingController: 'catamaran',
    reportingInstance: 'catamaran-host',
    regarding: { kind: 'Pod', apiVersion: 'v1', namespace: fixture.harness.namespace, name: 'p1' },
  });
  const series = { count: 2, lastObservedTime: '2026-11-30T15:01:00.000000Z' };

  it('takes an event once, and then its series', async () => {
    const { api, namespace } = fixture.harness;
    await api.createEvent(eventOf('p1.1'), fixture.signal);
    const again = await expectFailure(
      api.createEvent(eventOf('p1.1'), fixture.signal),
      'conflict',
      'already exists',
    );
    if (again.reason !== 'AlreadyExists') throw again;
    await api.patchEventSeries({ namespace, name: 'p1.1', series }, fixture.signal);
    await expectFailure(
      api.patchEventSeries({ namespace, name: 'p1.2', series }, fixture.signal),
      'not-found',
      '"p1.2" not found',
    );
    const third = { count: 3, lastObservedTime: '2026-11-30T15:02:00.000000Z' };
    await api.patchEventSeries({ namespace, name: 'p1.1', series: third }, fixture.signal);
  });

  it('refuses an event without an action, a time it cannot read, and a note that is too long', async () => {
    const { api } = fixture.harness;
    const rows: [broken: object, text: string][] = [
      [{ action: '' }, 'action'],
      [{ type: 'Sad' }, 'type'],
      [{ note: 'x'.repeat(1025) }, 'can have at most 1024'],
    ];
    for (const [broken, text] of rows) {
      const call = api.createEvent({ ...eventOf('p1.3'), ...broken }, fixture.signal);
      const refused = await expectFailure(call, 'rejected', text);
      expect(refused).to.include({ httpStatus: 422, reason: 'Invalid' });
    }
    const badTime = api.createEvent({ ...eventOf('p1.4'), eventTime: 'yesterday' }, fixture.signal);
    await expectFailure(badTime, 'rejected');
  });
}
