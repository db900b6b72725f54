import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { asGoldenFile, type GoldenFile } from './watcher-goldens-file.js';

const ROOT = new URL('../../../../', import.meta.url);
const TESTS = 'packages/load-watcher/src/';

function goldens(): GoldenFile {
  const file = asGoldenFile(JSON.parse(text('conformance/watcher-goldens.json')));
  if (file === undefined) throw new Error('conformance/watcher-goldens.json has no scenarios');
  return file;
}

function text(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** First cells of the tables about the load-watcher, several keys of one row apart; without the mark-up of code. */
function documented(): ReadonlySet<string> {
  const [, section = ''] = /\n## Load-watcher\n([\s\S]*?)\n## /.exec(text('docs/compatibility.md')) ?? [];
  const cells = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) =>
    cell.replaceAll('`', '').trim(),
  );
  return new Set(cells.flatMap((cell) => (/^D\d/.test(cell) ? cell.split(', ') : [cell])));
}

/** Keys by which the goldens explain what is answered otherwise: `why` is `key: reason; key: reason`. */
function explained(): ReadonlySet<string> {
  const whys = goldens().scenarios.flatMap(({ exchanges }) => exchanges.flatMap(({ why }) => why ?? []));
  const keys = whys.flatMap((why) =>
    [...why.matchAll(/(?:^|; )(D\d+|[a-z]+(?: [a-z]+)?): /g)].map(([, key = '']) => key),
  );
  return new Set(keys);
}

function numbered(keys: Iterable<string>): string[] {
  return [...keys].filter((key) => /^D\d+$/.test(key)).sort();
}

describe('deliberate deviations from the Go load-watcher', () => {
  it('each that the goldens show has a line in docs/compatibility.md', () => {
    expect([...explained()].filter((key) => !documented().has(key))).to.deep.equal([]);
  });

  it('each that the goldens name as not reproduced has a line, too', () => {
    expect(Object.keys(goldens().notReproduced).filter((key) => !documented().has(key))).to.deep.equal([]);
  });

  it('each numbered line is shown by an exchange of the goldens or by a test that names it', () => {
    const files = readdirSync(new URL(TESTS, ROOT), { recursive: true, encoding: 'utf8' });
    const tests = files
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => text(`${TESTS}${file}`))
      .join('\n');
    const shown = explained();
    expect(
      numbered(documented()).filter((key) => !shown.has(key) && !new RegExp(`\\b${key}\\b`).test(tests)),
    ).to.deep.equal([]);
  });

  it('every `why` begins each of its reasons with a key', () => {
    for (const { id, exchanges } of goldens().scenarios) {
      for (const { target, why } of exchanges) {
        if (why !== undefined) expect(why, `${id} ${target}`).to.match(/^(D\d+|[a-z]+( [a-z]+)?): /);
      }
    }
  });
});
