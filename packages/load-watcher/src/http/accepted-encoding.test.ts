import { expect } from 'chai';
import fc from 'fast-check';
import { acceptsGzip } from './accepted-encoding.js';

describe('acceptsGzip', () => {
  const rows: [header: string | undefined, accepts: boolean][] = [
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['gzip, deflate, br', true],
    ['br , gzip', true],
    ['gzip;q=0', false],
    ['gzip;q=0.000', false],
    ['gzip ; q=0', false],
    ['gzip;q=0;x=1', false],
    ['gzip;x=1;q=0', false],
    ['br, gzip;q=0;x=1', false],
    ['gzip;Q=0.5', true],
    ['gzip;q=1;x', true],
    ['gzip;q=0, *', false],
    ['*', true],
    ['*;q=0', false],
    ['*;q=0, gzip', true],
    ['identity;q=0, *;q=0.1', true],
    ['identity', false],
    ['notgzip', false],
    ['gzip-foo', false],
    ['"gzip"', false],
    ['gzip gzip', false],
  ];
  for (const [header, accepts] of rows) {
    it(`${header === undefined ? 'no header' : JSON.stringify(header)} ${accepts ? 'takes' : 'does not take'} it`, () => {
      expect(acceptsGzip(header)).to.equal(accepts);
    });
  }

  it('gzip with a weight of 0 is not taken, whatever stands beside it', () => {
    const others = fc.array(fc.constantFrom('br', 'identity;q=0', '*', 'deflate;q=0.5', '"gzip"'));
    fc.assert(
      fc.property(others, others, (before, after) => {
        expect(acceptsGzip([...before, 'gzip;q=0', ...after].join(', '))).to.equal(false);
      }),
    );
  });
});
