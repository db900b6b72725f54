import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readBoundedFile } from './read-bounded-file.js';

describe('readBoundedFile', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bounded-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const file = (text: string): string => {
    const path = join(folder, 'f');
    writeFileSync(path, text);
    return path;
  };

  it('reads a file up to the limit, characters whole', () => {
    const text = `${'é'.repeat(40_000)}x`;
    expect(readBoundedFile(file(text), 80_001)).to.deep.equal({ ok: true, value: text });
    expect(readBoundedFile(file(''), 0)).to.deep.equal({ ok: true, value: '' });
  });

  it('refuses one byte more, and a file without end', () => {
    expect(readBoundedFile(file('abcd'), 3)).to.deep.equal({
      ok: false,
      problem: 'it is longer than 3 bytes',
    });
    const endless = openSync('/dev/zero', 'r');
    expect(readBoundedFile(endless, 1_000_000)).to.include({ ok: false });
    closeSync(endless);
  });

  it('says why a file can not be read', () => {
    expect(readBoundedFile(join(folder, 'none'), 3))
      .to.have.property('problem')
      .match(/^ENOENT/);
  });
});
