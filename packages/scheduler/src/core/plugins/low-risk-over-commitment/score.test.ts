import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Claims,
  combinedRisk,
  distributionFunction,
  largestVariance,
  limitRisk,
  loadRisk,
  matchingBeta,
  overCommitmentScore,
} from './score.js';

const WINDOW = 5;

/** Mean, claims with and without the pod, risks from limits and load, both together: asserted by upstream's unit test. */
const UPSTREAM: readonly (readonly [number, Claims, Claims, number, number, number])[] = [
  [
    0.8,
    { capacity: 4000, requests: 2000, limits: 3000 },
    { capacity: 4000, requests: 1000, limits: 2000 },
    0,
    1,
    0.5,
  ],
  [
    0.25,
    { capacity: 4096, requests: 2048, limits: 6144 },
    { capacity: 4096, requests: 0, limits: 0 },
    0.5,
    0,
    0.25,
  ],
  [
    0.8,
    { capacity: 4000, requests: 4000, limits: 5000 },
    { capacity: 4000, requests: 3000, limits: 4000 },
    1,
    1,
    1,
  ],
  [
    0.25,
    { capacity: 4096, requests: 1024, limits: 7168 },
    { capacity: 4096, requests: 512, limits: 6144 },
    0.5,
    1,
    0.75,
  ],
];

const HALF: Claims = { capacity: 4000, requests: 2000, limits: 3000 };

/** Sentence, mean, deviation, claims, risk. */
const LOAD: readonly (readonly [string, number, number, Claims, number])[] = [
  ['steady below the requests', 0.4, 0, HALF, 0],
  ['steady exactly at the requests', 0.5, 0, HALF, 0],
  ['steady above the requests', 0.51, 0, HALF, 1],
  ['nothing is used', 0, 0.1, HALF, 0],
  ['all is used: there is no room for a deviation', 1, 0.1, HALF, 1],
  ['all is used and all is requested', 1, 0.1, { ...HALF, requests: 4000, limits: 4000 }, 0],
  ['nobody claims anything', 0.9, 0.1, { ...HALF, requests: 0, limits: 0 }, 0],
  ['no capacity', 0, 0, { capacity: 0, requests: 0, limits: 0 }, 0],
  ['a variance too small to tell is none', 0.2, 1e-10, HALF, 0],
];

describe('LowRiskOverCommitment score', () => {
  UPSTREAM.forEach(([mean, withPod, without, fromLimits, fromLoad, risk], index) => {
    it(`risks of upstream's case ${index + 1}`, () => {
      expect(limitRisk(withPod)).to.equal(fromLimits);
      expect(loadRisk({ mean, deviation: 0 }, without, WINDOW)).to.equal(fromLoad);
      expect(combinedRisk(fromLimits, fromLoad, 0.5)).to.equal(risk);
    });
  });

  for (const [sentence, mean, deviation, claims, risk] of LOAD) {
    it(`risk from load: ${sentence}`, () => {
      expect(loadRisk({ mean, deviation }, claims, WINDOW)).to.equal(risk);
    });
  }

  it('limits are counted beyond the capacity, as a share of what they exceed the requests by', () => {
    expect(limitRisk({ capacity: 4000, requests: 2000, limits: 4000 })).to.equal(0);
    expect(limitRisk({ capacity: 4000, requests: 2000, limits: 4001 })).to.equal(1 / 2001);
    expect(limitRisk({ capacity: 4000, requests: 2000, limits: 6000 })).to.equal(0.5);
    expect(limitRisk({ capacity: 0, requests: 0, limits: 1 })).to.equal(1);
  });

  it('a distribution has the mean and the variance that were asked for', () => {
    expect(matchingBeta(0.5, 1 / 3 - 0.25)?.alpha).to.be.closeTo(1, 1e-12);
    expect(matchingBeta(0.5, 0.05)).to.deep.equal({ alpha: 2, beta: 2 });
    expect(matchingBeta(0, 0)).to.equal(undefined);
    expect(matchingBeta(0.5, 0.25)).to.equal(undefined);
    expect(matchingBeta(1.1, 0.01)).to.equal(undefined);
    expect(matchingBeta(0.5, Number.NaN)).to.equal(undefined);
  });

  it('distribution functions of upstream', () => {
    const beta = { alpha: 2, beta: 2 };
    expect([0, 0.5, 1].map((x) => distributionFunction(beta, x))).to.deep.equal([0, 0.5, 1]);
    expect(distributionFunction({ alpha: -1, beta: 1 }, 0.5)).to.equal(0);
    expect([0, 1, -1, 0.5].map(largestVariance)).to.deep.equal([0, 0, 0, 0.25]);
  });

  it('the worse resource counts, halves are rounded up', () => {
    expect(overCommitmentScore(0.125, 0.25)).to.equal(75);
    expect(overCommitmentScore(0.375, 0.25)).to.equal(63);
    expect(overCommitmentScore(1, 0)).to.equal(0);
  });

  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const claims = fc
    .tuple(fc.integer({ min: 1, max: 10_000 }), share, fc.double({ min: 1, max: 3, noNaN: true }))
    .map(([capacity, requested, over]) => {
      const requests = Math.floor(capacity * requested);
      return { capacity, requests, limits: Math.floor(requests * over) };
    });

  it('risks and scores are whole shares: 0 to 1, 0 to 100', () => {
    fc.assert(
      fc.property(
        share,
        share,
        claims,
        fc.integer({ min: 1, max: 100 }),
        share,
        (mean, deviation, claim, window, weight) => {
          const risk = combinedRisk(limitRisk(claim), loadRisk({ mean, deviation }, claim, window), weight);
          expect(risk).to.be.within(0, 1);
          expect(overCommitmentScore(risk, 0)).to.be.within(0, 100);
        },
      ),
    );
  });

  it('with the same requests, more limits mean more risk from limits', () => {
    fc.assert(
      fc.property(claims, fc.nat(10_000), (claim, more) => {
        const wider = { ...claim, limits: claim.limits + more };
        expect(limitRisk(wider)).to.be.at.least(limitRisk(claim));
      }),
    );
  });

  it('as long as use is below the requests on average, more deviation means more risk from load', () => {
    const within = fc
      .tuple(share, share)
      .filter(([mean, threshold]) => mean > 0.01 && mean < threshold - 0.05);
    fc.assert(
      fc.property(within, ([mean, threshold]) => {
        const claim = { capacity: 1000, requests: threshold * 1000, limits: 1000 };
        const steady = loadRisk({ mean, deviation: 0 }, claim, 1);
        const mild = loadRisk({ mean, deviation: 0.05 * Math.sqrt(largestVariance(mean)) }, claim, 1);
        const wild = loadRisk({ mean, deviation: 0.3 * Math.sqrt(largestVariance(mean)) }, claim, 1);
        expect(steady).to.equal(0);
        expect(wild).to.be.at.least(mild - 1e-12);
      }),
    );
  });
});
