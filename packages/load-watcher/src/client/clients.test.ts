import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { encodeWatcherDocument, type WatcherDocument } from '@catamaran/model';
import {
  type Clock,
  MetricsRegistry,
  SystemClock,
  silentLogger,
  startHttpServer,
  VirtualClock,
} from '@catamaran/platform';
import {
  describeWatcherClient,
  documentWithCpu,
  InMemoryMetricsProvider,
  InMemoryWatcherClient,
} from '@catamaran/testkit';
import { expect } from 'chai';
import { createLoadWatcherApp } from '../http/load-watcher-app.js';
import { LoadWatcher } from '../service/load-watcher.js';
import { HttpWatcherClient } from './http-watcher-client.js';
import { LibraryWatcherClient } from './library-watcher-client.js';
import { WatcherAddressError } from './watcher-address.js';
import type { WatcherState } from './watcher-client.js';

const START_MS = 1_800_000_000_000;
const { signal } = new AbortController();

describeWatcherClient('in-memory client', async () => {
  const clock = new VirtualClock(START_MS);
  const client = new InMemoryWatcherClient(() => clock.nowMs());
  return {
    client,
    serve: async (document) => {
      client.document = document;
    },
    breakDown: async () => {
      client.failure = { code: 'unreachable', message: 'gone' };
    },
    advance: (milliseconds) => clock.advanceBy(milliseconds),
    close: () => client.close(),
  };
});

/** A watcher whose provider says what a document says. */
function watcherOf(clock: VirtualClock) {
  const provider = new InMemoryMetricsProvider();
  const metrics = new MetricsRegistry();
  const watcher = new LoadWatcher(
    { refreshIntervalMs: 60_000, maxAgeMs: 0 },
    { provider, clock, log: silentLogger, metrics },
  );
  const serve = (document: WatcherDocument | undefined): void => {
    provider.failure = undefined;
    provider.usage = Object.fromEntries(
      [...(document?.nodes ?? [])].map(([node, [metric]]) => [node, { cpu: metric?.value ?? 0 }]),
    );
  };
  return { provider, metrics, watcher, serve };
}

describeWatcherClient('library client', async () => {
  const clock = new VirtualClock(START_MS);
  const { provider, watcher, serve } = watcherOf(clock);
  const client = new LibraryWatcherClient(watcher, { clock });
  return {
    client,
    serve: async (document) => {
      serve(document);
      await clock.advanceBy(0);
    },
    breakDown: async () => {
      provider.failure = new Error('HTTP 503');
    },
    advance: async (milliseconds) => {
      await clock.advanceBy(milliseconds);
    },
    close: () => client.close(),
  };
});

