import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError, VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { Credential } from './credential.js';

describe('Credential', () => {
  let folder: string;
  let file: string;
  let clock: VirtualClock;
  let credential: Credential;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credential-'));
    file = join(folder, 'token');
    clock = new VirtualClock(0);
    credential = new Credential({ what: 'the access token of SignalFx', file }, clock);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const failure = (reading: Promise<string>): Promise<unknown> =>
    reading.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('given as text it is what was given, without the line end of a secret that was piped in', async () => {
    const text = new Credential({ what: 'x', text: 'abc\n' }, clock);
    expect([await text.read(false), await text.read(true), text.rotates]).to.deep.equal([
      'abc',
      'abc',
      false,
    ]);
  });

  it('follows its file within half a minute', async () => {
    await writeFile(file, 'one\n');
    expect(await credential.read(false)).to.equal('one');
    await writeFile(file, 'two');
    await clock.advanceBy(29_999);
    expect(await credential.read(false)).to.equal('one');
    await clock.advanceBy(1);
    expect(await credential.read(false)).to.equal('two');
  });

  it('read afresh it is what the file holds now', async () => {
    await writeFile(file, 'one');
    await credential.read(false);
    await writeFile(file, 'two');
    expect(await credential.read(true)).to.equal('two');
  });

  it('while the file is away the last one is good', async () => {
    await writeFile(file, 'one');
    await credential.read(false);
    await rm(file);
    expect(await credential.read(true)).to.equal('one');
  });

  it('a file that never was there is named, with the remedy', async () => {
    const error = await failure(credential.read(false));
    expect(error).to.be.instanceOf(OperatorError);
    expect((error as Error).message).to.equal(
      `the access token of SignalFx, ${file}, can't be read (ENOENT): check path and mount`,
    );
  });

  it('an empty file is refused', async () => {
    await writeFile(file, ' \n');
    expect(String(await failure(credential.read(false)))).to.contain(`${file}, can't be used: it is empty`);
  });

  it('a file of several lines is refused without showing them', async () => {
    await writeFile(file, 'S3cr\net');
    expect(String(await failure(credential.read(false))))
      .to.contain('it has a line break inside')
      .and.not.contain('S3cr');
  });

  it('masks what it holds in the text of others', async () => {
    await writeFile(file, 'S3cret');
    await credential.read(false);
    expect(credential.mask('token S3cret, again S3cret')).to.equal('token ***, again ***');
  });
});
