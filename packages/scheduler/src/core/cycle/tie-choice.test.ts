import { expect } from 'chai';
import fc from 'fast-check';
import { tieIndex } from './tie-choice.js';

describe('tieIndex', () => {
  it('is the same for the same pod and seed, and below the count', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), fc.integer({ min: 1, max: 5000 }), (uid, seed, count) => {
        const index = tieIndex(uid, seed, count);
        expect(index).to.equal(tieIndex(uid, seed, count));
        expect(index >= 0 && index < count && Number.isInteger(index)).to.equal(true);
      }),
    );
  });

  for (const count of [2, 3, 7, 64]) {
    it(`spreads pods with rising uids evenly over ${count} nodes`, () => {
      const pods = 200 * count;
      const taken = Array.from({ length: count }, () => 0);
      for (let pod = 0; pod < pods; pod += 1) {
        const index = tieIndex(`7f1c9d2e-0000-4000-8000-${String(pod).padStart(12, '0')}`, 1, count);
        taken[index] = (taken[index] ?? 0) + 1;
      }
      const chiSquare = taken.reduce((sum, seen) => sum + (seen - 200) ** 2 / 200, 0);
      expect(chiSquare).to.be.below(count + 4 * Math.sqrt(2 * count));
    });
  }

  it('another seed is another choice', () => {
    const choices = new Set(Array.from({ length: 20 }, (_, seed) => tieIndex('uid', seed, 1000)));
    expect(choices.size).to.be.above(15);
  });
});
