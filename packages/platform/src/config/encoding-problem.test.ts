import { expect } from 'chai';
import fc from 'fast-check';
import { encodingProblem } from './encoding-problem.js';
import { parseOptionsFile } from './options-file.js';

const asRead = (bytes: Buffer): string => bytes.toString('utf8');

describe('encodingProblem', () => {
  const utf16 = Buffer.from('port: 2020\n', 'utf16le');
  for (const [sentence, bytes, problem] of [
    ['UTF-16 with its mark', Buffer.from('\uFEFFport: 2020\n', 'utf16le'), 'it is UTF-16: save it as UTF-8'],
    [
      'UTF-16, the other way round',
      Buffer.from('\uFEFFa: 1', 'utf16le').swap16(),
      'it is UTF-16: save it as UTF-8',
    ],
    ['UTF-16 without a mark', utf16, 'it is UTF-16: save it as UTF-8'],
    ['Latin-1', Buffer.from('# übrig\n', 'latin1'), 'it is not all UTF-8: save it as UTF-8'],
    ['bytes', Buffer.from('port\0'), 'it holds bytes of value 0: not a text'],
    ['UTF-8 with its mark', Buffer.from('\uFEFFport: 1'), undefined],
  ] as const) {
    it(`says of ${sentence}: ${problem ?? 'nothing'}`, () => {
      expect(encodingProblem(asRead(bytes))).to.equal(problem);
    });
  }

  it('has nothing to say of any text in UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/[\0\uFFFD]/.test(text));
        expect(encodingProblem(asRead(Buffer.from(text)))).to.equal(undefined);
      }),
    );
  });

  it('is the one problem of a file of options', () => {
    expect(parseOptionsFile('o.yaml', asRead(utf16)).problems).to.deep.equal([
      'it is UTF-16: save it as UTF-8 (o.yaml, line 1)',
    ]);
  });
});
