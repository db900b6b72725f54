import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withLock } from './lock.mjs';

describe('withLock', () => {
  let folder;
  let path;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
    path = join(folder, 'below', 'x.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('lets one at a time in, and leaves nothing behind', async () => {
    let inside = 0;
    const overlaps = await Promise.all(
      [1, 2, 3].map(() =>
        withLock(path, async () => {
          inside++;
          await new Promise((resolve) => setImmediate(resolve));
          return inside--;
        }),
      ),
    );
    expect(overlaps).to.deep.equal([1, 1, 1]);
    expect(existsSync(path)).to.equal(false);
  });

  it('opens after a failure', async () => {
    const failure = await withLock(path, () => Promise.reject(new Error('no'))).catch(
      (error) => error.message,
    );
    expect(failure).to.equal('no');
    expect(await withLock(path, async () => 'yes')).to.equal('yes');
  });

  it('takes over from a process that is gone', async () => {
    await withLock(path, async () => undefined);
    // Above the greatest process number of Linux.
    writeFileSync(path, '99999999');
    expect(await withLock(path, async () => 'yes')).to.equal('yes');
  });
});
