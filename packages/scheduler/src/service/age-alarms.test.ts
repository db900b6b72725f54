import { VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { untimely } from '../core/node-statistics/load-basis.js';
import { AgeAlarms } from './age-alarms.js';

const START_MS = 1_800_000_000_000;

/** Sentence, the figures' time from now and their age limits in seconds, when it tells in seconds from now. */
const ROWS: readonly (readonly [string, number, readonly (number | undefined)[], readonly number[]])[] = [
  ['figures of now, once for each limit', 0, [60, 300], [60, 300]],
  ['one time for equal limits', 0, [60, 60], [60]],
  ['figures of a while ago, for what is still to come', -100, [60, 300], [200]],
  ['figures that are too old already, never', -400, [60, 300], []],
  ['figures from the future, also when they become usable', 200, [60], [80, 260]],
  ['figures that never get too old, never', 0, [undefined], []],
];

describe('AgeAlarms', () => {
  let clock: VirtualClock;
  let told: number[];
  let alarms: AgeAlarms;
  beforeEach(() => {
    clock = new VirtualClock(START_MS);
    told = [];
    alarms = new AgeAlarms(clock, () => told.push((clock.nowMs() - START_MS) / 1000));
  });
  afterEach(() => alarms.close());

  for (const [sentence, at, limits, expected] of ROWS) {
    it(`tells of ${sentence}`, async () => {
      const limitsMs = limits.map((limit) => (limit === undefined ? undefined : limit * 1000));
      alarms.set('k', START_MS + at * 1000, limitsMs);
      await clock.advanceBy(1_000_000);
      expect(told.map(Math.floor)).to.deep.equal(expected);
    });
  }

  it('tells when the verdict on the age has changed, not before', async () => {
    const timeMs = START_MS + 200_000;
    const verdicts: (string | undefined)[] = [];
    const maxAgeMs = 60_000;
    const watching = new AgeAlarms(clock, () =>
      verdicts.push(untimely(clock.nowMs() - timeMs, { maxAgeMs })),
    );
    watching.set('k', timeMs, [maxAgeMs]);
    await clock.advanceBy(1_000_000);
    expect(verdicts).to.deep.equal([undefined, 'too-old']);
  });

  it('forgets older figures when newer ones come, of that key only', async () => {
    alarms.set('k', START_MS, [60_000]);
    alarms.set('other', START_MS, [70_000]);
    await clock.advanceBy(30_000);
    alarms.set('k', START_MS + 30_000, [60_000]);
    await clock.advanceBy(1_000_000);
    expect(told.map(Math.floor)).to.deep.equal([70, 90]);
  });

  it('tells nothing after it is closed', async () => {
    alarms.set('k', START_MS, [60_000]);
    alarms.close();
    await clock.advanceBy(1_000_000);
    expect(told).to.deep.equal([]);
  });
});
