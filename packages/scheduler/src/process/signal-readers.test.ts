import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError, SystemClock } from '@catamaran/platform';
import { FakePrometheus, nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import type { SignalSourceArgs } from '../core/signals/source-args.js';
import { createSignalReaders } from './signal-readers.js';

const DEPS = { clock: new SystemClock(), random: () => 0 };

const readerOf = (args: SignalSourceArgs) => createSignalReaders([{ key: 'k', args }], DEPS).get('k');

describe('readers of signals', () => {
  let server: FakePrometheus;
  let folder: string;
  beforeEach(async () => {
    server = await FakePrometheus.start();
    folder = mkdtempSync(join(tmpdir(), 'signal-readers-'));
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  async function authorizationOf(args: Omit<SignalSourceArgs, 'address'>): Promise<string | undefined> {
    const reader = readerOf({ address: server.url.href, ...args });
    const { signal } = new AbortController();
    const answers = await reader?.read({ queries: [{ promql: 'up' }], nodes: [nodeOf('n')] }, signal);
    await reader?.close();
    expect(answers?.map(({ ok }) => ok)).to.deep.equal([true]);
    return server.requests[0]?.headers.authorization;
  }

  it('show no credentials unless there are some', async () => {
    expect(await authorizationOf({})).to.equal(undefined);
  });

  it('show the token of the arguments', async () => {
    expect(await authorizationOf({ token: 'secret' })).to.equal('Bearer secret');
  });

  it('show the token of a file', async () => {
    writeFileSync(join(folder, 'token'), 'from-a-file\n');
    expect(await authorizationOf({ tokenFile: join(folder, 'token') })).to.equal('Bearer from-a-file');
  });

  it('name the arguments, not the options of the load-watcher, when they are refused', async () => {
    server.reply = () => ({ status: 401, body: 'who are you?', contentType: 'text/plain' });
    const reader = readerOf({ address: server.url.href });
    const { signal } = new AbortController();
    const [answer] = (await reader?.read({ queries: [{ promql: 'up' }], nodes: [] }, signal)) ?? [];
    await reader?.close();
    expect(answer?.ok === false && answer.problem).to.match(
      /HTTP 401.*; it wants other credentials: see prometheus\.tokenFile, prometheus\.token$/,
    );
    expect(() => readerOf({ address: 'http://p', token: 'two\nlines' })).to.throw(
      OperatorError,
      /^Prometheus: prometheus\.token: /,
    );
  });

  it('need a CA file that can be read', () => {
    const caFile = join(folder, 'ca.crt');
    expect(() => readerOf({ address: 'https://p:9090', caFile })).to.throw(
      OperatorError,
      `the CA bundle for Prometheus, ${caFile}, can't be read (ENOENT): check path and mount`,
    );
  });
});
