import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SystemClock } from '../clock/system-clock.js';
import { readKeyPair } from '../http/tls/key-pair.js';
import { loadClusterConnection } from '../kubernetes/connection/load-cluster-connection.js';
import { TokenFile } from '../kubernetes/connection/token-file.js';
import { readBoundedFile } from './read-bounded-file.js';
import { readTextFile, readTextFileSync } from './regular-file.js';

/** Each way in which a process reads a file that somebody names; the text, or what is told instead. */
const READERS: Readonly<Record<string, (path: string) => Promise<string>>> = {
  readTextFile,
  readTextFileSync: async (path) => readTextFileSync(path),
  readBoundedFile: async (path) => {
    const read = readBoundedFile(path, 100);
    return read.ok ? read.value : read.problem;
  },
  'a token file': (path) => new TokenFile(path, new SystemClock()).token(),
  'a kubeconfig': async (path) => (await loadClusterConnection({ kubeconfigPath: path, env: {} })).serverUrl,
  'a certificate': async (path) => {
    const read = await readKeyPair({ certPath: path, keyPath: path });
    return read.ok ? '' : read.problem;
  },
};

describe('files that somebody names', () => {
  let folder: string;
  let socket: Server;
  let path: (name: string) => string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'regular-'));
    path = (name) => join(folder, name);
    execFileSync('mkfifo', [path('pipe')]);
    mkdirSync(path('folder'));
    symlinkSync('/dev/zero', path('device'));
    writeFileSync(path('file'), 'text é');
    symlinkSync('file', path('link'));
    socket = createServer();
    await new Promise<void>((resolve) => socket.listen(path('socket'), resolve));
  });
  after(async () => {
    await new Promise((resolve) => socket.close(resolve));
    rmSync(folder, { recursive: true });
  });

  for (const [reader, read] of Object.entries(READERS)) {
    for (const [name, problem] of [
      ['pipe', 'it is a pipe, not a regular file'],
      ['folder', 'it is a directory, not a regular file'],
      ['device', 'it is a device, not a regular file'],
      ['socket', 'ENXIO'],
      ['nothing', 'ENOENT'],
    ] as const) {
      it(`${reader} that is a ${name} is refused at once`, async () => {
        expect(await read(path(name)).catch((error: Error) => error.message)).to.include(problem);
      });
    }
  }

  it('reads a file, also by a link', async () => {
    for (const name of ['file', 'link']) {
      expect(await readTextFile(path(name))).to.equal('text é');
      expect(readTextFileSync(path(name))).to.equal('text é');
    }
  });
});
