import { expect } from 'chai';
import { COMMANDS } from './commands.mjs';

const [mocha, ...all] = COMMANDS.test.argv([]);

describe('npm test', () => {
  const rows = [
    ['without arguments runs everything', [], all],
    ['with a folder runs the tests in it', ['packages/model'], ['packages/model/**/*.test.{ts,mjs}']],
    ['takes the folder with a slash at its end', ['scripts/'], ['scripts/**/*.test.{ts,mjs}']],
    ['with a file runs that', ['scripts/lock.test.mjs'], ['scripts/lock.test.mjs']],
    ['with a pattern runs what it matches', ['packages/*/src/**/a.test.ts'], ['packages/*/src/**/a.test.ts']],
    ['with options alone runs everything with them', ['--grep', 'x y'], ['--grep', 'x y', ...all]],
  ];
  for (const [sentence, args, expected] of rows) {
    it(sentence, () => {
      expect(COMMANDS.test.argv(args)).to.deep.equal([mocha].concat(expected));
    });
  }
});
