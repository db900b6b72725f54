import { expect } from 'chai';
import fc from 'fast-check';
import { sharesWith } from '../../node-statistics/resource-use.js';
import { balancingScore, resourceScore, weightedDeviation } from './score.js';

/** Margin, sensitivity, capacity, requested, average, deviation, score: asserted by Trimaran's own unit test. */
const UPSTREAM: readonly (readonly [number, number, number, number, number, number, number])[] = [
  [1, 1, 100, 10, 40, 36, 57],
  [1, 2, 100, 10, 40, 36, 45],
  [1, 2, 100, 10, -40, 36, 65],
  [1, 2, 100, 10, 200, 36, 20],
  [1, 2, 100, 10, 40, -36, 75],
  [1, 2, 100, 10, 40, 120, 25],
  [-1, 1, 100, 10, 40, 36, 75],
  [1, 0, 100, 10, 40, 36, 75],
];

describe('LoadVariationRiskBalancing score', () => {
  for (const [margin, sensitivity, capacity, requested, used, deviation, score] of UPSTREAM) {
    it(`margin ${margin}, sensitivity ${sensitivity}: ${used} ± ${deviation} with ${requested} gives ${score}`, () => {
      const plausible = { capacity, used: Math.max(Math.min(used, capacity), 0), deviation };
      const shares = sharesWith(plausible, requested);
      const weighted = weightedDeviation(shares.deviation, { margin, sensitivity });
      expect(Math.round(resourceScore(shares.mean, weighted))).to.equal(score);
    });
  }

  it('with sensitivity 0 a deviation counts only when it is the whole capacity', () => {
    const weigh = (deviation: number): number => weightedDeviation(deviation, { margin: 1, sensitivity: 0 });
    expect([weigh(0), weigh(0.999), weigh(1)]).to.deep.equal([0, 0, 1]);
  });

  it('the worse resource counts; one that was not measured does not', () => {
    expect(balancingScore(62.5, 80)).to.equal(63);
    expect(balancingScore(80, 62.4)).to.equal(62);
    expect(balancingScore(Number.NaN, 62.4)).to.equal(62);
    expect(balancingScore(62.4, Number.NaN)).to.equal(62);
    expect(balancingScore(Number.NaN, Number.NaN)).to.satisfy(Number.isNaN);
  });

  it('is 0 to 100, and falls as mean, deviation or margin grow', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const factor = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(share, share, share, factor, factor, (mean, deviation, more, margin, sensitivity) => {
        const score = (m: number, d: number, factorOfDeviation = margin): number =>
          resourceScore(m, weightedDeviation(d, { margin: factorOfDeviation, sensitivity }));
        const here = score(mean, deviation);
        expect(here).to.be.within(0, 100);
        expect(score(Math.min(1, mean + more), deviation)).to.be.at.most(here);
        // The last bit of a power may waver.
        expect(score(mean, Math.min(1, deviation + more))).to.be.at.most(here + 1e-12);
        expect(score(mean, deviation, margin + more)).to.be.at.most(here);
      }),
    );
  });
});
