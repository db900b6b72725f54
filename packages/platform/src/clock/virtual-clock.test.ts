import { expect } from 'chai';
import fc from 'fast-check';
import { VirtualClock } from './virtual-clock.js';

describe('VirtualClock', () => {
  it('stands still until it is moved, and fires nothing early', async () => {
    const clock = new VirtualClock(1_000);
    let fired = 0;
    clock.schedule(10, () => fired++);
    await clock.advanceBy(9);
    expect([clock.nowMs(), fired]).to.deep.equal([1_009, 0]);
    await clock.advanceBy(1);
    expect([clock.nowMs(), fired]).to.deep.equal([1_010, 1]);
  });

  it('fires in order of time, equal times in the order set, each at its own time', async () => {
    const clock = new VirtualClock(0);
    const seen: [string, number][] = [];
    for (const [name, delay] of [
      ['late', 30],
      ['first', 10],
      ['second', 10],
      ['middle', 20],
      ['now', 0],
    ] as const) {
      clock.schedule(delay, () => seen.push([name, clock.nowMs()]));
    }
    await clock.advanceTo(25);
    expect(seen).to.deep.equal([
      ['now', 0],
      ['first', 10],
      ['second', 10],
      ['middle', 20],
    ]);
    expect(clock.nextTimerMs()).to.equal(30);
  });

  it('fires timers that a timer sets, when they fall due on the way', async () => {
    const clock = new VirtualClock(0);
    const seen: number[] = [];
    const tick = (): void => {
      seen.push(clock.nowMs());
      clock.schedule(10, tick);
    };
    clock.schedule(10, tick);
    clock.schedule(20, () => clock.schedule(0, () => seen.push(-clock.nowMs())));
    await clock.advanceTo(35);
    expect(seen).to.deep.equal([10, 20, -20, 30]);
    expect(clock.nowMs()).to.equal(35);
  });

  it('lets the work of one instant finish before the next', async () => {
    const clock = new VirtualClock(0);
    const seen: string[] = [];
    const work = async (): Promise<void> => {
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`settled at ${clock.nowMs()}`);
    };
    let pending = Promise.resolve();
    clock.schedule(10, () => {
      pending = work();
    });
    clock.schedule(20, () => seen.push('next'));
    await clock.advanceTo(20, () => pending);
    expect(seen).to.deep.equal(['settled at 10', 'next']);
  });

  it('cancels a timer, twice without harm, also from a timer of the same instant', async () => {
    const clock = new VirtualClock(0);
    const seen: string[] = [];
    const cancelEarly = clock.schedule(5, () => seen.push('cancelled'));
    clock.schedule(5, () => cancelSame());
    const cancelSame = clock.schedule(5, () => seen.push('cancelled by a neighbour'));
    const cancelFired = clock.schedule(5, () => seen.push('kept'));
    cancelEarly();
    cancelEarly();
    await clock.advanceBy(10);
    cancelFired();
    expect(seen).to.deep.equal(['kept']);
    expect(clock.nextTimerMs()).to.equal(undefined);
  });

  it('never moves backwards', async () => {
    const clock = new VirtualClock(100);
    clock.schedule(-50, () => expect(clock.nowMs()).to.equal(100));
    await clock.advanceTo(50);
    expect(clock.nowMs()).to.equal(100);
    await clock.advanceBy(0);
    expect(clock.nextTimerMs()).to.equal(undefined);
  });

  it('sleeps until its time', async () => {
    const clock = new VirtualClock(0);
    let woken = -1;
    const sleeping = clock.sleep(10).then(() => {
      woken = clock.nowMs();
    });
    await clock.advanceTo(10);
    await sleeping;
    expect(woken).to.equal(10);
  });

  it('wakes a sleeper with the reason of the abort, and leaves no timer behind', async () => {
    const clock = new VirtualClock(0);
    const stop = new AbortController();
    const sleeping = clock.sleep(10, stop.signal).catch((error: unknown) => error);
    const reason = new Error('stopped');
    stop.abort(reason);
    expect(await sleeping).to.equal(reason);
    expect(clock.nextTimerMs()).to.equal(undefined);
    expect(await clock.sleep(10, stop.signal).catch((error: unknown) => error)).to.equal(reason);
    expect(clock.nextTimerMs()).to.equal(undefined);
  });

  it('fires any set of timers in the order of a stable sort', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 30 }), async (delays) => {
        const clock = new VirtualClock(0);
        const fired: number[] = [];
        delays.forEach((delay, index) => {
          clock.schedule(delay, () => fired.push(index));
        });
        await clock.advanceTo(20);
        const sorted = delays.map((delay, index) => ({ delay, index })).sort((a, b) => a.delay - b.delay);
        expect(fired).to.deep.equal(sorted.map(({ index }) => index));
      }),
    );
  });
});
