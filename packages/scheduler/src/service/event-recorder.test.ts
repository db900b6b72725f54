import type { KubernetesEvent, Pod } from '@catamaran/model';
import { type ClusterApi, ClusterApiError, silentLogger, VirtualClock } from '@catamaran/platform';
import { podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { Activity } from './activity.js';
import { CallSlots } from './call-slots.js';
import { EventRecorder, type PodEvent } from './event-recorder.js';
import { RateLimiter } from './rate-limiter.js';
import { SendQueue } from './send-queue.js';

const START_MS = Date.UTC(2026, 0, 1, 12);
const FAILED: PodEvent = {
  type: 'Warning',
  reason: 'FailedScheduling',
  action: 'Scheduling',
  note: 'no room',
};

describe('EventRecorder', () => {
  let clock: VirtualClock;
  let activity: Activity;
  let recorder: EventRecorder;
  let created: KubernetesEvent[];
  let isGone: boolean;
  let patched: { readonly name: string; readonly count: number; readonly at: string }[];

  beforeEach(() => {
    clock = new VirtualClock(START_MS);
    activity = new Activity();
    created = [];
    patched = [];
    isGone = false;
    const api = {
      createEvent: (event: KubernetesEvent) => Promise.resolve(void created.push(event)),
      patchEventSeries: ({ name, series }: Parameters<ClusterApi['patchEventSeries']>[0]) =>
        isGone
          ? Promise.reject(new ClusterApiError('not-found', 'injected'))
          : Promise.resolve(void patched.push({ name, count: series.count, at: series.lastObservedTime })),
    } as unknown as ClusterApi;
    const limiter = new RateLimiter({ perSecond: -1, burst: 1 }, clock);
    const queue = new SendQueue(
      { name: 'events', capacity: 100, maxTries: 3 },
      {
        limiter,
        slots: (onRoom) =>
          new CallSlots({ limit: 1, slowAfterMs: 1, hardLimit: 1, deadlineMs: 1 }, clock, onRoom),
        clock,
        random: () => 1,
        activity,
        log: silentLogger,
      },
    );
    recorder = new EventRecorder('host-1', { api, queue, clock });
  });

  async function record(pod: Pod, event: PodEvent, afterMs = 0): Promise<void> {
    await clock.advanceBy(afterMs);
    recorder.record(pod, event);
    await activity.idle();
  }

  const pod = podOf('web-0', { namespace: 'shop', uid: 'u-1', schedulerName: 'packer' });

  it('writes an event anew whose series the API server does not know any more', async () => {
    await record(pod, FAILED);
    isGone = true;
    await record(pod, FAILED, 1_000);
    isGone = false;
    await record(pod, FAILED, 1_000);
    expect(created.map(({ note }) => note)).to.deep.equal(['no room', 'no room']);
    expect(new Set(created.map(({ metadata }) => metadata.name)).size).to.equal(2);
    expect(patched).to.deep.equal([]);
  });

  it('writes an event as kube-scheduler does', async () => {
    await record(pod, {
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      note: 'Successfully assigned shop/web-0 to n1',
    });
    const nanoseconds = (BigInt(START_MS) * 1_000_000n + 1n).toString(16);
    expect(created).to.deep.equal([
      {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: `web-0.${nanoseconds}`, namespace: 'shop' },
        eventTime: '2026-01-01T12:00:00.000000Z',
        type: 'Normal',
        reason: 'Scheduled',
        action: 'Binding',
        note: 'Successfully assigned shop/web-0 to n1',
        reportingController: 'packer',
        reportingInstance: 'packer-host-1',
        regarding: { kind: 'Pod', apiVersion: 'v1', namespace: 'shop', name: 'web-0', uid: 'u-1' },
      },
    ]);
  });

  it('folds repeats into a series, whatever their note, and writes it once a minute', async () => {
    await record(pod, FAILED);
    await record(pod, { ...FAILED, note: 'still no room' }, 10_000);
    await record(pod, FAILED, 10_000);
    await record(pod, FAILED, 55_000);
    expect(created).to.have.length(1);
    expect(patched.map(({ count, at }) => [count, at])).to.deep.equal([
      [2, '2026-01-01T12:00:10.000000Z'],
      [4, '2026-01-01T12:01:15.000000Z'],
    ]);
    expect(new Set(patched.map(({ name }) => name))).to.deep.equal(new Set([created[0]?.metadata.name]));
  });

  it('begins anew after six minutes of silence', async () => {
    await record(pod, FAILED);
    await record(pod, FAILED, 5 * 60_000);
    await record(pod, FAILED, 6 * 60_000);
    expect([created.length, patched.length]).to.deep.equal([2, 1]);
  });

  it('keeps pods apart, also one that was made again under the same name', async () => {
    await record(pod, FAILED);
    await record(podOf('web-0', { namespace: 'shop', uid: 'u-2', schedulerName: 'packer' }), FAILED);
    expect(created).to.have.length(2);
    expect(created[0]?.metadata.name).to.not.equal(created[1]?.metadata.name);
  });

  it('cuts a note to 1024 bytes without breaking a character', async () => {
    await record(pod, { ...FAILED, note: 'é'.repeat(600) });
    const note = created[0]?.note ?? '';
    expect(Buffer.byteLength(note)).to.be.within(1023, 1024);
    expect(note).to.match(/^é+ \.\.\.$/);
  });

  it("keeps within the API server's lengths", async () => {
    const longest = `${'a'.repeat(235)}.${'b'.repeat(17)}`;
    await record(podOf(longest, { uid: 'u-3', schedulerName: 's'.repeat(150) }), FAILED);
    const [event] = created;
    expect(event?.metadata.name).to.match(/^a{235}\.[0-9a-f]{16}$/);
    expect(event?.reportingInstance).to.have.length(128);
    expect(event?.regarding.name).to.equal(longest);
  });

  it('leaves a note of 1024 bytes alone', async () => {
    await record(pod, { ...FAILED, note: 'x'.repeat(1024) });
    expect(created[0]?.note).to.equal('x'.repeat(1024));
  });
});