/** A watcher of any make, answering as told. */
class FakeWatcher {
  readonly requests: IncomingMessage[] = [];
  handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(500).end();
  readonly #server = createServer((request, response) => {
    this.requests.push(request);
    this.handle(request, response);
  });

  static async start(): Promise<FakeWatcher> {
    const fake = new FakeWatcher();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Never answers. */
const hangs = (): void => undefined;

function sends(body: string | Buffer, headers: Record<string, string> = {}) {
  return (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(200, headers).end(body);
}

describeWatcherClient('HTTP client of another watcher', async () => {
  const clock = new VirtualClock(START_MS);
  const fake = await FakeWatcher.start();
  const client = new HttpWatcherClient({ addresses: [fake.address] }, { clock });
  return {
    client,
    serve: async (document) => {
      fake.handle =
        document === undefined
          ? (_, response) => void response.writeHead(500, { 'content-type': 'application/json' }).end()
          : sends(encodeWatcherDocument(document));
    },
    breakDown: async () => {
      fake.handle = (request) => void request.destroy();
    },
    advance: (milliseconds) => clock.advanceBy(milliseconds),
    close: async () => {
      await client.close();
      await fake.close();
    },
  };
});

describeWatcherClient('HTTP client of our watcher', async () => {
  const clock = new VirtualClock(START_MS);
  const { provider, watcher, serve, metrics } = watcherOf(clock);
  const app = createLoadWatcherApp({ config: {} }, { watcher, clock, log: silentLogger, metrics });
  const server = await startHttpServer(
    { host: '127.0.0.1', port: 0, listener: app.listener, name: 'test' },
    { log: silentLogger },
  );
  const client = new HttpWatcherClient({ addresses: [`${server.url}/`] }, { clock });
  let broken = false;
  return {
    client,
    serve: async (document) => {
      serve(document);
      watcher.start();
      await watcher.settled();
    },
    breakDown: async () => {
      provider.failure = new Error('x');
      broken = true;
      await server.close();
    },
    advance: (milliseconds) => clock.advanceBy(broken ? 0 : milliseconds, () => watcher.settled()),
    close: async () => {
      await client.close();
      await Promise.all([server.close(), watcher.close()]);
    },
  };
});

describe('HttpWatcherClient', () => {
  let one: FakeWatcher;
  let two: FakeWatcher;
  let clients: HttpWatcherClient[];
  beforeEach(async () => {
    one = await FakeWatcher.start();
    two = await FakeWatcher.start();
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    await one.close();
    await two.close();
  });
  const create = (addresses: readonly string[], clock: Clock = new SystemClock()): HttpWatcherClient => {
    const client = new HttpWatcherClient({ addresses, timeoutMs: 10_000 }, { clock });
    clients.push(client);
    return client;
  };
  /** Refreshes, the time of the first watcher's answer being up as soon as it was asked, if it answers at all. */
  const refreshAgainst = async (client: HttpWatcherClient, clock: VirtualClock): Promise<WatcherState> => {
    const before = one.requests.length;
    const refreshing = client.refresh(signal);
    if (one.handle === hangs) {
      while (one.requests.length === before) await new Promise((resolve) => setImmediate(resolve));
      await clock.advanceBy(10_000);
    }
    return refreshing;
  };
  const text = encodeWatcherDocument(documentWithCpu({ n1: 42.17 }));
  const cpu = (client: HttpWatcherClient): unknown => client.current().document?.nodes.get('n1')?.[0]?.value;

  it('asks for the address with one slash, whatever is configured', async () => {
    one.handle = sends(text);
    for (const suffix of ['', '/', '//']) await create([`${one.address}${suffix}`]).refresh(signal);
    expect(one.requests.map(({ url }) => url)).to.deep.equal(['/watcher', '/watcher', '/watcher']);
  });

  it('follows a redirect', async () => {
    one.handle = (request, response) =>
      request.url === '/watcher'
        ? void response.writeHead(307, { location: '/moved' }).end()
        : void response.writeHead(200).end(text);
    const client = create([one.address]);
    await client.refresh(signal);
    expect(cpu(client)).to.equal(42.17);
  });

  it('says of a redirect in a circle what to do', async () => {
    one.handle = (_request, response) => void response.writeHead(307, { location: '/watcher' }).end();
    const { lastFailure } = await create([one.address]).refresh(signal);
    expect(lastFailure?.message).to.equal(
      `${one.address}/watcher: it redirects in a circle: give the address that answers as watcherAddress`,
    );
  });

  for (const name of ['gzip', 'GZIP', 'x-gzip']) {
    it(`takes ${name}`, async () => {
      one.handle = sends(gzipSync(text), { 'content-encoding': name });
      const client = create([one.address]);
      await client.refresh(signal);
      expect([cpu(client), one.requests[0]?.headers['accept-encoding']]).to.deep.equal([42.17, 'gzip']);
    });
  }

  it('sends the tag back, and a 304 confirms what it has', async () => {
    one.handle = (request, response) =>
      request.headers['if-none-match'] === '"t1"'
        ? void response.writeHead(304).end()
        : void response.writeHead(200, { etag: '"t1"' }).end(text);
    const client = create([one.address]);
    const first = await client.refresh(signal);
    const second = await client.refresh(signal);
    expect(second.document).to.equal(first.document);
    expect([one.requests.length, second.lastFailure]).to.deep.equal([2, undefined]);
  });

  it('goes on to the next address, and stays with the one that answered', async () => {
    one.handle = (_, response) => void response.writeHead(503).end();
    two.handle = sends(text);
    const client = create([one.address, two.address]);
    await client.refresh(signal);
    await client.refresh(signal);
    expect([cpu(client), one.requests.length, two.requests.length]).to.deep.equal([42.17, 1, 2]);
    one.handle = sends(text);
    two.handle = (_, response) => void response.writeHead(500).end();
    await client.refresh(signal);
    expect([client.current().lastFailure, one.requests.length]).to.deep.equal([undefined, 2]);
  });

  for (const [what, handle] of [
    ['hangs', hangs],
    ['cuts the connection', (request) => void request.destroy()],
    ['answers with a page', sends('<html>login</html>')],
    ['knows no node', sends('{}')],
  ] as readonly (readonly [string, FakeWatcher['handle']])[]) {
    it(`goes on to the next address when one ${what}`, async () => {
      one.handle = handle;
      two.handle = sends(text);
      const clock = new VirtualClock(START_MS);
      const state = await refreshAgainst(create([one.address, two.address], clock), clock);
      expect([state.lastFailure, state.document?.nodes.size]).to.deep.equal([undefined, 1]);
    });
  }

  it('does not take the tag of one watcher to another', async () => {
    one.handle = sends(text, { etag: '"t1"' });
    two.handle = sends(text);
    const client = create([one.address, two.address]);
    await client.refresh(signal);
    one.handle = (_, response) => void response.writeHead(500).end();
    await client.refresh(signal);
    expect(two.requests[0]?.headers['if-none-match']).to.equal(undefined);
  });

  it('tells the reasons of all addresses', async () => {
    two.handle = (_, response) => void response.writeHead(404).end('No metrics found');
    const { lastFailure } = await create([one.address, two.address]).refresh(signal);
    expect(lastFailure?.code).to.equal('no-data');
    expect(lastFailure?.message)
      .to.contain(`${one.address}/watcher: HTTP 500`)
      .and.contain(`${two.address}/watcher: HTTP 404`);
  });

  it('reads a document of the Go service with bare NaN, random order and several entries', async () => {
    one.handle = sends(
      '{"timestamp":1800000001,"window":{"duration":"15m","start":1799999100,"end":1800000000},"source":"Prometheus",' +
        '"data":{"NodeMetricsMap":{"n2:9100":{"metrics":[{"name":"x","type":"CPU","operator":"AVG","rollup":"15m","value":NaN}],' +
        '"tags":{},"metadata":{"dataCenter":""}},"n1":{"metrics":[{"name":"x","type":"CPU","operator":"AVG","rollup":"15m","value":5}],' +
        '"tags":{},"metadata":{"dataCenter":""}}}}}',
    );
    const { document } = await create([one.address]).refresh(signal);
    expect([...(document?.nodes.keys() ?? [])]).to.deep.equal(['n2:9100', 'n1']);
    expect(document?.nodes.get('n2:9100')).to.deep.equal([]);
  });

  const failures: [sentence: string, handle: FakeWatcher['handle'], code: string, part: string][] = [
    [
      'a page that is no document',
      sends('<html>login</html>'),
      'undecodable',
      'is a load-watcher behind this address?',
    ],
    [
      'a wrong type',
      sends('{"data":{"NodeMetricsMap":{"n":{"metrics":[{"value":"3"}]}}}}'),
      'undecodable',
      'metrics[0].value',
    ],
    ['a document without nodes', sends('{}'), 'empty-document', 'names no node'],
    [
      'broken gzip',
      sends('no gzip', { 'content-encoding': 'gzip' }),
      'undecodable',
      'no gzip as its header says, or too much of it (incorrect header check)',
    ],
    [
      'gzip that unpacks to more than anybody serves',
      sends(gzipSync(Buffer.alloc(65 * 1024 ** 2, ' ')), { 'content-encoding': 'gzip' }),
      'undecodable',
      'too much of it',
    ],
    ['another status', (_, response) => void response.writeHead(403).end(), 'bad-status', 'HTTP 403'],
    ['no answer in time', hangs, 'timeout', 'no answer within 10 s'],
    ['a cut connection', (request) => void request.destroy(), 'unreachable', 'check the address'],
  ];
  for (const [sentence, handle, code, part] of failures) {
    it(`${sentence} is ${code}, and a good document survives it`, async () => {
      const clock = new VirtualClock(START_MS);
      const client = create([one.address], clock);
      one.handle = sends(text);
      await client.refresh(signal);
      one.handle = handle;
      const { document, lastFailure } = await refreshAgainst(client, clock);
      expect([lastFailure?.code, document?.nodes.size]).to.deep.equal([code, 1]);
      expect(lastFailure?.message).to.contain(part);
    });
  }

  it('a caller that gives up does not stop the others', async () => {
    let release = (): void => undefined;
    one.handle = (_, response) => {
      release = () => void response.writeHead(200).end(text);
    };
    const client = create([one.address]);
    const stop = new AbortController();
    const patient = client.refresh(signal);
    const impatient = client.refresh(stop.signal).catch((error: unknown) => error);
    stop.abort(new Error('enough'));
    expect(await impatient).to.have.property('message', 'enough');
    while (one.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release();
    expect((await patient).document?.nodes.size).to.equal(1);
    expect(one.requests).to.have.length(1);
  });

  const addresses: [address: string, part: string][] = [
    ['load-watcher:2020', 'write it as http://load-watcher:2020'],
    ['ftp://x', 'http'],
    ['http://', 'not a URL'],
    [['http://', '$', '{WATCHER}:2020'].join(''), 'a variable'],
    ['', 'not a URL'],
  ];
  for (const [address, part] of addresses) {
    it(`refuses the address ${JSON.stringify(address)} at once`, () => {
      expect(() => create([address]))
        .to.throw(WatcherAddressError)
        .with.property('message')
        .that.contains(part);
    });
  }
});
