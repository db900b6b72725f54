import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { checkDocs } from './docs.mjs';

describe('docs in step with code', () => {
  let root;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'docs-'));
    write('package.json', '{"scripts": {"start": "x", "test": "x", "check": "x"}}');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(file, text) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }

  it('finds links that lead nowhere: files, headings, from folders too', () => {
    write('docs/guide.md', '# The Guide: a start\n\n## Twice\n\n## Twice\n');
    write(
      'README.md',
      [
        '[a](docs/guide.md) [b](docs/guide.md#the-guide-a-start) [c](docs/guide.md#twice-1) [d](docs/)',
        '[e](https://example.com/x) [f](#here) `[not](a-link)`',
        '# Here',
        '```\n[neither](this)\n```',
        '[g](docs/none.md) [h](docs/guide.md#nowhere) [i](#there)',
      ].join('\n'),
    );
    write('docs/sub/page.md', '[up](../guide.md) [lost](guide.md)');
    expect(checkDocs(root).sort()).to.deep.equal([
      'README.md: the link #there leads nowhere',
      'README.md: the link docs/guide.md#nowhere leads nowhere',
      'README.md: the link docs/none.md leads nowhere',
      'docs/sub/page.md: the link guide.md leads nowhere',
    ]);
  });

  it('finds commands and programs that do not exist', () => {
    write('packages/cli/src/main.ts', '');
    write('scripts/run.mjs', '');
    write(
      'README.md',
      '```sh\nnpm start\n$ npm test\nnpm run check\nnpm run chekc\nnpm install\nnode packages/cli/dist/main.js\nnode scripts/run.mjs\nnode packages/cli/dist/none.js\n```\nand `npm stop`.\n',
    );
    expect(checkDocs(root)).to.deep.equal([
      'README.md: there is no command npm run chekc',
      'README.md: there is no command npm stop',
      'README.md: there is no program packages/cli/dist/none.js',
    ]);
  });
});
