import { expect } from 'chai';
import { readBenchOptions } from '../options.js';
import { ratioText } from './figures.js';
import { reportMarkdown, withBlock } from './markdown.js';
import { reportLines } from './text.js';

const RATE = { what: 'answers', unit: 'per second', ours: 300, rival: 100, rivalName: 'bare' } as const;
const TIME = {
  what: 'parse',
  unit: 'microseconds',
  ours: 3000,
  rival: 100,
  rivalName: 'JSON.parse',
} as const;

describe('reports of benchmarks', () => {
  it('say how many times as fast ours is, whichever way the figures go', () => {
    expect([RATE, TIME].map(ratioText)).to.deep.equal(['3.0×', '0.033×']);
  });

  it('name both figures and the rival', () => {
    expect(reportLines({ comparisons: [RATE, TIME], facts: ['RSS 7 MB'] })).to.deep.equal([
      '  answers  300/s; bare 100/s; 3.0× as fast',
      '  parse    3.00 ms; JSON.parse 100 µs; 0.033× as fast',
      '  RSS 7 MB',
    ]);
  });

  it('replace their own place in a page and nothing else', () => {
    const page = 'a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n';
    const body = reportMarkdown({ comparisons: [RATE], facts: [] }, 'machine');
    const once = withBlock(page, 'x', body);
    expect(once).to.equal(
      'a\n<!-- bench:x -->\n\nmachine.\n\n| | ours | rival | times as fast |\n|---|---|---|---|\n' +
        '| answers | 300/s | bare 100/s | 3.0× |\n\n<!-- /bench:x -->\nb\n',
    );
    expect(withBlock(once, 'x', body)).to.equal(once);
    expect(() => withBlock(page, 'y', body)).to.throw('there is no <!-- bench:y -->');
  });
});

describe('readBenchOptions', () => {
  const known = ['decisions', 'serving'];
  it('runs all without a name, else those that are named', () => {
    expect(readBenchOptions([], known)).to.deep.equal({ names: known, write: false });
    expect(readBenchOptions(['serving', '--write'], known)).to.deep.equal({
      names: ['serving'],
      write: true,
    });
  });

  it('refuses other names', () => {
    expect(() => readBenchOptions(['servin'], known)).to.throw(
      'servin: no such benchmark; did you mean serving?',
    );
  });
});
