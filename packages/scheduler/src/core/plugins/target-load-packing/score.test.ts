import { expect } from 'chai';
import fc from 'fast-check';
import { expectedPercent, packingScore } from './score.js';

/** Sentence, target, expected percent, score. */
const ROWS: readonly (readonly [string, number, number, number])[] = [
  ['an idle node scores the target', 40, 0, 40],
  ['at the target the score is 100', 40, 40, 100],
  ['just above the target it drops to about the target', 40, 40.01, 40],
  ['at full use it is 0', 40, 100, 0],
  ['above full use it is 0', 40, 100.1, 0],
  ['far above full use it is 0', 40, 500, 0],
  ['the penalty falls from the target, not from 50', 70, 85, 35],
  ['the penalty with the default target', 40, 60, 27],
  ['a half is rounded up', 40, 15, 63],
  ['a half is rounded up below a target of 1 too', 1, 0.5, 51],
  ['a target of 100 takes everything up to 100', 100, 0, 100],
  ['a target of 100 at full use', 100, 100, 100],
  ['a target of 100 above full use', 100, 100.5, 0],
];

const target = fc.integer({ min: 1, max: 100 });
const percent = fc.double({ min: 0, max: 300, noNaN: true });

describe('packingScore', () => {
  for (const [sentence, targetPercent, expected, score] of ROWS) {
    it(`${sentence} (target ${targetPercent}, ${expected} %)`, () => {
      expect(packingScore(expected, targetPercent)).to.equal(score);
    });
  }

  it('is a whole number from 0 to 100', () => {
    fc.assert(
      fc.property(target, percent, (targetPercent, expected) => {
        const score = packingScore(expected, targetPercent);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).to.equal(true);
      }),
    );
  });

  it('never falls up to the target and never rises beyond it', () => {
    fc.assert(
      fc.property(target, percent, percent, (targetPercent, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        if (high <= targetPercent) {
          expect(packingScore(low, targetPercent)).to.be.at.most(packingScore(high, targetPercent));
        } else if (low > targetPercent) {
          expect(packingScore(low, targetPercent)).to.be.at.least(packingScore(high, targetPercent));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('expectedPercent is a share of capacity', () => {
    expect(expectedPercent(1800, 4000)).to.equal(45);
  });
});
