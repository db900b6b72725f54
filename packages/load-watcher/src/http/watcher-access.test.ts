import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type LogFields,
  type Logger,
  MetricsRegistry,
  OperatorError,
  silentLogger,
  VirtualClock,
} from '@catamaran/platform';
import { InMemoryMetricsProvider } from '@catamaran/testkit';
import { expect } from 'chai';
import { LoadWatcher } from '../service/load-watcher.js';
import { createLoadWatcherApp } from './load-watcher-app.js';
import { TokenFile } from './token-file.js';

const REFUSAL = 'only with the bearer token of --watcher-token-file\n';

describe('/watcher with a token', () => {
  let folder: string;
  let clock: VirtualClock;
  let lines: string[];
  let port: number;
  let close: () => Promise<unknown>;
  const path = (): string => join(folder, 'token');

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'token-'));
    writeFileSync(path(), 'sesame\n');
    clock = new VirtualClock(1_800_000_000_000);
    lines = [];
    const tell = (message: string, fields?: LogFields): void =>
      void lines.push(typeof fields?.reason === 'string' ? `${message}: ${fields.reason}` : message);
    const log: Logger = { ...silentLogger, info: tell, error: tell };
    const provider = new InMemoryMetricsProvider();
    provider.usage = { n1: { cpu: 10, memory: 2 } };
    const metrics = new MetricsRegistry();
    const watcher = new LoadWatcher(
      { refreshIntervalMs: 60_000, maxAgeMs: 300_000 },
      { provider, clock, log: silentLogger, metrics },
    );
    const watcherToken = await TokenFile.open(path(), { clock, log });
    const app = createLoadWatcherApp(
      { config: {} },
      { watcher, clock, log: silentLogger, metrics, watcherToken },
    );
    const server = createServer(app.listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    watcher.start();
    await watcher.settled();
    close = async () => {
      app.drain();
      server.closeAllConnections();
      await Promise.all([watcher.close(), new Promise((resolve) => server.close(resolve))]);
    };
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });

  interface Answer {
    readonly status: number | undefined;
    readonly challenge: string | undefined;
    readonly body: string;
  }

  /** The target as it is, which `fetch` would tidy up. */
  async function ask(target: string, authorization?: string): Promise<Answer> {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: target, headers, agent: false }, resolve).on('error', reject);
    });
    let body = '';
    for await (const chunk of response) body += String(chunk);
    return { status: response.statusCode, challenge: response.headers['www-authenticate'], body };
  }
  const statusOf = async (token: string): Promise<number | undefined> =>
    (await ask('/watcher', `Bearer ${token}`)).status;

  for (const target of [
    '/watcher',
    '/watcher?host=n1',
    '/watcher?window=5m',
    '/%77atcher',
    '/watcher?',
    'http://x/watcher',
  ]) {
    it(`${target} wants it`, async () => {
      expect(await ask(target)).to.deep.equal({ status: 401, challenge: 'Bearer', body: REFUSAL });
      expect((await ask(target, 'Bearer sesame')).body).to.contain('"n1"');
      expect((await ask(target, 'bearer  sesame ')).status).to.equal(200);
    });
  }

  for (const target of [
    '/watcher/',
    '//watcher',
    '/x/../watcher',
    '/WATCHER',
    '/watcher/.',
    '/watcher;x',
    '/watcher#x',
  ]) {
    it(`${target} tells nothing without it`, async () => {
      expect((await ask(target)).body).to.not.contain('n1');
    });
  }

  for (const shown of ['Bearer sesam', 'Bearer sesame2', 'Bearer Sesame', 'Bearer x sesame']) {
    it(`"${shown}" is another token`, async () => {
      expect(await ask('/watcher', shown)).to.deep.equal({
        status: 401,
        challenge: 'Bearer error="invalid_token"',
        body: REFUSAL,
      });
    });
  }

  for (const shown of ['sesame', 'Basic sesame', 'Bearer', 'Bearer ']) {
    it(`"${shown}" is no bearer token`, async () => {
      expect(await ask('/watcher', shown)).to.include({ status: 401, challenge: 'Bearer' });
    });
  }

  for (const target of ['/watcher/health', '/livez', '/readyz', '/metrics', '/openapi.json']) {
    it(`${target} stays open`, async () => {
      expect((await ask(target)).status).to.equal(200);
    });
  }

  it('follows its file, a second later at most', async () => {
    expect([await statusOf('sesame'), await statusOf('simsim')]).to.deep.equal([200, 401]);
    writeFileSync(path(), 'simsim');
    await clock.advanceBy(1_000);
    expect([await statusOf('simsim'), await statusOf('sesame')]).to.deep.equal([200, 401]);
    expect(lines).to.deep.equal(['token of /watcher read again']);
  });

  for (const [sentence, change, reason] of [
    ['is gone', () => rmSync(path()), "can't be read (ENOENT): check path and mount"],
    [
      'is empty',
      () => writeFileSync(path(), ' \n'),
      "can't be used: it is empty; write the token alone into the file",
    ],
  ] as const) {
    it(`keeps the token, with one error, while the file ${sentence}`, async () => {
      change();
      for (let turn = 0; turn < 3; turn += 1) {
        await clock.advanceBy(1_000);
        expect([await statusOf('sesame'), await statusOf('')]).to.deep.equal([200, 401]);
      }
      expect(lines).to.deep.equal([
        `token of /watcher not changed: the new file is no good: ${path()} ${reason}`,
      ]);
    });

    it(`does not start when the file ${sentence}`, async () => {
      change();
      const error: unknown = await TokenFile.open(path(), { clock, log: silentLogger }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(OperatorError);
      expect((error as Error).message).to.equal(`--watcher-token-file: ${path()} ${reason}`);
    });
  }
});
