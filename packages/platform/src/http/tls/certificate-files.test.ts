import { mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PeerCertificate, connect as tlsConnect } from 'node:tls';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { type Logger, silentLogger } from '../../log/logger.js';
import { OperatorError } from '../../process/operator-error.js';
import { startHttpServer } from '../http-server.js';
import { CertificateFiles, type ServerIdentity } from './certificate-files.js';
import type { KeyPair } from './key-pair.js';

const POLL_MS = 5_000;

async function pairOf(commonName: string): Promise<KeyPair> {
  const { cert, private: key } = await selfsigned.generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  return { certPem: cert, keyPem: key };
}

describe('CertificateFiles', () => {
  let folder: string;
  let clock: VirtualClock;
  let errors: string[];
  let old: KeyPair;
  let next: KeyPair;
  let used: ServerIdentity[];
  let running: { close(): Promise<void> }[];

  before(async () => {
    [old, next] = await Promise.all([pairOf('old'), pairOf('next')]);
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'certificates-'));
    clock = new VirtualClock(0);
    errors = [];
    used = [];
    running = [];
    await write(old);
  });

  afterEach(async () => {
    await Promise.all(running.map((part) => part.close()));
    await rm(folder, { recursive: true });
  });

  const path = (name: string): string => join(folder, name);

  async function write({ certPem, keyPem }: Partial<KeyPair>): Promise<void> {
    if (certPem !== undefined) await writeFile(path('tls.crt'), certPem);
    if (keyPem !== undefined) await writeFile(path('tls.key'), keyPem);
  }

  function files(clientCaPath?: string): CertificateFiles {
    const log: Logger = {
      ...silentLogger,
      error: (message, fields) => void errors.push(`${message}: ${String(fields?.reason)}`),
    };
    const pair = { certPath: path('tls.crt'), keyPath: path('tls.key') };
    const certificates = new CertificateFiles({ pair, clientCaPath }, { clock, log });
    running.push(certificates);
    return certificates;
  }

  /** Until the files have been read again once more. */
  async function poll(certificates: CertificateFiles, times = 1): Promise<void> {
    for (let count = 0; count < times; count++) {
      const due = clock.nextTimerMs();
      expect(due).to.equal(clock.nowMs() + POLL_MS);
      await clock.advanceTo(clock.nowMs() + POLL_MS);
      while (clock.nextTimerMs() === undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(certificates).to.be.instanceOf(CertificateFiles);
  }

  it('hands on a new pair, and an unchanged one not again', async () => {
    const certificates = files();
    expect(await certificates.first()).to.deep.equal(old);
    certificates.follow((identity) => used.push(identity));
    await poll(certificates, 2);
    expect(used).to.deep.equal([]);
    await write(next);
    await poll(certificates, 3);
    expect([used, errors]).to.deep.equal([[next], []]);
  });

  it('follows the link that a mounted secret swaps', async () => {
    await rm(path('tls.crt'));
    await rm(path('tls.key'));
    for (const [name, pair] of Object.entries({ a: old, b: next })) {
      await writeFile(path(`${name}.crt`), pair.certPem);
      await writeFile(path(`${name}.key`), pair.keyPem);
    }
    const point = async (name: string): Promise<void> => {
      for (const end of ['crt', 'key']) {
        await unlink(path(`tls.${end}`)).catch(() => undefined);
        await symlink(path(`${name}.${end}`), path(`tls.${end}`));
      }
    };
    await point('a');
    const certificates = files();
    await certificates.first();
    certificates.follow((identity) => used.push(identity));
    await point('b');
    await poll(certificates);
    expect(used).to.deep.equal([next]);
  });

  const BAD: readonly (readonly [sentence: string, change: () => Promise<void>, reason: RegExp])[] = [
    [
      'a key of another certificate',
      () => write({ keyPem: next.keyPem }),
      /^the key in .*tls\.key is not that of the certificate in .*tls\.crt$/,
    ],
    [
      'a certificate that is none',
      () => write({ certPem: 'x' }),
      /^.*tls\.crt holds no certificate in PEM: /,
    ],
    ['a key that is none', () => write({ keyPem: '' }), /^.*tls\.key holds no private key in PEM: /],
    ['a file that is gone', () => rm(path('tls.key')), /^.*tls\.key can't be read: ENOENT/],
  ];
  for (const [sentence, change, reason] of BAD) {
    it(`keeps the pair it has, with one error, on ${sentence}`, async () => {
      const certificates = files();
      await certificates.first();
      certificates.follow((identity) => used.push(identity));
      await change();
      await poll(certificates, 3);
      expect(used).to.deep.equal([]);
      expect(errors).to.have.length(1);
      expect(errors[0]?.replace('certificate not changed: the new files are no good: ', '')).to.match(reason);
      await write(next);
      await poll(certificates);
      expect(used).to.deep.equal([next]);
    });

    it(`refuses to start with ${sentence}`, async () => {
      await change();
      const error: unknown = await files()
        .first()
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(OperatorError);
      expect((error as Error).message).to.match(reason);
    });
  }

  it('refuses authorities that are none', async () => {
    await writeFile(path('ca.crt'), 'no');
    const error: unknown = await files(path('ca.crt'))
      .first()
      .catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.match(/ca\.crt holds no certificate in PEM/);
  });

  it('stops looking when it is closed', async () => {
    const certificates = files();
    await certificates.first();
    certificates.follow((identity) => used.push(identity));
    await certificates.close();
    expect(clock.nextTimerMs()).to.equal(undefined);
    certificates.follow((identity) => used.push(identity));
    expect(clock.nextTimerMs()).to.equal(undefined);
  });

  it('is what a server shows to new connections', async () => {
    const certificates = files();
    const server = await startHttpServer(
      {
        host: '127.0.0.1',
        port: 0,
        name: 'tls',
        tls: await certificates.first(),
        listener: (_, response) => response.end('x'),
      },
      { log: silentLogger },
    );
    running.push(server);
    expect(await shownName(server.port)).to.equal('old');
    server.renew(next);
    expect(await shownName(server.port)).to.equal('next');
  });
});

describe('a server of TLS 1.3', () => {
  it('hangs up on older clients, also after its certificate was renewed', async () => {
    const [first, second] = await Promise.all([pairOf('first'), pairOf('second')]);
    const server = await startHttpServer(
      {
        host: '127.0.0.1',
        port: 0,
        name: 'tls',
        tls: { ...first, minVersion: 'TLSv1.3' },
        listener: (_, response) => response.end('x'),
      },
      { log: silentLogger },
    );
    const protocolWith = (maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<string | null> =>
      new Promise((resolve) => {
        const options = { host: '127.0.0.1', port: server.port, rejectUnauthorized: false, maxVersion };
        const socket = tlsConnect(options, () => {
          resolve(socket.getProtocol());
          socket.destroy();
        });
        socket.on('error', () => resolve(null));
      });
    for (const renew of [false, true]) {
      if (renew) server.renew(second);
      expect(await protocolWith('TLSv1.3')).to.equal('TLSv1.3');
      expect(await protocolWith('TLSv1.2')).to.equal(null);
    }
    await server.close();
  });
});

function shownName(port: number): Promise<PeerCertificate['subject']['CN']> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
