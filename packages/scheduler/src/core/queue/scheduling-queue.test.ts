import { expect } from 'chai';
import fc from 'fast-check';
import type { ClusterEvent } from './cluster-event.js';
import type { Pending } from './queue-entry.js';
import { SchedulingQueue } from './scheduling-queue.js';

const FIT = new Set(['NodeResourcesFit']);
const FREED: ClusterEvent = { kind: 'assigned-pod-deleted', nodeName: 'n' };

function queue(options: { flightLogCapacity?: number } = {}): SchedulingQueue<Pending> {
  return new SchedulingQueue({
    initialBackoffMs: 1_000,
    maxBackoffMs: 10_000,
    unschedulableFlushMs: 300_000,
    ...options,
  });
}

function pod(uid: string, priority = 0): Pending {
  return { uid, priority, gated: false };
}

/** All that can be popped now, in order. */
function drain(pods: SchedulingQueue<Pending>, nowMs: number): string[] {
  const uids: string[] = [];
  for (let next = pods.pop(nowMs); next !== undefined; next = pods.pop(nowMs)) {
    uids.push(next.item.uid);
  }
  return uids;
}

/** Lets a pod fail `times` times, each attempt begun by an event as soon as the back-off is over. */
function failRepeatedly(pods: SchedulingQueue<Pending>, uid: string, times: number): number {
  let nowMs = 0;
  for (let round = 0; round < times; round++) {
    pods.pop(nowMs);
    pods.failed(uid, { kind: 'unschedulable', rejectedBy: FIT }, nowMs);
    if (round < times - 1) {
      nowMs += 60_000;
      pods.onEvent(FREED, nowMs);
    }
  }
  return nowMs;
}

