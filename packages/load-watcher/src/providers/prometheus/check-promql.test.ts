import { expect } from 'chai';
import fc from 'fast-check';
import { checkPromql } from './check-promql.js';

/** A variable that a shell should have filled in. */
const SHELL = ['$', '{WINDOW}'].join('');

describe('checkPromql', () => {
  const refused: [text: string, part: string][] = [
    ['', 'empty'],
    ['  ', 'empty'],
    ['rate(x[5m]', 'a ) is missing at the end'],
    ['rate(x[5m]))', 'a ) closes nothing'],
    ['x{a="b}', 'a " is not closed'],
    ['x{a="b"', 'a } is missing'],
    ['avg(x[5m)]', 'a ) closes nothing'],
    [`rate(x[${SHELL}])`, `${SHELL} is not filled in`],
    ['rate(x[$__rate_interval])', '$__rate_interval is not filled in; the only placeholder is $window'],
    ['{{ .Values.query }}', 'is not filled in'],
  ];
  for (const [text, part] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      const checked = checkPromql(text);
      expect(!checked.ok && checked.problem).to.contain(part);
    });
  }

  for (const text of [
    'rate(x{a="(["}[$window])',
    'x{a=~"web-.*$"}',
    "sum by (node) (x{a='}'})",
    'x{a=`"`}',
  ]) {
    it(`accepts ${text}`, () => {
      expect(checkPromql(text).ok).to.equal(true);
    });
  }

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'()[]{}"\'`$\\ aw'.split('')) }),
        (text) => typeof checkPromql(text).ok === 'boolean',
      ),
    );
  });
});
