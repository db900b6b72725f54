import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtMain, ObservedProcess } from '../integration/observed-process.js';

describe('catamaran conformance, as a process', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    await writeFile(join(folder, 'unknown.json'), '{"what":"is this"}');
  });
  after(() => rm(folder, { recursive: true }));

  const run = async (...argv: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> => {
    const child = ObservedProcess.node([builtMain('cli'), 'conformance', ...argv]);
    const { code } = await child.exited;
    return { code, stdout: child.stdout, stderr: child.stderr };
  };

  it('asks for a path with exit code 2', async () => {
    const { code, stdout, stderr } = await run();
    expect(code).to.equal(2);
    expect(stdout).to.equal('');
    expect(stderr).to.match(/^catamaran: no path given: name files or folders of recordings/);
  });

  it('ends with the totals and exit code 2 when a file can not be used', async () => {
    const { code, stdout } = await run(join(folder, 'unknown.json'), join(folder, 'missing'));
    expect(code).to.equal(2);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).to.match(/^UNUSABLE .*unknown\.json: is of no known format; known are /);
    expect(lines[1]).to.match(/^UNUSABLE .*missing: there is no such file or folder$/);
    expect(lines.at(-1)).to.equal('0 passed, 0 failed, 0 skipped');
  });

  it('names flags and commands that do not exist', async () => {
    expect((await run('--verbos', 'x')).stderr).to.match(/--verbos: unknown flag/);
    const child = ObservedProcess.node([builtMain('cli'), 'demmo']);
    expect((await child.exited).code).to.equal(2);
    expect(child.stderr).to.match(/^catamaran: demmo: no such command; did you mean demo\?/);
  });
});
