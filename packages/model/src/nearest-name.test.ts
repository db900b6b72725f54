import { expect } from 'chai';
import { didYouMean, nearestName } from './nearest-name.js';

describe('nearestName', () => {
  const known = ['kubeconfig', 'leader-elect', 'bind-address', 'port', 'v', 'METRICS_PROVIDER_ADDRESS'];
  const rows: [why: string, word: string, expected: string | undefined][] = [
    ['a swapped pair', 'prot', 'port'],
    ['a missing letter', 'kubeconfg', 'kubeconfig'],
    ['another style of the same words', 'leaderElect', 'leader-elect'],
    ['case and underscores', 'Bind_Address', 'bind-address'],
    ['one letter too few in a long name', 'METRICS_PROVIDER_ADRESS', 'METRICS_PROVIDER_ADDRESS'],
    ['nothing like it', 'colour', undefined],
    ['a short word two letters off is another word', 'fort1', undefined],
    ['the empty word', '', undefined],
    ['a single letter has no neighbours', 'x', undefined],
  ];
  for (const [why, word, expected] of rows) {
    it(`${why}: ${JSON.stringify(word)} → ${String(expected)}`, () => {
      expect(nearestName(word, known)).to.equal(expected);
    });
  }

  it('takes the nearest, and of equals the first', () => {
    expect(nearestName('abcdef', ['abcdxx', 'abcdex', 'abcxef'])).to.equal('abcdex');
    expect(nearestName('abcdef', ['abcdey', 'abcdex'])).to.equal('abcdey');
  });

  it('gives the tail of a message, or nothing', () => {
    expect(didYouMean('prot', known, '--')).to.equal('; did you mean --port?');
    expect(didYouMean('colour', known, '--')).to.equal('');
  });
});
