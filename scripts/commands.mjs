import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROOT } from './paths.mjs';

const MOCHA = 'node_modules/mocha/bin/mocha.js';
const ALL_TESTS = ['packages/*/src/**/*.test.ts', 'bench/src/**/*.test.ts', 'scripts/**/*.test.mjs'];

/** What each command runs, as arguments of Node.js from the root; `needsBuild`: compiled code must be up to date. */
export const COMMANDS = {
  start: { needsBuild: true, argv: (args) => ['packages/cli/dist/main.js', 'demo', ...args] },
  test: {
    needsBuild: true,
    argv: (args) => [MOCHA, ...args.map(testsBelow), ...(args.some(isTestPath) ? [] : ALL_TESTS)],
  },
  'test:node24': {
    needsBuild: true,
    argv: (args) => ['scripts/test-on-node-24.mjs', ...COMMANDS.test.argv(args)],
  },
  'test:e2e': { needsBuild: true, argv: (args) => ['--import=tsx', 'e2e/src/run-tests.ts', ...args] },
  release: { needsBuild: false, argv: (args) => ['scripts/release/main.mjs', ...args] },
  images: { needsBuild: false, argv: (args) => ['--import=tsx', 'e2e/src/images/main.ts', ...args] },
  // Checks compile by themselves, so that a type error is one finding among others.
  check: { needsBuild: false, argv: (args) => ['scripts/check.mjs', ...args] },
  fix: { needsBuild: false, argv: (args) => ['scripts/fix.mjs', ...args] },
  build: { needsBuild: true },
  bench: { needsBuild: true, argv: (args) => ['bench/dist/main.js', ...args] },
  'bench:e2e': { needsBuild: true, argv: (args) => ['--import=tsx', 'e2e/src/bench/main.ts', ...args] },
  soak: { needsBuild: true, argv: (args) => ['--import=tsx', 'e2e/src/soak/main.ts', ...args] },
  conformance: {
    needsBuild: true,
    argv: (args) => ['packages/cli/dist/main.js', 'conformance', ...args],
  },
};

/** `npm test -- packages/model` or a file or a pattern: only those. */
function isTestPath(word) {
  return !word.startsWith('-') && (/\.test\.[mc]?[jt]s$/.test(word) || existsSync(resolve(ROOT, word)));
}

/** A folder stands for all tests in it. */
function testsBelow(word) {
  const isFolder =
    isTestPath(word) && statSync(resolve(ROOT, word), { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? `${word.replace(/[/\\]+$/, '')}/**/*.test.{ts,mjs}` : word;
}
