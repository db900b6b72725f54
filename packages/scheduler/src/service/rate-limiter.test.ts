import { VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { RateLimiter } from './rate-limiter.js';

const NEVER = new AbortController().signal;

/** When each of `count` calls made at once gets through, in milliseconds from now. */
async function passTimes(limit: { perSecond: number; burst: number }, count: number): Promise<number[]> {
  const clock = new VirtualClock(1_000_000);
  const limiter = new RateLimiter(limit, clock);
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    void limiter.take(NEVER).then(() => times.push(clock.nowMs() - 1_000_000));
  }
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advanceBy(60_000);
  return times;
}

describe('RateLimiter', () => {
  it('lets the burst through at once, then one an interval', async () => {
    expect(await passTimes({ perSecond: 10, burst: 3 }, 6)).to.deep.equal([0, 0, 0, 100, 200, 300]);
  });

  it('does not limit when the rate is negative', async () => {
    expect(await passTimes({ perSecond: -1, burst: 1 }, 4)).to.deep.equal([0, 0, 0, 0]);
  });

  it('fills up again while idle, but not beyond the burst', async () => {
    const clock = new VirtualClock(0);
    const limiter = new RateLimiter({ perSecond: 10, burst: 2 }, clock);
    await limiter.take(NEVER);
    await limiter.take(NEVER);
    await clock.advanceBy(3_600_000);
    const times: number[] = [];
    for (let call = 0; call < 3; call++) {
      void limiter.take(NEVER).then(() => times.push(clock.nowMs() - 3_600_000));
    }
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advanceBy(1_000);
    expect(times).to.deep.equal([0, 0, 100]);
  });

  it('stops waiting when the signal aborts', async () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, new VirtualClock(0));
    const stop = new AbortController();
    await limiter.take(stop.signal);
    const waiting = limiter.take(stop.signal).then(
      () => 'passed',
      (reason: unknown) => String(reason),
    );
    stop.abort(new Error('enough'));
    expect(await waiting).to.equal('Error: enough');
  });
});
