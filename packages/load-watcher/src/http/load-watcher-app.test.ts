import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  MetricsRegistry,
  type RunningHttpServer,
  silentLogger,
  startHttpServer,
  VirtualClock,
} from '@catamaran/platform';
import { InMemoryMetricsProvider } from '@catamaran/testkit';
import { expect } from 'chai';
import { LoadWatcher } from '../service/load-watcher.js';
import { debugNodes } from './debug-nodes.js';
import { createLoadWatcherApp, type LoadWatcherApp } from './load-watcher-app.js';

const START_MS = 1_800_000_000_000;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

describe('load-watcher over HTTP', () => {
  let clock: VirtualClock;
  let provider: InMemoryMetricsProvider;
  let watcher: LoadWatcher;
  let app: LoadWatcherApp;
  let server: RunningHttpServer;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'load-watcher-'));
    writeFileSync(join(folder, 'token'), 'sesame\n');
    clock = new VirtualClock(START_MS);
    provider = new InMemoryMetricsProvider();
    for (let number = 0; number < 20; number += 1)
      provider.usage = { ...provider.usage, [`n${number}`]: { cpu: number, memory: 2 } };
    const metrics = new MetricsRegistry();
    watcher = new LoadWatcher(
      { refreshIntervalMs: 60_000, maxAgeMs: 300_000 },
      { provider, clock, log: silentLogger, metrics },
    );
    app = createLoadWatcherApp(
      { config: { port: 2020, token: '***' }, debugTokenFile: join(folder, 'token') },
      { watcher, clock, log: silentLogger, metrics },
    );
    server = await startHttpServer(
      { host: '127.0.0.1', port: 0, listener: app.listener, name: 'test' },
      { log: silentLogger },
    );
    watcher.start();
    await watcher.settled();
  });
  afterEach(async () => {
    await Promise.all([server.close(), watcher.close()]);
    rmSync(folder, { recursive: true });
  });

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ port: server.port, path, method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });
  const hosts = (answer: Answer): string[] =>
    Object.keys(
      (JSON.parse(answer.body.toString()) as { data: { NodeMetricsMap: object } }).data.NodeMetricsMap,
    );

  it('sends one body of known length with an entity tag', async () => {
    const { status, headers, body } = await ask('/watcher');
    expect([status, headers['content-type'], Number(headers['content-length'])]).to.deep.equal([
      200,
      'application/json',
      body.length,
    ]);
    expect(headers.etag).to.match(/^"[\w-]{27}"$/);
    expect(headers['transfer-encoding']).to.equal(undefined);
  });

  it('compresses for those who ask, to the same bytes', async () => {
    const plain = await ask('/watcher');
    const packed = await ask('/watcher', { 'accept-encoding': 'br, gzip' });
    expect(packed.headers['content-encoding']).to.equal('gzip');
    expect(gunzipSync(packed.body).equals(plain.body)).to.equal(true);
    expect(packed.headers.etag).to.not.equal(plain.headers.etag);
    const other = await ask('/watcher?window=5m', { 'accept-encoding': 'gzip' });
    expect(JSON.parse(gunzipSync(other.body).toString())).to.have.nested.property('window.duration', '5m');
  });

  for (const accepted of ['GZIP', 'deflate, gzip;q=0.1', 'gzip; q=1.0, *;q=0']) {
    it(`compresses for "${accepted}"`, async () => {
      expect((await ask('/watcher', { 'accept-encoding': accepted })).headers['content-encoding']).to.equal(
        'gzip',
      );
    });
  }

  for (const accepted of ['identity', 'gzip;q=0', 'br', 'gzip;q=0.0, br']) {
    it(`does not compress for "${accepted}"`, async () => {
      expect((await ask('/watcher', { 'accept-encoding': accepted })).headers['content-encoding']).to.equal(
        undefined,
      );
    });
  }

  it('answers 304 while nothing has changed, for each form of the document', async () => {
    for (const [path, headers] of [
      ['/watcher', {}],
      ['/watcher', { 'accept-encoding': 'gzip' }],
      ['/watcher?host=n3', {}],
    ] as const) {
      const first = await ask(path, headers);
      const tag = String(first.headers.etag);
      const again = await ask(path, { ...headers, 'if-none-match': `"other", W/${tag}` });
      expect([again.status, again.body.length, again.headers.etag]).to.deep.equal([304, 0, tag]);
    }
  });

  it('the tag changes with the figures', async () => {
    const { headers } = await ask('/watcher');
    provider.usage = { n1: { cpu: 99 } };
    await clock.advanceBy(60_000, () => watcher.settled());
    expect((await ask('/watcher', { 'if-none-match': String(headers.etag) })).status).to.equal(200);
  });

  const hostQueries: [path: string, result: number | string[]][] = [
    ['/watcher?host=n1', ['n1']],
    ['/watcher?host=n1&host=n2', ['n1']],
    ['/watcher?host[a]=1&host=n2', ['n2']],
    ['/watcher?host=%6E1', ['n1']],
    ['/%77atcher?host=n1', ['n1']],
    ['/watcher?host=N1', 404],
    ['/watcher?host=__proto__', 404],
    ['/watcher?host=%00', 404],
    ['/watcher?host=%ff', 404],
    ['/watcher?host=n1&window=10m', ['n1']],
    ['/watcher?host=n1&window=7m', 400],
    ['/watcher?window=', Array.from({ length: 20 }, (_, number) => `n${number}`).sort()],
    ['/watcher/x', 404],
    ['/WATCHER', 404],
    ['/favicon.ico', 404],
  ];
  for (const [path, result] of hostQueries) {
    it(`${path} gives ${Array.isArray(result) ? `${result.length} of the hosts` : result} (C78)`, async () => {
      const answer = await ask(path);
      expect(typeof result === 'number' ? answer.status : hosts(answer)).to.deep.equal(result);
    });
  }

  it('names the unknown host as it was sent, byte for byte', async () => {
    const { body, headers } = await ask('/watcher?host=a%ff%00b');
    expect(
      body.equals(
        Buffer.concat([Buffer.from('No metrics found for host a'), Buffer.from([0xff, 0]), Buffer.from('b')]),
      ),
    ).to.equal(true);
    expect(headers['x-content-type-options']).to.equal('nosniff');
  });

  it('a bad window is 400 and names the good ones', async () => {
    expect((await ask('/watcher?window=1h')).body.toString()).to.equal(
      'window: expected one of 15m, 10m, 5m, got "1h"\n',
    );
  });

  it('has 500 and an empty body once all figures are too old; a window without data likewise', async () => {
    provider.failure = new Error('x');
    await clock.advanceBy(301_000, () => watcher.settled());
    for (const path of ['/watcher', '/watcher?host=n1', '/watcher?window=5m']) {
      const { status, headers, body } = await ask(path);
      expect([status, headers['content-type'], body.length]).to.deep.equal([500, 'application/json', 0]);
    }
  });

  it('refuses methods that change something, and says which are allowed (D28)', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await ask('/watcher?host=n1', {}, method);
      expect([status, headers.allow]).to.deep.equal([405, 'GET, HEAD']);
    }
  });

  const redirects: [path: string, location: string][] = [
    ['//watcher', '/watcher'],
    ['//watcher?host=n1&x=%20', '/watcher?host=n1&x=%20'],
    ['/a/../watcher/', '/watcher/'],
    ['/./', '/'],
    ['//x%20y/..//z<', '/z%3C'],
  ];
  for (const [path, location] of redirects) {
    it(`${path} is sent to ${location}`, async () => {
      const { status, headers, body } = await ask(path);
      expect([status, headers.location]).to.deep.equal([307, location]);
      expect(body.toString()).to.equal(
        `<a href="${location.replaceAll('&', '&amp;')}">Temporary Redirect</a>.\n\n`,
      );
    });
  }

  it('is live at once, ready with data, and not ready while it stops', async () => {
    expect([(await ask('/livez')).status, (await ask('/readyz')).status]).to.deep.equal([200, 200]);
    app.drain();
    const ready = await ask('/readyz');
    expect([ready.status, ready.body.toString(), (await ask('/livez')).status]).to.deep.equal([
      503,
      'shutdown: the process is stopping\n',
      200,
    ]);
  });

  it('is not ready without data, and says why, yet live: an outage of the source must not restart it (D12)', async () => {
    provider.failure = new Error('HTTP 503');
    await clock.advanceBy(301_000, () => watcher.settled());
    const ready = await ask('/readyz');
    expect([
      ready.status,
      ready.body.toString(),
      (await ask('/livez')).status,
      (await ask('/watcher/health')).status,
    ]).to.deep.equal([
      503,
      `data: the newest figures are 301 s old, the limit is 300 s: ${provider.source}: it answered HTTP 503; why is told at /debug/nodes and in the log\n`,
      200,
      503,
    ]);
  });

  it('/watcher/health is an empty 200, asked of the source at most every two seconds (D29)', async () => {
    const healthy = await ask('/watcher/health');
    expect([healthy.status, healthy.headers['content-type'], healthy.body.length]).to.deep.equal([
      200,
      undefined,
      0,
    ]);
    provider.failure = new Error('down');
    expect((await ask('/watcher/health')).status).to.equal(200);
    await clock.advanceBy(2_000);
    expect((await ask('/watcher/health')).status).to.equal(503);
  });

  it('/metrics is a page for Prometheus', async () => {
    const { headers, body } = await ask('/metrics');
    expect(headers['content-type']).to.contain('version=0.0.4');
    expect(body.toString()).to.contain('load_watcher_refreshes_total{outcome="ok"} 1');
  });

  it('/openapi.json describes every path, and every path that it describes answers', async () => {
    const { body } = await ask('/openapi.json');
    const { paths } = JSON.parse(body.toString()) as { readonly paths: object };
    expect(Object.keys(paths)).to.have.length(7);
    for (const path of Object.keys(paths)) expect((await ask(path)).status, path).to.equal(200);
  });

  it('/configz shows effective options', async () => {
    expect(JSON.parse((await ask('/configz')).body.toString())).to.deep.equal({ port: 2020, token: '***' });
  });

  it('/debug/nodes tells series, sample age, unit, and why a node or figure is missing', async () => {
    provider.extra = {
      absences: [
        { subject: 'n1', metric: 'CPU', reason: 'non-finite', detail: 'the sample is NaN' },
        { subject: '10.9.9.9:9100', metric: 'all', reason: 'unmatched-instance', detail: 'no node' },
      ],
    };
    provider.usage = { n1: { memory: 5 } };
    provider.extra = { ...provider.extra, matchedBy: () => new Map([['n1', new Set(['address'])]]) };
    await clock.advanceBy(60_000, () => watcher.settled());
    await clock.advanceBy(30_000);
    const page = JSON.parse((await ask('/debug/nodes')).body.toString()) as Record<string, unknown>;
    expect(page).to.deep.include({
      servedWindow: '15m',
      dataAgeSeconds: 30,
      failure: null,
      sampleAgeNote: null,
    });
    expect(page.items).to.deep.equal([
      {
        name: '10.9.9.9:9100',
        matchedBy: [],
        metrics: [],
        sources: [],
        sampleAgeSeconds: null,
        absent: [{ metric: 'all', reason: 'unmatched-instance', detail: 'no node' }],
      },
      {
        name: 'n1',
        matchedBy: ['address'],
        metrics: [{ type: 'Memory', operator: 'AVG', rollup: '15m', value: 5, unit: 'percent of capacity' }],
        sources: ['memory'],
        sampleAgeSeconds: 30,
        absent: [{ metric: 'CPU', reason: 'non-finite', detail: 'the sample is NaN' }],
      },
    ]);
  });

  it('/debug/nodes of 20 000 nodes, all of them with something absent, lets others run in between', async () => {
    const names = Array.from({ length: 20_000 }, (_, number) => `n${number}`);
    provider.usage = Object.fromEntries(names.map((name) => [name, { cpu: 1, memory: 2 }]));
    const absence = { metric: 'CPU', reason: 'duplicate-series', detail: 'twice' } as const;
    provider.extra = { absences: names.map((subject) => ({ subject, ...absence })) };
    await clock.advanceBy(60_000, () => watcher.settled());
    const work = debugNodes(watcher, clock.nowMs());
    let pieces = 0;
    while (work.next().done !== true) pieces += 1;
    expect(pieces).to.be.at.least(400);
    const { body } = await ask('/debug/nodes');
    expect((JSON.parse(body.toString()) as { items: unknown[] }).items).to.have.length(20_000);
  });

  const access: [sentence: string, headers: Record<string, string>, status: number][] = [
    ['a client on this machine', {}, 200],
    ['a client behind a proxy on this machine', { 'x-forwarded-for': '10.0.0.9' }, 403],
    ['another kind of proxy', { forwarded: 'for=10.0.0.9' }, 403],
    ['a client behind Envoy', { 'x-envoy-external-address': '10.0.0.9' }, 403],
    ['a client of a content network', { 'true-client-ip': '10.0.0.9' }, 403],
    [
      'a proxied client with the token',
      { 'x-forwarded-for': '10.0.0.9', authorization: 'Bearer sesame' },
      200,
    ],
    [
      'a proxied client with another token',
      { 'x-forwarded-for': '10.0.0.9', authorization: 'Bearer sesamo' },
      403,
    ],
    [
      'a proxied client with an empty token',
      { 'x-forwarded-for': '10.0.0.9', authorization: 'Bearer ' },
      403,
    ],
  ];
  for (const [sentence, headers, status] of access) {
    it(`debug pages: ${sentence} gets ${status}`, async () => {
      expect([
        (await ask('/debug/nodes', headers)).status,
        (await ask('/configz', headers)).status,
      ]).to.deep.equal([status, status]);
    });
  }

  it('debug token: an empty or absent file opens nothing', async () => {
    writeFileSync(join(folder, 'token'), '\n');
    const headers = { 'x-real-ip': '10.0.0.9', authorization: 'Bearer  ' };
    expect((await ask('/configz', headers)).status).to.equal(403);
    rmSync(join(folder, 'token'));
    expect((await ask('/configz', { ...headers, authorization: 'Bearer x' })).status).to.equal(403);
  });
});
