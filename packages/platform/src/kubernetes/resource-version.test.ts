import { expect } from 'chai';
import fc from 'fast-check';
import { compareResourceVersions } from './resource-version.js';

describe('compareResourceVersions', () => {
  it('orders as the numbers do, of any length', () => {
    const version = fc.bigInt({ min: 1n, max: 2n ** 64n });
    fc.assert(
      fc.property(version, version, (a, b) => {
        const order = compareResourceVersions(String(a), String(b));
        expect(Math.sign(order)).to.equal(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it('puts none before all', () => {
    expect(compareResourceVersions('', '1')).to.be.below(0);
  });
});
