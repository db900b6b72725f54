import { expect } from 'chai';
import { ambientProblems } from './ambient.mjs';
import { importsOf } from './imports.mjs';
import { wallProblems } from './wall-rules.mjs';

describe('import walls', () => {
  const open = [
    ['core to core', 'packages/scheduler/src/core/cycle/decide.ts', "import { a } from '../state/a.js';"],
    ['core to model', 'packages/scheduler/src/core/x.ts', "import { a } from '@catamaran/model';"],
    ['shell to its core', 'packages/scheduler/src/service/x.ts', "import { a } from '../core/x.js';"],
    ['shell to a library', 'packages/scheduler/src/service/x.ts', "import express from 'express';"],
    [
      'scheduler to the client export',
      'packages/scheduler/src/x.ts',
      "import { a } from '@catamaran/load-watcher/client';",
    ],
    ['a test to testkit', 'packages/scheduler/src/core/x.test.ts', "import { a } from '@catamaran/testkit';"],
    ['a test of core to Node.js', 'packages/model/src/x.test.ts', "import { readFileSync } from 'node:fs';"],
    [
      'testkit to types of others',
      'packages/testkit/src/x.ts',
      "import type { A } from '@catamaran/load-watcher';",
    ],
    ['the command to everything', 'packages/cli/src/x.ts', "import { a } from '@catamaran/simulator';"],
    [
      'an import in a comment is none',
      'packages/model/src/x.ts',
      "// import x from 'node:fs'\n/* from 'node:fs' */",
    ],
    ['a word in a text is none', 'packages/model/src/x.ts', 'const a = `import x from "node:fs"`;'],
  ];
  for (const [why, file, source] of open) {
    it(`is open: ${why}`, () => {
      expect(wallProblems(file, importsOf(source))).to.deep.equal([]);
    });
  }

  const shut = [
    [
      'packages/model/src/x.ts',
      "import { a } from 'node:fs';",
      'pure code imports node:fs; it takes values and returns values',
    ],
    [
      'packages/model/src/x.ts',
      "import { a } from '@catamaran/platform';",
      'model may not import @catamaran/platform; it may import nothing',
    ],
    [
      'packages/platform/src/x.ts',
      "export { a } from '@catamaran/scheduler';",
      'platform may not import @catamaran/scheduler; it may import model',
    ],
    [
      'packages/simulator/src/x.ts',
      "await import('@catamaran/cli');",
      'simulator may not import @catamaran/cli; it may import model, platform',
    ],
    [
      'packages/scheduler/src/core/a/x.ts',
      "import { a } from '../../service/y.js';",
      'core imports ../../service/y.js of the shell',
    ],
    [
      'packages/scheduler/src/core/x.ts',
      "import type { Clock } from '@catamaran/platform';",
      'core imports @catamaran/platform; it may import @catamaran/model only',
    ],
    [
      'packages/scheduler/src/core/x.ts',
      "import 'undici';",
      'pure code imports undici; it takes values and returns values',
    ],
    [
      'packages/scheduler/src/x.ts',
      "import { a } from '@catamaran/testkit';",
      '@catamaran/testkit is for tests only',
    ],
    [
      'packages/scheduler/src/x.ts',
      "import { a } from './y.test.js';",
      './y.test.js is a test; tests are never imported',
    ],
    [
      'packages/scheduler/src/x.ts',
      "import { a } from '../../platform/src/index.js';",
      '../../platform/src/index.js leaves the package; import it by its name',
    ],
    [
      'packages/scheduler/src/x.ts',
      "import { a } from '@catamaran/platform/dist/index.js';",
      '@catamaran/platform/dist/index.js is inside another package; import what @catamaran/platform exports',
    ],
    [
      'packages/scheduler/src/x.ts',
      "import { a } from '@catamaran/scheduler';",
      'the package imports itself by name; use a relative path',
    ],
    [
      'packages/testkit/src/x.ts',
      "import { a } from '@catamaran/load-watcher';",
      'testkit may only name the types of @catamaran/load-watcher: write import type',
    ],
  ];
  for (const [file, source, problem] of shut) {
    it(`is shut: ${problem}`, () => {
      expect(wallProblems(file, importsOf(`\n${source}`))).to.deep.equal([`${file}:2: ${problem}`]);
    });
  }

  it('sees imports over several lines, re-exports, bare and dynamic ones', () => {
    const source = `import {\n  a, // 'from' in a comment\n  type B,\n} from './one.js';\nimport './two.js';\nexport type { C } from './three.js';\nconst x = await import('./four.js');\nimport d from "./five.js";`;
    expect(importsOf(source).sort((a, b) => a.line - b.line)).to.deep.equal([
      { specifier: './one.js', line: 1, typeOnly: false },
      { specifier: './two.js', line: 5, typeOnly: false },
      { specifier: './three.js', line: 6, typeOnly: true },
      { specifier: './four.js', line: 7, typeOnly: false },
      { specifier: './five.js', line: 8, typeOnly: false },
    ]);
  });

  it('sees who reaches for time, chance or the process', () => {
    const source = [
      'const a = Date.now();',
      "const b = 'Date.now()'; // setTimeout()",
      'const c = { random: Math.random, clock: new Date(5) };',
      'clock.setTimeout(1); setTimeout(f, 1);',
      'const d = Math.random();',
      'process.env.HOME;',
    ].join('\n');
    const file = 'packages/scheduler/src/service/x.ts';
    expect(ambientProblems(file, source).sort()).to.deep.equal([
      `${file}:1: Date.now reaches for the time: take a Clock`,
      `${file}:4: setTimeout reaches for a timer: take a Clock`,
      `${file}:5: Math.random reaches for chance: take a random source`,
      `${file}:6: process.env reaches for the process: only main.ts and runMain touch it`,
    ]);
    expect(ambientProblems('packages/scheduler/src/main.ts', source)).to.deep.equal([]);
    expect(ambientProblems('packages/scheduler/src/service/x.test.ts', source)).to.deep.equal([]);
  });
});
