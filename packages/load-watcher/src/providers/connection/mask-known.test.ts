import { expect } from 'chai';
import fc from 'fast-check';
import { excerptOf, maskKnown } from './mask-known.js';

describe('maskKnown', () => {
  const secret = 's3"cret/ü+';
  const spellings: [sentence: string, written: string][] = [
    ['as it is', secret],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 for addresses', Buffer.from(secret).toString('base64url')],
    ['percent-encoded', encodeURIComponent(secret)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ];
  for (const [sentence, written] of spellings) {
    it(`finds a secret ${sentence}`, () => {
      expect(maskKnown(`<${written}> and ${written}`, [secret])).to.match(/^<\*\*\*=*> and \*\*\*=*$/);
    });
  }

  it('a secret that is part of another leaves nothing of the longer', () => {
    expect(maskKnown('abcd abcdef', ['abcd', 'abcdef'])).to.equal('*** ***');
  });

  it('one of a few characters goes where it stands alone, and spoils no words', () => {
    expect(maskKnown('org 1, HTTP 401, 1', ['1'])).to.equal('org ***, HTTP 401, ***');
    expect(maskKnown('nothing', [''])).to.equal('nothing');
  });

  it('no secret of some length is left', () => {
    const text = fc.string({ minLength: 4, maxLength: 40 }).filter((given) => !/^\*+$/.test(given));
    fc.assert(
      fc.property(text, fc.string(), fc.string(), (given, before, after) => {
        const masked = maskKnown(`${before}${given}${after}`, [given]);
        expect(masked.split('***').filter((part) => part.includes(given))).to.deep.equal([]);
      }),
    );
  });

  it('a beginning is masked before it is cut, so that no half of a secret is left', () => {
    const body = Buffer.from(`${'x'.repeat(15)} sesame-open`);
    expect(excerptOf(body, 20, (text) => maskKnown(text, ['sesame-open']))).to.equal(`${'x'.repeat(15)} ***`);
  });
});
