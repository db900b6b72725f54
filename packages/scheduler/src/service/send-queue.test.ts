import {
  ClusterApiError,
  type ClusterApiErrorCode,
  type Logger,
  silentLogger,
  VirtualClock,
} from '@catamaran/platform';
import { expect } from 'chai';
import { Activity } from './activity.js';
import { CallSlots } from './call-slots.js';
import { RateLimiter } from './rate-limiter.js';
import { turns } from './scheduler-world.test.js';
import { SendQueue } from './send-queue.js';

function queueOf(options: { capacity?: number; parallelism?: number; maxTries?: number } = {}) {
  const { capacity = 100, parallelism = 2, maxTries = 3 } = options;
  const dropped: string[] = [];
  const warnings: string[] = [];
  const log: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
  const activity = new Activity();
  const clock = new VirtualClock(0);
  const slots = { limit: parallelism, slowAfterMs: 1_000, hardLimit: 2 * parallelism, deadlineMs: 30_000 };
  const queue = new SendQueue(
    { name: 'things', capacity, maxTries },
    {
      limiter: new RateLimiter({ perSecond: -1, burst: 1 }, clock),
      slots: (onRoom) => new CallSlots(slots, clock, onRoom),
      clock,
      random: () => 1,
      activity,
      log,
      onDropped: () => dropped.push('one'),
    },
  );
  return { queue, activity, clock, dropped, warnings };
}

/** A send that ends when told to. */
class HeldSend {
  hasBegun = false;
  #release: () => void = () => undefined;
  readonly #ended = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  readonly send = (): Promise<void> => {
    this.hasBegun = true;
    return this.#ended;
  };

  release(): void {
    this.#release();
  }
}

/** A send that fails so often; `at` are the times of its tries. */
function failing(clock: VirtualClock, times: number, code: ClusterApiErrorCode, retryAfterMs?: number) {
  const at: number[] = [];
  const details = retryAfterMs === undefined ? {} : { retryAfterMs };
  const send = (): Promise<void> => {
    at.push(clock.nowMs());
    return at.length <= times ? Promise.reject(new ClusterApiError(code, 'no', details)) : Promise.resolve();
  };
  return { at, send };
}

const NOW = AbortSignal.abort();

