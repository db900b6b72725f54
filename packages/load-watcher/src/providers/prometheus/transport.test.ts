import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError, SystemClock, VirtualClock } from '@catamaran/platform';
import { FakePrometheus } from '@catamaran/testkit';
import { expect } from 'chai';
import { type ConnectionOptions, PrometheusConnection } from './connection.js';
import { PrometheusTransport } from './transport.js';

const { signal } = new AbortController();

describe('PrometheusTransport', () => {
  let server: FakePrometheus;
  let folder: string;
  let transports: PrometheusTransport[];
  beforeEach(async () => {
    server = await FakePrometheus.start();
    folder = mkdtempSync(join(tmpdir(), 'transport-'));
    transports = [];
  });
  afterEach(async () => {
    for (const transport of transports) await transport.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const create = (
    given: { path?: string; url?: URL; connection?: ConnectionOptions; clock?: VirtualClock } = {},
  ): PrometheusTransport => {
    const baseUrl = given.url ?? new URL(given.path ?? '', server.url);
    const clock = new SystemClock();
    const connection = new PrometheusConnection(baseUrl, given.connection ?? {}, {
      clock: given.clock ?? clock,
    });
    const transport = new PrometheusTransport(
      { baseUrl, timeoutMs: 2_000, retryDelayMs: 1 },
      { clock, random: () => 0.5, connection },
    );
    transports.push(transport);
    return transport;
  };
  const methods = (): string[] => server.requests.map(({ method }) => method);

  it('posts a form below the path prefix, trailing slash or not (C19)', async () => {
    for (const path of ['/prefix', '/prefix/']) await create({ path }).query('up{a="b"}', signal);
    for (const { method, path, promql, headers } of server.requests) {
      expect([method, path, promql]).to.deep.equal(['POST', '/prefix/api/v1/query', 'up{a="b"}']);
      expect(headers['content-type']).to.equal('application/x-www-form-urlencoded');
    }
  });

  for (const status of [403, 405, 501]) {
    it(`goes on with GET where POST is refused with ${status} (D22), and remembers it`, async () => {
      server.reply = ({ method }) =>
        method === 'POST' ? { status, body: '' } : [{ labels: {}, value: '1' }];
      const transport = create();
      expect((await transport.query('up', signal)).ok).to.equal(true);
      await transport.query('up', signal);
      expect(methods()).to.deep.equal(['POST', 'GET', 'GET']);
    });
  }

  it('does not settle on GET where that is refused too', async () => {
    server.reply = () => ({ status: 403, body: 'forbidden', contentType: 'text/plain' });
    const transport = create();
    const answer = await transport.query('up', signal);
    expect(!answer.ok && answer.problem)
      .to.contain('HTTP 403')
      .and.contain('forbidden');
    await transport.query('up', signal);
    expect(methods()).to.deep.equal(['POST', 'GET', 'POST', 'GET']);
  });

  for (const status of [429, 502, 503, 504]) {
    it(`tries once more after ${status}`, async () => {
      server.reply = () =>
        server.requests.length === 1 ? { status, body: '' } : [{ labels: {}, value: '1' }];
      expect((await create().query('up', signal)).ok).to.equal(true);
    });
  }

  it('does not repeat what can only fail again', async () => {
    server.reply = () => ({ status: 422, body: '{"status":"error","error":"too many samples"}' });
    const answer = await create().query('up', signal);
    expect([!answer.ok && answer.problem.includes('too many samples'), methods().length]).to.deep.equal([
      true,
      1,
    ]);
  });

  it('sends token, basic auth and further headers', async () => {
    await create({ connection: { token: 'abc', headers: { 'X-Scope-OrgID': 'team-a' } } }).query(
      'up',
      signal,
    );
    const url = new URL(server.url);
    url.username = 'me%40x';
    url.password = 'p%3Aw';
    await create({ url }).query('up', signal);
    expect(server.requests[0]?.headers).to.include({
      authorization: 'Bearer abc',
      'x-scope-orgid': 'team-a',
    });
    expect(server.requests[1]?.headers.authorization).to.equal(
      `Basic ${Buffer.from('me@x:p:w').toString('base64')}`,
    );
  });

  it('reads a rotated token again within half a minute, and at once after a 401 (C53)', async () => {
    const tokenFile = join(folder, 'token');
    const clock = new VirtualClock(0);
    writeFileSync(tokenFile, 'one\n');
    const transport = create({ connection: { tokenFile }, clock });
    const shown = (): unknown => server.requests.at(-1)?.headers.authorization;
    await transport.query('up', signal);
    writeFileSync(tokenFile, 'two\n');
    await transport.query('up', signal);
    expect(shown()).to.equal('Bearer one');
    await clock.advanceBy(30_000);
    await transport.query('up', signal);
    expect(shown()).to.equal('Bearer two');
    writeFileSync(tokenFile, 'three');
    server.reply = ({ headers }) =>
      headers.authorization === 'Bearer three' ? [] : { status: 401, body: '' };
    expect((await transport.query('up', signal)).ok).to.equal(true);
    expect(shown()).to.equal('Bearer three');
  });

  it('a token file that is missing for a moment leaves the last token; one that never was is named', async () => {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'one');
    const clock = new VirtualClock(0);
    const transport = create({ connection: { tokenFile }, clock });
    await transport.query('up', signal);
    rmSync(tokenFile);
    await clock.advanceBy(60_000);
    expect((await transport.query('up', signal)).ok).to.equal(true);
    const other = await create({ connection: { tokenFile } }).query('up', signal);
    expect(!other.ok && other.problem).to.contain(
      `${tokenFile}, can't be read (ENOENT): check path and mount`,
    );
  });

  for (const [sentence, bad, problem] of [
    ['a line break inside', 'S3cr\net', 'it has a line break inside'],
    ['nothing in it', '\n', 'it is empty'],
    ['what no header can carry', 'S3cret€', 'it has a character that no HTTP header can carry'],
  ] as const) {
    it(`a token file with ${sentence} fails each query and names the file; corrected, everything works again`, async () => {
      const tokenFile = join(folder, 'token');
      writeFileSync(tokenFile, bad);
      const transport = create({ connection: { tokenFile } });
      for (let number = 0; number < 15; number += 1) {
        expect(await transport.query('up', signal)).to.deep.equal({
          ok: false,
          problem: `the bearer token for Prometheus, ${tokenFile}, can't be used: ${problem}; write the token alone into the file`,
        });
      }
      expect(server.requests).to.deep.equal([]);
      writeFileSync(tokenFile, 'one\n');
      expect((await transport.query('up', signal)).ok).to.equal(true);
    });
  }

  it('headers that no request can carry are refused at once', () => {
    expect(() => create({ connection: { headers: { 'X-A': 'a\nb' } } }))
      .to.throw(OperatorError)
      .with.property('message')
      .that.contains('--metrics-provider-headers')
      .and.contains('X-A');
  });

  it('a certificate file that can not be read is refused at once', () => {
    const caFile = join(folder, 'ca.crt');
    expect(() => create({ connection: { caFile } }))
      .to.throw(OperatorError)
      .with.property(
        'message',
        `the CA bundle for Prometheus, ${caFile}, can't be read (ENOENT): check path and mount`,
      );
  });

  it('takes a proxy', async () => {
    const seen: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      seen.push(request.url ?? '');
      socket.end('HTTP/1.1 502 no\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const answer = await create({ url: new URL('http://prom.example:9090'), connection: { proxyUrl } }).query(
      'up',
      signal,
    );
    expect(answer.ok).to.equal(false);
    expect(seen[0]).to.equal('prom.example:9090');
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('names host and remedy when nothing listens or the name does not resolve', async () => {
    const refused = await create({ url: new URL('http://127.0.0.1:1') }).query('up', signal);
    expect(!refused.ok && refused.problem).to.equal(
      'http://127.0.0.1:1: nothing listens there (ECONNREFUSED): check host and port',
    );
    const unknown = await create({ url: new URL('http://prom.absent.invalid') }).query('up', signal);
    expect(!unknown.ok && unknown.problem).to.match(
      /^http:\/\/prom\.absent\.invalid: the host name does not resolve/,
    );
  });

  it('is healthy by its health page, with GET below the prefix (C19, D10)', async () => {
    server.reply = ({ method, path }) =>
      method === 'GET' && path === '/prefix/-/healthy'
        ? { status: 200, body: 'ok' }
        : { status: 405, body: '' };
    expect(await create({ path: '/prefix/' }).probe(signal)).to.deep.equal({ ok: true, value: undefined });
    expect((await create({ path: '/other' }).probe(signal)).ok).to.equal(false);
  });

  it('is healthy by a query where the health page is not served', async () => {
    server.reply = ({ path }) => (path.endsWith('/query') ? [] : { status: 404, body: '' });
    expect((await create().probe(signal)).ok).to.equal(true);
  });
});
