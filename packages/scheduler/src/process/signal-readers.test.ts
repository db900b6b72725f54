import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  it('send the headers of the arguments, and refuse those that no request can carry without showing them', async () => {
    const headers = { 'X-Scope-OrgID': 'team-a' };
    await authorizationOf({ headers });
    expect(server.requests[0]?.headers['x-scope-orgid']).to.equal('team-a');
    const broken = { headers: { 'X-A': 'S3cret\nmore' } };
    expect(() => readerOf({ address: 'http://p', ...broken })).to.throw(
      OperatorError,
      /^Prometheus: prometheus\.headers: X-A: the value has a line break/,
    );
  });

  it('go through the proxy of the arguments', async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const proxyURL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const reader = readerOf({ address: 'http://prom.example:9090', proxyURL });
    const { signal } = new AbortController();
    await reader?.read({ queries: [{ promql: 'up' }], nodes: [nodeOf('n')] }, signal);
    await reader?.close();
    await new Promise((resolve) => proxy.close(resolve));
    expect(new Set(asked)).to.deep.equal(new Set(['prom.example:9090']));
  });

  it('name the arguments, not the options of the load-watcher, when they are refused', async () => {
    server.reply = () => ({ status: 401, body: 'who are you?', contentType: 'text/plain' });
    const reader = readerOf({ address: server.url.href });
    const { signal } = new AbortController();
    const [answer] = (await reader?.read({ queries: [{ promql: 'up' }], nodes: [] }, signal)) ?? [];
    await reader?.close();
    expect(answer?.ok === false && answer.problem).to.match(
      /HTTP 401.*; it wants other credentials: see prometheus\.tokenFile, prometheus\.token, prometheus\.headers, prometheus\.certFile$/,
    );
    expect(() => readerOf({ address: 'http://p', token: 'two\nlines' })).to.throw(
      OperatorError,
      /^Prometheus: prometheus\.token: /,
    );
  });

  it('need a client certificate that can be read', () => {
    const pair = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
    expect(() => readerOf({ address: 'https://p:9090', ...pair })).to.throw(
      OperatorError,
      /tls\.crt.*ENOENT/,
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