describe('SchedulingQueue', () => {
  describe('order', () => {
    it('is by priority, then by age, then by arrival', () => {
      const pods = queue();
      pods.upsert(pod('young'), 2);
      pods.upsert(pod('old'), 1);
      pods.upsert(pod('old-too'), 1);
      pods.upsert(pod('urgent', 1000), 3);
      pods.upsert(pod('negative', -1), 0);
      expect(drain(pods, 10)).to.deep.equal(['urgent', 'old', 'old-too', 'young', 'negative']);
    });

    it('puts a pod that keeps failing behind its equals', () => {
      const pods = queue();
      pods.upsert(pod('stubborn'), 0);
      pods.pop(0);
      pods.failed('stubborn', { kind: 'error' }, 0);
      pods.upsert(pod('fresh'), 500);
      expect(drain(pods, 1_000)).to.deep.equal(['fresh', 'stubborn']);
    });

    it('stays right when pods leave from the middle and come back', () => {
      const operation = fc.record({
        uid: fc.nat(20),
        priority: fc.integer({ min: -2, max: 2 }),
        remove: fc.boolean(),
      });
      fc.assert(
        fc.property(fc.array(operation, { maxLength: 80 }), (operations) => {
          const pods = queue();
          const expected = new Map<string, { priority: number; at: number }>();
          operations.forEach(({ uid, priority, remove }, at) => {
            const name = `p${uid}`;
            pods.remove(name);
            expected.delete(name);
            if (!remove) {
              pods.upsert(pod(name, priority), at);
              expected.set(name, { priority, at });
            }
          });
          const order = [...expected].sort(([, a], [, b]) => b.priority - a.priority || a.at - b.at);
          expect(drain(pods, 1_000)).to.deep.equal(order.map(([name]) => name));
        }),
      );
    });
  });

  describe('back-off', () => {
    for (const [failures, delayMs] of [
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
      [4, 8_000],
      [5, 10_000],
      [40, 10_000],
    ] as const) {
      it(`after ${failures} unschedulable results lasts ${delayMs} ms`, () => {
        const pods = queue();
        pods.upsert(pod('a'), 0);
        const failedMs = failRepeatedly(pods, 'a', failures);
        pods.onEvent(FREED, failedMs + delayMs - 1);
        expect(pods.state('a')).to.equal('backoff');
        pods.flush(failedMs + delayMs);
        expect(pods.state('a')).to.equal('active');
      });
    }

    it('ends early for an unschedulable pod when nothing else is to do', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      failRepeatedly(pods, 'a', 1);
      pods.onEvent(FREED, 10);
      expect(pods.state('a')).to.equal('backoff');
      expect(pods.pop(10)).to.include({ attempt: 2 });
    });

    it('never ends early after an error', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      pods.pop(0);
      pods.failed('a', { kind: 'error' }, 0);
      expect(pods.pop(999)).to.equal(undefined);
      expect(pods.nextWakeMs()).to.equal(1_000);
      expect(pods.pop(1_000)).to.include({ attempt: 2 });
    });

    it('counts errors in a row and apart from unschedulable results', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      failRepeatedly(pods, 'a', 3);
      pods.onEvent(FREED, 200_000);
      pods.pop(200_000);
      pods.failed('a', { kind: 'error' }, 200_000);
      expect(pods.nextWakeMs()).to.equal(201_000);
    });

    it('is over already when the event comes late', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      failRepeatedly(pods, 'a', 1);
      pods.onEvent(FREED, 5_000);
      expect(pods.state('a')).to.equal('active');
    });
  });

  describe('events', () => {
    it('wake only pods that a concerned plugin refused', () => {
      const pods = queue();
      const refusals: readonly (readonly [string, string])[] = [
        ['fit', 'NodeResourcesFit'],
        ['taint', 'TaintToleration'],
        ['affinity', 'NodeAffinity'],
        ['port', 'NodePorts'],
        ['unheard', 'SomePlugin'],
      ];
      for (const [uid, plugin] of refusals) {
        pods.upsert(pod(uid), 0);
        pods.pop(0);
        pods.failed(uid, { kind: 'unschedulable', rejectedBy: new Set([plugin]) }, 0);
      }
      pods.onEvent({ kind: 'node-updated', nodeName: 'n', changes: new Set(['taints']) }, 10_000);
      expect(drain(pods, 10_000)).to.deep.equal(['taint', 'unheard']);
      pods.onEvent(FREED, 20_000);
      expect(drain(pods, 20_000)).to.deep.equal(['fit', 'port']);
      pods.onEvent({ kind: 'node-added', nodeName: 'n' }, 30_000);
      expect(drain(pods, 30_000)).to.deep.equal(['affinity']);
    });

    it('wake a pod that failed for want of nodes', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      pods.pop(0);
      pods.failed('a', { kind: 'unschedulable', rejectedBy: new Set() }, 0);
      pods.onEvent({ kind: 'node-added', nodeName: 'n' }, 10_000);
      expect(drain(pods, 10_000)).to.deep.equal(['a']);
    });

    it('pass by a pod that a closer look says they can not help', () => {
      const pods = new SchedulingQueue<Pending>({
        initialBackoffMs: 1_000,
        maxBackoffMs: 10_000,
        unschedulableFlushMs: 300_000,
        refusedThereBy: (_item, event) =>
          'nodeName' in event && event.nodeName === 'large' ? undefined : [],
      });
      pods.upsert(pod('a'), 0);
      pods.pop(0);
      pods.failed('a', { kind: 'unschedulable', rejectedBy: FIT }, 0);
      pods.onEvent({ kind: 'node-added', nodeName: 'small' }, 5_000);
      expect(pods.state('a')).to.equal('unschedulable');
      pods.onEvent({ kind: 'node-added', nodeName: 'large' }, 5_000);
      expect(pods.state('a')).to.equal('active');
    });

    it('that happen during the attempt count', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      pods.pop(0);
      pods.onEvent(FREED, 5);
      pods.failed('a', { kind: 'unschedulable', rejectedBy: FIT }, 10);
      expect(pods.state('a')).to.equal('backoff');
    });

    it('before the attempt do not count', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      pods.upsert(pod('b'), 1);
      pods.pop(2);
      pods.onEvent(FREED, 3);
      pods.pop(4);
      pods.failed('b', { kind: 'unschedulable', rejectedBy: FIT }, 5);
      expect(pods.state('b')).to.equal('unschedulable');
    });

    it('are assumed to help when too many to remember came during the attempt', () => {
      const pods = queue({ flightLogCapacity: 10 });
      pods.upsert(pod('a'), 0);
      pods.pop(0);
      for (let at = 0; at < 30; at++) {
        pods.onEvent({ kind: 'namespace-updated' }, at);
      }
      pods.failed('a', { kind: 'unschedulable', rejectedBy: FIT }, 30);
      expect(pods.state('a')).to.equal('backoff');
    });
  });

  describe('changes of the pod itself', () => {
    it('wake it when they may help', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      failRepeatedly(pods, 'a', 1);
      pods.upsert(pod('a'), 5_000, false);
      expect(pods.state('a')).to.equal('unschedulable');
      pods.upsert(pod('a'), 5_000, true);
      expect(pods.state('a')).to.equal('active');
    });

    it('during the attempt count too', () => {
      const pods = queue();
      pods.upsert(pod('a'), 0);
      pods.pop(0);
      pods.upsert(pod('a'), 1, true);
      pods.failed('a', { kind: 'unschedulable', rejectedBy: FIT }, 2);
      expect(pods.state('a')).to.equal('backoff');
    });

    it('let it go when its gates are gone', () => {
      const pods = queue();
      pods.upsert({ ...pod('a'), gated: true }, 0);
      pods.onEvent(FREED, 1_000_000);
      expect(drain(pods, 1_000_000)).to.deep.equal([]);
      pods.upsert(pod('a'), 1_000_001);
      expect(drain(pods, 1_000_001)).to.deep.equal(['a']);
    });
  });

  it('tries an unschedulable pod again after five minutes without any event', () => {
    const pods = queue();
    pods.upsert(pod('a'), 0);
    failRepeatedly(pods, 'a', 1);
    expect(pods.nextWakeMs()).to.equal(300_000);
    expect(drain(pods, 299_999)).to.deep.equal([]);
    expect(drain(pods, 300_000)).to.deep.equal(['a']);
  });

  it('drops a pod that was deleted during its attempt', () => {
    const pods = queue();
    pods.upsert(pod('a'), 0);
    pods.pop(0);
    pods.remove('a');
    pods.failed('a', { kind: 'error' }, 1);
    expect(pods.state('a')).to.equal(undefined);
    expect(pods.nextWakeMs()).to.equal(undefined);
  });

  it('never loses or doubles a pod, whatever happens', () => {
    const uid = fc.integer({ min: 0, max: 5 }).map(String);
    const plugin = fc.constantFrom('NodeResourcesFit', 'TaintToleration', 'Other');
    const operation = fc.oneof(
      fc.record({ op: fc.constant('upsert' as const), uid, gated: fc.boolean(), improved: fc.boolean() }),
      fc.record({ op: fc.constant('remove' as const), uid }),
      fc.record({ op: fc.constant('pop' as const) }),
      fc.record({ op: fc.constant('failed' as const), uid, plugin }),
      fc.record({ op: fc.constant('error' as const), uid }),
      fc.record({ op: fc.constant('event' as const) }),
      fc.record({ op: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 400_000 }) }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), (operations) => {
        const pods = queue({ flightLogCapacity: 4 });
        const present = new Set<string>();
        const inFlight = new Set<string>();
        let nowMs = 0;
        for (const step of operations) {
          switch (step.op) {
            case 'upsert':
              pods.upsert(
                { ...pod(step.uid), gated: step.gated && !present.has(step.uid) },
                nowMs,
                step.improved,
              );
              present.add(step.uid);
              break;
            case 'remove':
              pods.remove(step.uid);
              present.delete(step.uid);
              inFlight.delete(step.uid);
              break;
            case 'pop': {
              const popped = pods.pop(nowMs)?.item.uid;
              if (popped !== undefined) {
                expect(inFlight.has(popped), 'popped twice').to.equal(false);
                expect(present.has(popped), 'popped though removed').to.equal(true);
                inFlight.add(popped);
              }
              break;
            }
            case 'failed':
              pods.failed(step.uid, { kind: 'unschedulable', rejectedBy: new Set([step.plugin]) }, nowMs);
              inFlight.delete(step.uid);
              break;
            case 'error':
              pods.failed(step.uid, { kind: 'error' }, nowMs);
              inFlight.delete(step.uid);
              break;
            case 'event':
              pods.onEvent(FREED, nowMs);
              break;
            case 'wait':
              nowMs += step.ms;
              break;
          }
          const counts = pods.counts();
          expect(Object.values(counts).reduce((sum, count) => sum + count)).to.equal(present.size);
          expect(counts['in-flight']).to.equal(inFlight.size);
        }
        const waiting = [...present].filter((name) => !inFlight.has(name) && pods.state(name) !== 'gated');
        expect(drain(pods, nowMs + 1_000_000).sort()).to.deep.equal(waiting.sort());
      }),
    );
  });
});
