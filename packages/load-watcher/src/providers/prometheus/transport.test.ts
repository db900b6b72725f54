import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError, SystemClock, VirtualClock } from '@catamaran/platform';
import { FakePrometheus } from '@catamaran/testkit';
import { expect } from 'chai';
import { type ConnectionOptions, ProviderConnection } from '../connection/provider-connection.js';
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
    const connection = new ProviderConnection(baseUrl, given.connection ?? {}, {
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

  for (const status of [502, 503, 504]) {
    it(`tries once more after ${status}`, async () => {
      server.reply = () =>
        server.requests.length === 1 ? { status, body: '' } : [{ labels: {}, value: '1' }];
      expect((await create().query('up', signal)).ok).to.equal(true);
    });
  }

  it('a 429 is not asked again at once, but by the next refresh', async () => {
    server.reply = () => ({ status: 429, body: 'busy', contentType: 'text/plain' });
    const transport = create();
    for (let refresh = 1; refresh <= 2; refresh += 1) {
      const answer = await transport.query('up', signal);
      expect([!answer.ok && answer.problem.includes('HTTP 429'), methods().length]).to.deep.equal([
        true,
        refresh,
      ]);
    }
  });

  for (const [status, header, waitMs] of [
    [429, '30', 30_000],
    [503, '30', 30_000],
    [429, '86400', 120_000],
  ] as const) {
    it(`a ${status} with Retry-After: ${header} ends all queries for ${waitMs / 1000} s`, async () => {
      const limited = createServer((_request, response) => {
        asked += 1;
        response.writeHead(asked === 1 ? status : 200, { 'retry-after': header });
        response.end('{"status":"success","data":{"resultType":"vector","result":[]}}');
      });
      let asked = 0;
      await new Promise<void>((resolve) => limited.listen(0, '127.0.0.1', resolve));
      const url = new URL(`http://127.0.0.1:${(limited.address() as AddressInfo).port}`);
      const clock = new VirtualClock(0);
      const connection = new ProviderConnection(url, {}, { clock });
      const transport = new PrometheusTransport({ baseUrl: url }, { clock, random: () => 0, connection });
      transports.push(transport);
      const ask = async () => transport.query('up', signal);
      expect((await ask()).ok).to.equal(false);
      await clock.advanceBy(waitMs - 1_000);
      const refused = await ask();
      expect(!refused.ok && refused.problem).to.equal(
        `${url.origin}: rate limited before (Retry-After), no query for another 1 s`,
      );
      expect(asked).to.equal(1);
      await clock.advanceBy(1_000);
      expect((await ask()).ok).to.equal(true);
      limited.close();
    });
  }

  const echoed: [sentence: string, connection: ConnectionOptions, userPart: string][] = [
    ['a token', { token: 'sesame-open' }, ''],
    ['a token file', { tokenFile: 'FILE' }, ''],
    ['user and password', {}, 'me:sesame-open@'],
    ['headers', { headers: { 'X-Api-Key': 'sesame-open', Authorization: 'Custom sesame-open' } }, ''],
  ];
  for (const [sentence, connection, userPart] of echoed) {
    for (const status of [401, 200] as const) {
      it(`a ${status} that repeats ${sentence} gives none of it away`, async () => {
        const tokenFile = join(folder, 'token');
        writeFileSync(tokenFile, 'sesame-open');
        server.reply = ({ headers }) => {
          const seen = JSON.stringify(headers);
          const told = [seen, Buffer.from('sesame-open').toString('base64'), 'x'.repeat(194) + seen];
          const data = { resultType: 'vector', result: [] };
          const [error, warnings] = [seen, told];
          const body =
            status === 200 ? { status: 'success', data, warnings } : { status: 'error', error, told };
          return { status, body: JSON.stringify(body) };
        };
        const url = new URL(server.url.href.replace('//', `//${userPart}`));
        const given = connection.tokenFile === undefined ? connection : { tokenFile };
        const answer = await create({ url, connection: given }).query('up', signal);
        const text = JSON.stringify(answer);
        expect(text)
          .to.include('***')
          .and.not.match(/sesame|c2VzYW1l|bWU6c2VzYW1l|sesam/);
      });
    }
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
    ['what no header can carry', 'S3cret€', 'it has a character beyond ASCII, which no token has'],
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

  it('a proxy that is away or refuses is what the message is about, without its password', async () => {
    const url = new URL('http://prom.example:9090');
    const ask = (proxyUrl: string) => create({ url, connection: { proxyUrl } }).query('up', signal);
    const away = await ask("http://u:S3cr'et@127.0.0.1:1");
    expect(!away.ok && away.problem)
      .to.match(
        /^http:\/\/prom\.example:9090: the proxy http:\/\/\*\*\*@127\.0\.0\.1:1 does not let us through \(.*ECONNREFUSED/,
      )
      .and.contain('NO_PROXY')
      .and.not.contain('S3cr');
    const proxy = createServer();
    proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 who\r\n\r\n'));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const refused = await ask(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    expect(!refused.ok && refused.problem)
      .to.contain('the proxy http://127.0.0.1')
      .and.contain('407');
    await new Promise((resolve) => proxy.close(resolve));
  });

  for (const [status, remedy] of [
    [401, 'it wants other credentials: see --metrics-provider-token-file'],
    [403, 'these credentials may not query: see --metrics-provider-token-file'],
  ] as const) {
    it(`${status} names host, status and the options to set`, async () => {
      server.reply = () => ({ status, body: 'no', contentType: 'text/plain' });
      const answer = await create().query('up', signal);
      expect(!answer.ok && answer.problem)
        .to.contain(`${server.url.origin}: HTTP ${status}, text/plain`)
        .and.contain(remedy);
    });
  }

  it('401 to a token that has expired says so (C56)', async () => {
    server.reply = () => ({ status: 401, body: '' });
    const claims = Buffer.from('{"exp":1700000000}').toString('base64url');
    const answer = await create({ connection: { token: `eyJhbGciOi.${claims}.c2ln` } }).query('up', signal);
    expect(!answer.ok && answer.problem).to.contain('the token expired at 2023-11-14T22:13:20.000Z');
  });

  describe('redirects', () => {
    let moved: Server;
    let location: string;
    let status: number;
    let seen: string[];
    beforeEach(async () => {
      seen = [];
      location = '/new/api/v1/query?query=up';
      moved = createServer((request, response) => {
        seen.push(`${request.method} ${request.url?.split('?')[0]}`);
        request.resume();
        if (request.url?.startsWith('/new/')) {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end('{"status":"success","data":{"resultType":"vector","result":[]}}');
        } else response.writeHead(status, { location }).end();
      });
      await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
    });
    afterEach(async () => {
      moved.closeAllConnections();
      await new Promise((resolve) => moved.close(resolve));
    });
    const query = () =>
      create({ url: new URL(`http://127.0.0.1:${(moved.address() as AddressInfo).port}`) }).query(
        'up',
        signal,
      );

    for (const code of [301, 302, 307, 308]) {
      it(`${code} within the server is followed, with GET`, async () => {
        status = code;
        expect((await query()).ok).to.equal(true);
        expect(seen).to.deep.equal(['POST /api/v1/query', 'GET /api/v1/query', 'GET /new/api/v1/query']);
      });

      it(`${code} to another server is not followed but named, without what its query holds`, async () => {
        status = code;
        location = 'https://u:S3cret@login.example/auth?state=S3cret';
        const answer = await query();
        expect(!answer.ok && answer.problem)
          .to.contain(`HTTP ${code}, a redirect to https://login.example/auth: `)
          .and.not.contain('S3cret');
      });
    }

    it('ends after a few of them, and names the last', async () => {
      status = 302;
      location = '/api/v1/query';
      const answer = await query();
      expect(!answer.ok && answer.problem).to.contain('HTTP 302, a redirect to http://127.0.0.1');
      expect(seen).to.have.length(5);
    });
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
