import { expect } from 'chai';
import fc from 'fast-check';
import { expiringTokenNote, tokenExpiryMs } from './token-expiry.js';

const NOW_MS = Date.UTC(2026, 10, 30, 12);

function token(claims: unknown): string {
  return `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
}

describe('expiringTokenNote', () => {
  const rows: [sentence: string, claims: unknown, begin: string | undefined][] = [
    [
      'one that expires in a minute (C56)',
      { exp: NOW_MS / 1000 + 60 },
      'expires at 2026-11-30T12:01:00.000Z',
    ],
    [
      'one that expires in a week',
      { exp: NOW_MS / 1000 + 7 * 86_400 },
      'expires at 2026-12-07T12:00:00.000Z',
    ],
    ['one that has expired', { exp: NOW_MS / 1000 - 1 }, 'expired at 2026-11-30T11:59:59.000Z'],
    ['one that expires just now', { exp: NOW_MS / 1000 }, 'expired at 2026-11-30T12:00:00.000Z'],
    ['one that is good for longer', { exp: NOW_MS / 1000 + 7 * 86_400 + 1 }, undefined],
    ['one without an end', { sub: 'x' }, undefined],
    ['an end that is no time', { exp: 'soon' }, undefined],
    ['an end beyond all dates', { exp: 1e300 }, undefined],
    ['claims that are null', null, undefined],
  ];
  for (const [sentence, claims, begin] of rows) {
    it(`${begin === undefined ? 'says nothing of' : 'warns of'} ${sentence}`, () => {
      const note = expiringTokenNote(token(claims), NOW_MS);
      if (begin === undefined) expect(note).to.equal(undefined);
      else
        expect(note)
          .to.contain(`--metrics-provider-token ${begin}`)
          .and.contain('--metrics-provider-token-file');
    });
  }

  it('any other text has no end', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(tokenExpiryMs(`${text}.${text}.x`)).to.equal(undefined);
      }),
    );
  });
});
