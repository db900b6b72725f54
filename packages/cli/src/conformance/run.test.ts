import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecordingFormat } from './format.js';
import { runConformance } from './run.js';

/** Entries are numbers: their square is recorded beside them. */
const squares: RecordingFormat = {
  name: 'squares',
  entries: (documents) => {
    const rows = documents.filter((document): document is { n: number; square: number | null } => {
      return typeof document === 'object' && document !== null && 'n' in document;
    });
    if (rows.length < documents.length) return undefined;
    return rows.map(({ n, square }) => ({
      id: `n${n}`,
      run: () => {
        if (n < 0) throw new Error('no negative\nnumbers');
        if (square === null) return { kind: 'skipped', why: 'not recorded' };
        return square === n * n
          ? { kind: 'passed' }
          : { kind: 'failed', expected: String(square), got: String(n * n) };
      },
    }));
  },
};

const lists: RecordingFormat = {
  name: 'lists',
  entries: ([first]) => (Array.isArray(first) ? [] : undefined),
};

describe('runConformance', () => {
  let folder: string;
  let lines: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  const put = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const run = (...paths: string[]): Promise<number> =>
    runConformance(paths, { formats: [lists, squares], writeLine: (line) => lines.push(line) });

  it('replays files and folders at any depth and ends with the totals', async () => {
    await put('a/one.json', '{"n":3,"square":9}');
    await put('a/b/two.jsonl', '{"n":4,"square":16}\n\n{"n":5,"square":null}\n');
    await put('a/README.md', 'not a recording');
    const single = await put('single.json', '{"n":1,"square":1}');
    expect(await run(join(folder, 'a'), single)).to.equal(0);
    expect(lines).to.deep.equal([
      `SKIPPED ${folder}/a/b/two.jsonl#n5: not recorded`,
      '3 passed, 0 failed, 1 skipped',
    ]);
  });

  it('writes one line a failure with expected and got, also when an entry throws', async () => {
    const path = await put('x.jsonl', '{"n":2,"square":5}\n{"n":-1,"square":1}');
    expect(await run(path)).to.equal(1);
    expect(lines[0]).to.equal(`FAILED ${path}#n2: expected 5, got 4`);
    expect(lines[1]).to.match(/^FAILED .*#n-1: expected an outcome, got Error: no negative numbers at /);
    expect(lines[2]).to.equal('0 passed, 2 failed, 0 skipped');
  });

  it('exits 0 when everything is skipped', async () => {
    expect(await run(await put('x.json', '{"n":2,"square":null}'))).to.equal(0);
    expect(lines.at(-1)).to.equal('0 passed, 0 failed, 1 skipped');
  });

  const unusable: [what: string, name: string, text: string | undefined, says: RegExp][] = [
    ['a missing path', 'gone.json', undefined, /gone\.json: there is no such file or folder$/],
    ['text that is not JSON', 'x.json', '{"n":', /x\.json: is not JSON: /],
    ['a bad line', 'x.jsonl', '{"n":1,"square":1}\n{', /x\.jsonl: line 2 is not JSON: /],
    [
      'a format nobody knows',
      'x.json',
      '{"m":1}',
      /x\.json: is of no known format; known are lists, squares$/,
    ],
    ['an empty file', 'x.jsonl', '\n', /x\.jsonl: is empty$/],
    ['a file without entries', 'x.json', '[]', /x\.json: is of format lists but has no entry$/],
  ];
  for (const [what, name, text, says] of unusable) {
    it(`names ${what}, still replays the rest and exits 2`, async () => {
      if (text !== undefined) await put(name, text);
      const good = await put('good.json', '{"n":2,"square":4}');
      expect(await run(join(folder, name), good)).to.equal(2);
      expect(lines[0]).to.match(says);
      expect(lines[1]).to.equal('1 passed, 0 failed, 0 skipped');
    });
  }

  it('exits 2 for a folder without recordings', async () => {
    expect(await run(folder)).to.equal(2);
    expect(lines[0]).to.equal(`UNUSABLE ${folder}: holds no .json or .jsonl file`);
    expect(lines[1]).to.equal('0 passed, 0 failed, 0 skipped');
  });
});