describe('SendQueue', () => {
  it('sends in order, so many at once', async () => {
    const { queue } = queueOf();
    const sends = [new HeldSend(), new HeldSend(), new HeldSend()];
    sends.forEach(({ send }, index) => void queue.offer(String(index), send));
    await turns(2);
    expect(sends.map(({ hasBegun }) => hasBegun)).to.deep.equal([true, true, false]);
    sends[0]?.release();
    await turns(2);
    expect(sends[2]?.hasBegun).to.equal(true);
  });

  it('is not held up by sends that hang: each gives up its slot after a second', async () => {
    const { queue, clock } = queueOf();
    const sends = Array.from({ length: 5 }, () => new HeldSend());
    sends.forEach(({ send }, index) => void queue.offer(String(index), send));
    await turns(2);
    await clock.advanceBy(1_000);
    await turns(2);
    expect(sends.map(({ hasBegun }) => hasBegun)).to.deep.equal([true, true, true, true, false]);
    await clock.advanceBy(30_000);
    await turns(2);
    expect(sends[4]?.hasBegun).to.equal(true);
  });

  it('drops what comes when too much waits, and says so', async () => {
    const { queue, dropped } = queueOf({ capacity: 2, parallelism: 1 });
    const first = new HeldSend();
    expect(queue.offer('a', first.send)).to.equal(true);
    await turns(2);
    const outcomes = ['b', 'c', 'd'].map((key) => queue.offer(key, new HeldSend().send));
    expect([outcomes, dropped]).to.deep.equal([[true, true, false], ['one']]);
  });

  it('replaces what waits under the same key', async () => {
    const { queue, activity } = queueOf({ parallelism: 1 });
    const first = new HeldSend();
    const sent: string[] = [];
    const note = (text: string) => () => {
      sent.push(text);
      return Promise.resolve();
    };
    queue.offer('busy', first.send);
    await turns(2);
    queue.offer('pod', note('old'));
    queue.offer('other', note('other'));
    queue.offer('pod', note('new'));
    first.release();
    await activity.idle();
    expect(sent).to.deep.equal(['new', 'other']);
  });

  it('never lets a newer thing overtake an older one of the same key', async () => {
    const { queue, activity } = queueOf({ parallelism: 4 });
    const old = new HeldSend();
    const newer = new HeldSend();
    queue.offer('pod', old.send);
    queue.offer('pod', newer.send);
    await turns(2);
    expect([old.hasBegun, newer.hasBegun]).to.deep.equal([true, false]);
    old.release();
    await turns(2);
    expect(newer.hasBegun).to.equal(true);
    newer.release();
    await activity.idle();
  });

  for (const code of [
    'throttled',
    'unavailable',
    'timeout',
    'invalid-answer',
    'unauthorized',
    'conflict',
  ] as const) {
    it(`tries again what fails because of the server (${code}), ever less often`, async () => {
      const { queue, clock, dropped } = queueOf({ maxTries: 10 });
      const { at, send } = failing(clock, 3, code);
      queue.offer('a', send);
      await turns(2);
      await clock.advanceBy(60_000);
      expect([at, dropped, queue.waiting]).to.deep.equal([[0, 1_000, 3_000, 7_000], [], 0]);
    });
  }

  for (const code of ['forbidden', 'rejected', 'not-found', 'gone'] as const) {
    it(`does not try again what was refused (${code})`, async () => {
      const { queue, clock, dropped } = queueOf();
      const { at, send } = failing(clock, 3, code);
      queue.offer('a', send);
      await turns(2);
      await clock.advanceBy(60_000);
      expect([at, dropped]).to.deep.equal([[0], ['one']]);
    });
  }

  it('waits as long as the server asks', async () => {
    const { queue, clock } = queueOf();
    const { at, send } = failing(clock, 1, 'throttled', 17_000);
    queue.offer('a', send);
    await turns(2);
    await clock.advanceBy(60_000);
    expect(at).to.deep.equal([0, 17_000]);
  });

  it('gives a thing up after so many tries, and counts it', async () => {
    const { queue, clock, dropped } = queueOf({ maxTries: 3 });
    const { at, send } = failing(clock, 100, 'unavailable');
    queue.offer('a', send);
    await turns(2);
    await clock.advanceBy(600_000);
    expect([at.length, dropped]).to.deep.equal([3, ['one']]);
  });

  it('sends the newest of a key only, also when an older one waits for its next try', async () => {
    const { queue, clock } = queueOf({ maxTries: 10 });
    const old = failing(clock, 100, 'unavailable');
    queue.offer('pod', old.send);
    await turns(2);
    const newer = failing(clock, 0, 'unavailable');
    queue.offer('pod', newer.send);
    await turns(2);
    await clock.advanceBy(600_000);
    expect([old.at, newer.at]).to.deep.equal([[0], [0]]);
  });

  it('drops what waits under a key that is of no use any more', async () => {
    const { queue, clock, dropped } = queueOf();
    const { at, send } = failing(clock, 100, 'unavailable');
    queue.offer('pod', send);
    await turns(2);
    queue.drop('pod');
    await clock.advanceBy(600_000);
    expect([at, dropped, queue.waiting]).to.deep.equal([[0], [], 0]);
  });

  it('goes on after failures, and warns once until something gets through', async () => {
    const { queue, activity, warnings } = queueOf({ parallelism: 1 });
    const outcomes = [false, false, true, false];
    outcomes.forEach((isGood, index) => {
      queue.offer(String(index), () => (isGood ? Promise.resolve() : Promise.reject(new Error('no'))));
    });
    await activity.idle();
    expect(warnings).to.deep.equal(['could not be sent', 'could not be sent']);
  });

  it('sends what waits before it closes, what waits for its next try too', async () => {
    const { queue, clock, dropped, warnings } = queueOf({ parallelism: 1 });
    const again = failing(clock, 1, 'unavailable');
    queue.offer('again', again.send);
    await turns(2);
    const sends = Array.from({ length: 10 }, () => failing(clock, 0, 'unavailable'));
    sends.forEach(({ send }, index) => void queue.offer(String(index), send));
    await queue.close(new AbortController().signal);
    expect([again.at, ...sends.map(({ at }) => at)].map(({ length }) => length)).to.deep.equal([
      2,
      ...sends.map(() => 1),
    ]);
    expect([dropped, warnings]).to.deep.equal([[], ['could not be sent']]);
  });

  it('counts and says what could not be sent before the end', async () => {
    const { queue, dropped, warnings } = queueOf({ parallelism: 1 });
    for (const key of ['a', 'b', 'c']) queue.offer(key, new HeldSend().send);
    await queue.close(NOW);
    expect([dropped.length, warnings]).to.deep.equal([3, ['not everything could be sent before the end']]);
  });

  it('takes nothing once closed', async () => {
    const { queue } = queueOf();
    await queue.close(NOW);
    expect(queue.offer('a', new HeldSend().send)).to.equal(false);
  });
});
