import { expect } from 'chai';
import fc from 'fast-check';
import { Backoff } from './backoff.js';

const LIMITS = { minMs: 100, maxMs: 30_000 };

describe('Backoff', () => {
  it('waits between half and all of a step, and steps double from 200 ms to 30 s', () => {
    const shortest = new Backoff({ ...LIMITS, random: () => 0 });
    const longest = new Backoff({ ...LIMITS, random: () => 1 - Number.EPSILON });
    const steps = [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000];
    for (const step of steps) {
      expect(shortest.nextMs()).to.equal(step / 2);
      expect(longest.nextMs()).to.be.closeTo(step, 0.001);
    }
  });

  it('spreads many that fail at the same moment', () => {
    let drawn = 0;
    const delays = Array.from({ length: 50 }, () => {
      const backoff = new Backoff({ ...LIMITS, random: () => drawn++ / 50 });
      return backoff.nextMs();
    });
    expect(new Set(delays).size).to.equal(50);
  });

  it('never waits less than the least nor more than the most, however often it has failed', () => {
    const drawing = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.array(drawing, { minLength: 1, maxLength: 2000 }), (draws) => {
        let index = 0;
        const backoff = new Backoff({ ...LIMITS, random: () => draws[index++] ?? 0 });
        for (const _ of draws) expect(backoff.nextMs()).to.be.within(LIMITS.minMs, LIMITS.maxMs);
        expect(backoff.failures).to.equal(draws.length);
        backoff.reset();
        expect(backoff.nextMs()).to.be.at.most(200);
      }),
      { numRuns: 50 },
    );
  });
});
