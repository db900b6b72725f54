import { expect } from 'chai';
import fc from 'fast-check';
import { request } from 'undici';
import { silentLogger } from '../log/logger.js';
import { bearerTokenProblem, headerProblem } from './header-problem.js';
import { startHttpServer } from './http-server.js';

describe('headerProblem', () => {
  const refused: [sentence: string, name: string, value: string, part: string][] = [
    ['a line break in the value', 'x-a', 'S3cret\nx', 'line break'],
    ['a control character', 'x-a', 'S3cret\0', 'no HTTP header can carry'],
    ['a character beyond Latin 1', 'x-a', 'S3cret€', 'no HTTP header can carry'],
    ['a name with a space', 'S3cret x', 'v', 'a name is not one'],
    ['an empty name', '', 'v', 'a name is not one'],
    ['a header of the connection', 'Transfer-Encoding', 'S3cret', 'set by the HTTP client'],
  ];
  for (const [sentence, name, value, part] of refused) {
    it(`refuses ${sentence}, without showing it`, () => {
      expect(headerProblem(name, value)).to.contain(part).and.not.contain('S3cret');
    });
  }

  it('what it lets pass, undici sends', async () => {
    const server = await startHttpServer(
      { host: '127.0.0.1', port: 0, listener: (_request, response) => response.end(), name: 'test' },
      { log: silentLogger },
    );
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    const name = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('expect', 'Host', 'upgrade', 'x-a'));
    await fc.assert(
      fc.asyncProperty(name, text, async (header, value) => {
        if (headerProblem(header, value) !== undefined) return;
        const answer = await request(server.url, { headers: { [header]: value } });
        await answer.body.dump();
      }),
      {
        numRuns: 200,
        examples: [
          ['x-a', 'é\tÿ'],
          ['__proto__', 'x'],
        ],
      },
    );
    await server.close();
  });

  it('a token is some text on one line', () => {
    expect(bearerTokenProblem('abc.def')).to.equal(undefined);
    expect(bearerTokenProblem('')).to.equal('it is empty');
    expect(bearerTokenProblem('S3cret\r\nx')).to.equal('it has a line break inside');
    for (const odd of ['S3cret\u{1F600}', 'S3cret\u00fc']) {
      expect(bearerTokenProblem(odd)).to.contain('beyond ASCII').and.not.contain('S3cret');
    }
    expect(bearerTokenProblem('S3cret\u0001')).to.contain('no HTTP header').and.not.contain('S3cret');
  });
});
