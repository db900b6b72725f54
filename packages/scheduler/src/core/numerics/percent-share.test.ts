import { expect } from 'chai';
import fc from 'fast-check';
import { percentShare } from './percent-share.js';

describe('percentShare', () => {
  it('is a hundredfold divided, to the last bit', () => {
    const amount = fc.double({ min: 0, max: 1e300, noNaN: true });
    fc.assert(
      fc.property(amount, fc.double({ min: 1e-3, max: 1e300, noNaN: true }), (part, whole) => {
        expect(percentShare(part, whole)).to.equal((100 * part) / whole);
      }),
    );
  });

  it('of a part of the whole is a number from 0 to 100, however large both are', () => {
    const amount = fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true });
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        fc.pre(Math.max(a, b) > 0);
        expect(percentShare(Math.min(a, b), Math.max(a, b))).to.be.within(0, 100);
      }),
      { numRuns: 500 },
    );
    expect(percentShare(Number.MAX_VALUE, Number.MAX_VALUE)).to.equal(100);
    expect(percentShare(1e308, 2e306)).to.be.closeTo(5000, 1e-9);
  });
});
