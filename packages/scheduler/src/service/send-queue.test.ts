import { type Logger, silentLogger, VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { Activity } from './activity.js';
import { RateLimiter } from './rate-limiter.js';
import { turns } from './scheduler-world.test.js';
import { SendQueue } from './send-queue.js';

function queueOf(options: { capacity?: number; parallelism?: number } = {}) {
  const dropped: string[] = [];
  const warnings: string[] = [];
  const log: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
  const activity = new Activity();
  const queue = new SendQueue(
    { name: 'things', capacity: options.capacity ?? 100, parallelism: options.parallelism ?? 2 },
    {
      limiter: new RateLimiter({ perSecond: -1, burst: 1 }, new VirtualClock(0)),
      activity,
      log,
      onDropped: () => dropped.push('one'),
    },
  );
  return { queue, activity, dropped, warnings };
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

  it('goes on after failures, and warns once until something gets through', async () => {
    const { queue, activity, warnings } = queueOf({ parallelism: 1 });
    const outcomes = [false, false, true, false];
    outcomes.forEach((isGood, index) => {
      queue.offer(String(index), () => (isGood ? Promise.resolve() : Promise.reject(new Error('no'))));
    });
    await activity.idle();
    expect(warnings).to.deep.equal(['could not be sent', 'could not be sent']);
  });

  it('takes nothing once closed', () => {
    const { queue } = queueOf();
    queue.close();
    expect(queue.offer('a', new HeldSend().send)).to.equal(false);
  });
});
