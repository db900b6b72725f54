import { expect } from 'chai';
import { type SinonFakeTimers, useFakeTimers } from 'sinon';
import { SystemClock } from './system-clock.js';

const DAY_MS = 86_400_000;

describe('SystemClock', () => {
  let timers: SinonFakeTimers;
  beforeEach(() => {
    timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 5_000 });
  });
  afterEach(() => timers.restore());

  it('tells the time of the machine', () => {
    expect(new SystemClock().nowMs()).to.equal(5_000);
  });

  it('waits longer than one timer of Node.js can: 60 days, not a millisecond', () => {
    let fired = 0;
    new SystemClock().schedule(60 * DAY_MS, () => fired++);
    timers.tick(60 * DAY_MS - 1);
    expect(fired).to.equal(0);
    timers.tick(1);
    expect(fired).to.equal(1);
    expect(timers.countTimers()).to.equal(0);
  });

  it('cancels a long wait in any of its parts', () => {
    let fired = 0;
    const cancel = new SystemClock().schedule(60 * DAY_MS, () => fired++);
    timers.tick(30 * DAY_MS);
    cancel();
    cancel();
    timers.tick(60 * DAY_MS);
    expect([fired, timers.countTimers()]).to.deep.equal([0, 0]);
  });

  it('takes a negative delay for none', () => {
    let fired = 0;
    new SystemClock().schedule(-1, () => fired++);
    timers.tick(0);
    expect(fired).to.equal(1);
  });

  it('ends a sleep with the reason of the abort', async () => {
    const stop = new AbortController();
    const sleeping = new SystemClock().sleep(DAY_MS, stop.signal).catch((error: unknown) => error);
    const reason = new Error('stopped');
    stop.abort(reason);
    expect(await sleeping).to.equal(reason);
    expect(timers.countTimers()).to.equal(0);
  });
});
