import { expect } from 'chai';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { InactivityTimer } from './inactivity-timer.js';

const LIMIT_MS = 150_000;
const HOUR_MS = 3_600_000;

/** A clock whose time of day is set while its timers run on. */
class AdjustedClock extends VirtualClock {
  offsetMs = 0;

  override nowMs(): number {
    return super.nowMs() + this.offsetMs;
  }
}

describe('InactivityTimer', () => {
  let clock: AdjustedClock;
  let silences: number;
  let timer: InactivityTimer;

  beforeEach(() => {
    clock = new AdjustedClock(Date.UTC(2026, 10, 30));
    silences = 0;
    timer = new InactivityTimer(clock, LIMIT_MS, () => {
      silences += 1;
    });
  });

  it('calls back once, when nothing has touched it for as long as it says', async () => {
    await clock.advanceBy(100_000);
    timer.touch();
    await clock.advanceBy(LIMIT_MS - 1);
    expect(silences).to.equal(0);
    await clock.advanceBy(1);
    expect(silences).to.equal(1);
    await clock.advanceBy(HOUR_MS);
    expect(silences).to.equal(1);
  });

  it('leaves no timer when it is closed', async () => {
    timer.close();
    expect(clock.nextTimerMs()).to.equal(undefined);
    await clock.advanceBy(HOUR_MS);
    expect(silences).to.equal(0);
  });

  it('notices a silence within twice its time when the clock is set back by an hour', async () => {
    await clock.advanceBy(10_000);
    timer.touch();
    clock.offsetMs = -HOUR_MS;
    await clock.advanceBy(2 * LIMIT_MS);
    expect(silences).to.equal(1);
  });

  it('takes a clock that is set forward for a silence at most once', async () => {
    clock.offsetMs = HOUR_MS;
    await clock.advanceBy(LIMIT_MS);
    expect(silences).to.equal(1);
    await clock.advanceBy(HOUR_MS);
    expect(silences).to.equal(1);
  });
});
