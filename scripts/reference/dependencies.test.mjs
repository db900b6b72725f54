import { expect } from 'chai';
import { isAllowed } from './dependencies.mjs';

describe('licences of dependencies', () => {
  const ROWS = [
    ['a permissive licence is allowed', 'MIT', true],
    ['copyleft is not', 'GPL-3.0-only', false],
    ['of alternatives one suffices', '(MIT OR GPL-3.0-only)', true],
    ['of parts all count', 'MIT AND GPL-3.0-only', false],
    ['parts that are all allowed are', '(MIT AND CC0-1.0)', true],
    ['none stated is none', 'Unknown', false],
    ['nothing is none', '', false],
  ];
  for (const [sentence, expression, expected] of ROWS) {
    it(sentence, () => expect(isAllowed(expression)).to.equal(expected));
  }
});
