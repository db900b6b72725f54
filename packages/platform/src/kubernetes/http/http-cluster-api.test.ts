import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Pod } from '@catamaran/model';
import { expectFailure } from '@catamaran/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Clock } from '../../clock/clock.js';
import { SystemClock } from '../../clock/system-clock.js';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { silentLogger } from '../../log/logger.js';
import { ANSWER_TOO_LARGE, type WatchEvent } from '../cluster-api.js';
import type { ClusterConnection } from '../connection/cluster-connection.js';
import { HttpClusterApi, type HttpClusterApiOptions } from './http-cluster-api.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const never = new AbortController().signal;

describe('HttpClusterApi', () => {
  let server: Server;
  let url: string;
  let handle: Handler;
  let seen: Seen[];
  let sockets: Set<unknown>;
  const open: HttpClusterApi[] = [];

  beforeEach(async () => {
    seen = [];
    sockets = new Set();
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      sockets.add(request.socket);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: target = '', headers } = request;
        const body = Buffer.concat(chunks).toString();
        seen.push({ method, url: target, headers, body });
        handle(request, response, body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((api) => api.close()));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function apiOf(
    connection: Partial<ClusterConnection> = {},
    clock: Clock = new SystemClock(),
    limits: Pick<HttpClusterApiOptions, 'maxBodyBytes' | 'watchSilenceMs'> = {},
  ): HttpClusterApi {
    const full = { serverUrl: url, skipTlsVerify: false, describe: 'test', ...connection };
    const api = new HttpClusterApi(
      { connection: full, userAgent: 'catamaran-test', ...limits },
      { clock, log: silentLogger },
    );
    open.push(api);
    return api;
  }

  const sendJson = (response: ServerResponse, code: number, body: unknown): void => {
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const status = (code: number, reason: string) => ({
    kind: 'Status',
    status: 'Failure',
    code,
    reason,
    message: reason,
  });
  const emptyList = { kind: 'PodList', metadata: { resourceVersion: '7' }, items: null };
  const binding = { namespace: 'team', name: 'p1', uid: 'u1', nodeName: 'n1' };

  async function watchAll(api: HttpClusterApi, signal = never): Promise<WatchEvent<Pod>[]> {
    const events: WatchEvent<Pod>[] = [];
    for await (const event of api.watch('pods', { resourceVersion: '5', timeoutSeconds: 60 }, signal))
      events.push(event);
    return events;
  }

  it('a token that can not be sent fails the call and costs no connection', async () => {
    handle = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ metadata: { resourceVersion: '7' }, items: [] }));
    let token = 'S3cr\net';
    const api = apiOf({ bearerToken: () => Promise.resolve(token), describe: 'kubeconfig /x' });
    const bad = Array.from({ length: 70 }, () =>
      expectFailure(
        api.list('pods', {}, never),
        'unauthorized',
        /^(?!.*S3cr)the bearer token of kubeconfig \/x.*line break/,
      ),
    );
    await Promise.all(bad);
    token = 'good';
    expect((await api.list('pods', {}, never)).resourceVersion).to.equal('7');
    expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal(['Bearer good']);
  });

  it('asks for a page with every option it was given, below the path of the server', async () => {
    handle = (_request, response) => sendJson(response, 200, emptyList);
    const query = {
      limit: 500,
      continueToken: 'a+b/c=',
      fieldSelector: 'spec.nodeName!=',
      labelSelector: 'a in (b,c)',
    };
    const page = await apiOf({ serverUrl: `${url}/k8s/clusters/c1/` }).list('pods', query, never);
    const sizeBytes = JSON.stringify(emptyList).length;
    expect(page).to.deep.equal({ items: [], resourceVersion: '7', sizeBytes });
    const target = new URL(seen[0]?.url ?? '', url);
    expect(target.pathname).to.equal('/k8s/clusters/c1/api/v1/pods');
    expect(Object.fromEntries(target.searchParams)).to.deep.equal({
      limit: '500',
      continue: 'a+b/c=',
      fieldSelector: 'spec.nodeName!=',
      labelSelector: 'a in (b,c)',
    });
    expect(seen[0]?.headers).to.include({ accept: 'application/json', 'user-agent': 'catamaran-test' });
  });

  it('binds with the uid as precondition and takes the Status for an answer', async () => {
    handle = (_request, response) =>
      sendJson(response, 201, { kind: 'Status', status: 'Success', code: 201 });
    await apiOf().bindPod(binding, never);
    expect(seen[0]).to.include({ method: 'POST', url: '/api/v1/namespaces/team/pods/p1/binding' });
    expect(JSON.parse(seen[0]?.body ?? '')).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p1', namespace: 'team', uid: 'u1' },
      target: { apiVersion: 'v1', kind: 'Node', name: 'n1' },
    });
  });

  it('patches a condition as a strategic merge, a series as a merge', async () => {
    handle = (_request, response) => sendJson(response, 200, {});
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
    await apiOf().patchPodCondition({ namespace: 'team', name: 'p1', condition }, never);
    const series = { count: 2, lastObservedTime: '2026-11-30T15:00:00.000000Z' };
    await apiOf().patchEventSeries({ namespace: 'team', name: 'p1.1', series }, never);
    expect(
      seen.map(({ method, url: target, headers, body }) => [method, target, headers['content-type'], body]),
    ).to.deep.equal([
      [
        'PATCH',
        '/api/v1/namespaces/team/pods/p1/status',
        'application/strategic-merge-patch+json',
        JSON.stringify({ status: { conditions: [condition] } }),
      ],
      [
        'PATCH',
        '/apis/events.k8s.io/v1/namespaces/team/events/p1.1',
        'application/merge-patch+json',
        JSON.stringify({ series }),
      ],
    ]);
  });

  it('keeps its connections', async () => {
    handle = (_request, response) => sendJson(response, 200, emptyList);
    const api = apiOf();
    for (let call = 0; call < 20; call += 1) await api.list('pods', {}, never);
    expect(sockets.size).to.be.at.most(2);
  });

  it('takes a missing pod for none, a missing API for an error', async () => {
    handle = (_request, response) => sendJson(response, 404, status(404, 'NotFound'));
    expect(await apiOf().getPod('team', 'p1', never)).to.equal(undefined);
    handle = (_request, response) =>
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
    await expectFailure(apiOf().getPod('team', 'p1', never), 'not-found', '404 page not found');
    await expectFailure(apiOf().listNodeMetrics(never), 'not-found');
  });

  it('sends the token of the moment, and after a 401 once more with a fresh one', async () => {
    let token = 'old';
    const asked: (boolean | undefined)[] = [];
    const bearerToken = async (options?: { fresh?: boolean }): Promise<string> => {
      asked.push(options?.fresh);
      if (options?.fresh === true) token = 'new';
      return token;
    };
    handle = (request, response) => {
      const good = request.headers.authorization === 'Bearer new';
      sendJson(response, good ? 200 : 401, good ? emptyList : status(401, 'Unauthorized'));
    };
    const api = apiOf({ bearerToken });
    await api.list('pods', {}, never);
    await api.list('pods', {}, never);
    expect(asked).to.deep.equal([undefined, true, undefined]);
    expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([
      'Bearer old',
      'Bearer new',
      'Bearer new',
    ]);
  });

  it('gives up with unauthorized when the fresh token is the old one, or is refused too', async () => {
    handle = (_request, response) => sendJson(response, 401, status(401, 'Unauthorized'));
    await expectFailure(apiOf({ bearerToken: async () => 'same' }).list('pods', {}, never), 'unauthorized');
    expect(seen).to.have.length(1);
    const tokens = ['t1', 't2'];
    await expectFailure(
      apiOf({ bearerToken: async () => tokens.shift() }).list('pods', {}, never),
      'unauthorized',
    );
    expect(seen).to.have.length(3);
  });

  it('reconnects a watch with a fresh token too', async () => {
    let token = 'old';
    const bearerToken = async (options?: { fresh?: boolean }): Promise<string> => {
      if (options?.fresh === true) token = 'new';
      return token;
    };
    handle = (request, response) => {
      const good = request.headers.authorization === 'Bearer new';
      sendJson(
        response,
        good ? 200 : 401,
        good
          ? { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } }
          : status(401, 'Unauthorized'),
      );
    };
    // A single line without its end is a stream cut short.
    await expectFailure(watchAll(apiOf({ bearerToken })), 'unavailable', 'within an event');
    expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal(['Bearer old', 'Bearer new']);
  });

  it('gives up a call whose time is up, whether nothing comes or no end', async () => {
    for (const begin of [() => undefined, (response: ServerResponse) => response.write('{"kind":')]) {
      const clock = new VirtualClock(0);
      const arrived = new Promise<void>((resolve) => {
        handle = (_request, response) => {
          begin(response);
          resolve();
        };
      });
      const call = expectFailure(
        apiOf({}, clock).list('pods', {}, never),
        'timeout',
        'did not answer within 30 s',
      );
      await arrived;
      await clock.advanceBy(30_000);
      await call;
      expect(clock.nextTimerMs()).to.equal(undefined);
    }
  });

  it('waits for a token no longer than for an answer', async () => {
    const clock = new VirtualClock(0);
    const api = apiOf({ bearerToken: () => new Promise(() => undefined) }, clock);
    const call = expectFailure(api.list('pods', {}, never), 'timeout', 'did not answer within 30 s');
    await clock.advanceBy(30_000);
    await call;
    expect(seen).to.deep.equal([]);
  });

  it('rejects with the reason of its signal, and leaves no timer', async () => {
    const clock = new VirtualClock(0);
    const stop = new AbortController();
    const reason = new Error('no longer wanted');
    handle = () => stop.abort(reason);
    expect(
      await apiOf({}, clock)
        .list('pods', {}, stop.signal)
        .catch((error: unknown) => error),
    ).to.equal(reason);
    expect(clock.nextTimerMs()).to.equal(undefined);
  });

  it('says unavailable of a connection that is reset or refused, naming the host', async () => {
    handle = (request) => request.socket.destroy();
    await expectFailure(apiOf().bindPod(binding, never), 'unavailable', new URL(url).host);
    await expectFailure(watchAll(apiOf()), 'unavailable', new URL(url).host);
    await expectFailure(
      apiOf({ serverUrl: 'http://127.0.0.1:1' }).list('pods', {}, never),
      'unavailable',
      'ECONNREFUSED',
    );
  });

  it('asks for compression, and reads what is compressed as what is not', async () => {
    const page = {
      kind: 'PodList',
      metadata: { resourceVersion: '7' },
      items: [{ metadata: { name: 'p-ü' } }],
    };
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(page)));
    };
    const { items } = await apiOf().list('pods', {}, never);
    expect(items.map(({ metadata }) => metadata.name)).to.deep.equal(['p-ü']);
    expect(seen[0]?.headers['accept-encoding']).to.equal('gzip');
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('{}');
    };
    await expectFailure(apiOf().list('pods', {}, never), 'invalid-answer', "can't be decompressed");
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' }).end('x');
    };
    await expectFailure(apiOf().list('pods', {}, never), 'invalid-answer', 'comes as br, but only gzip was');
  });

  it('reads no more than its limit, announced, streamed or compressed, and names URL and limit', async () => {
    const MIB = 2 ** 20;
    const large = Buffer.alloc(3 * MIB, ' ');
    const json = { 'content-type': 'application/json' };
    const forms: [sentence: string, answer: Handler][] = [
      [
        'announced',
        (_request, response) => response.writeHead(200, { ...json, 'content-length': 9e12 }).flushHeaders(),
      ],
      [
        'streamed without an end',
        (_request, response) => {
          response.writeHead(200, json);
          const more = (): void => {
            if (!response.destroyed) response.write(large, more);
          };
          more();
        },
      ],
      [
        'compressed a thousandfold',
        (_request, response) =>
          response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(large)),
      ],
    ];
    for (const [sentence, answer] of forms) {
      handle = answer;
      const api = apiOf({}, undefined, { maxBodyBytes: 2 * MIB });
      const failure = await expectFailure(api.list('pods', { limit: 5 }, never), 'invalid-answer');
      expect(failure.reason, sentence).to.equal(ANSWER_TOO_LARGE);
      expect(failure.message, sentence).to.include(
        `GET ${url}/api/v1/pods: the answer is longer than 2 MiB, which is more than we read`,
      );
    }
    handle = (_request, response) => sendJson(response, 200, emptyList);
    expect(
      (await apiOf({}, undefined, { maxBodyBytes: 2 * MIB }).list('pods', {}, never)).resourceVersion,
    ).to.equal('7');
  });

  it('does not follow a redirection, but says where it leads, without credentials', async () => {
    handle = (_request, response) =>
      response.writeHead(302, { location: 'https://me:secret@login.example/?next=1' }).end();
    await expectFailure(
      apiOf().list('pods', {}, never),
      'invalid-answer',
      /^(?!.*secret).* answered 302 and points to https:\/\/\*\*\*@login\.example\/\?next=1; redirections are not followed: give the address of the API server itself$/,
    );
    expect(seen).to.have.length(1);
    await expectFailure(watchAll(apiOf()), 'invalid-answer', 'answered 302 and points to');
  });

  it('says of JSON that was cut off how much came and where it ends', async () => {
    handle = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"metadata":{"resourceVersion":"7"},"items":[{"meta');
    await expectFailure(
      apiOf().list('pods', {}, never),
      'invalid-answer',
      /answered 200 with application\/json, but its 51 characters are no whole JSON; something between here and the API server may cut answers off\. They end: .*"items":\[\{"meta$/,
    );
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5000 });
      response.write('{"items":[', () => response.destroy());
    };
    await expectFailure(apiOf().list('pods', {}, never), 'unavailable', new URL(url).host);
  });

  it('takes a watch whose connection is half open for dead', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}\n');
    };
    await expectFailure(watchAll(apiOf({}, undefined, { watchSilenceMs: 50 })), 'timeout', new URL(url).host);
  });

  it('takes no web page for a list', async () => {
    handle = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>login');
    await expectFailure(apiOf().list('pods', {}, never), 'invalid-answer', '<html>login');
    await expectFailure(
      watchAll(apiOf()),
      'invalid-answer',
      'answered 200 with text/html, which no Kubernetes',
    );
    handle = (_request, response) => sendJson(response, 200, { hello: 'world' });
    await expectFailure(
      apiOf().list('pods', {}, never),
      'invalid-answer',
      'expected a list with items and metadata',
    );
  });

  it('asks for a watch with bookmarks', async () => {
    handle = (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end();
    expect(await watchAll(apiOf())).to.deep.equal([]);
    expect(Object.fromEntries(new URL(seen[0]?.url ?? '', url).searchParams)).to.deep.equal({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '5',
      timeoutSeconds: '60',
    });
  });

  it('reads the same events however the stream is cut', async () => {
    const pod = (name: string) => ({ metadata: { name, resourceVersion: '6' }, spec: {} });
    const wire = [
      { type: 'ADDED', object: pod('p-ü-🚢') },
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } },
      { type: 'DELETED', object: pod('p-ü-🚢') },
      { type: 'ERROR', object: status(410, 'Expired') },
    ];
    const bytes = Buffer.from(wire.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const api = apiOf();
    const run = async (cut: number): Promise<void> => {
      handle = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(bytes.subarray(0, cut), () => setImmediate(() => response.end(bytes.subarray(cut))));
      };
      expect(await watchAll(api)).to.deep.equal([
        wire[0],
        { type: 'BOOKMARK', resourceVersion: '8' },
        wire[2],
        { type: 'ERROR', status: status(410, 'Expired') },
      ]);
    };
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: bytes.length - 1 }), run), { numRuns: 60 });
  });

  it('answers a refused watch with what the server said', async () => {
    handle = (_request, response) => sendJson(response, 410, status(410, 'Expired'));
    await expectFailure(watchAll(apiOf()), 'gone');
    handle = (_request, response) => sendJson(response, 403, status(403, 'Forbidden'));
    await expectFailure(watchAll(apiOf()), 'forbidden');
  });

  it('says unavailable of a watch that is cut off in the middle', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"type":"ADDED","object"', () => response.destroy());
    };
    await expectFailure(watchAll(apiOf()), 'unavailable');
  });

  it('leaves out what has no name, of a list and of a watch, and says so once for each collection', async () => {
    const warnings: unknown[] = [];
    const log = { ...silentLogger, warn: (_: string, details?: object) => warnings.push(details) };
    const connection = { serverUrl: url, skipTlsVerify: false, describe: 'test' };
    const api = new HttpClusterApi({ connection }, { clock: new SystemClock(), log });
    open.push(api);
    const pod = (name: unknown) => ({ metadata: { name, uid: 'u1' }, spec: {} });
    const damaged = [null, {}, { metadata: null }, pod(undefined), pod(7), pod('')];
    handle = (_request, response) =>
      sendJson(response, 200, { ...emptyList, items: [pod('p1'), ...damaged, pod('p2')] });
    const names = async (kind: 'pods' | 'nodes'): Promise<string[]> =>
      (await api.list(kind, {}, never)).items.map(({ metadata }) => metadata.name);
    expect(await names('pods')).to.deep.equal(['p1', 'p2']);
    expect(await names('pods')).to.deep.equal(['p1', 'p2']);
    expect(warnings).to.deep.equal([{ collection: 'pods', object: 'null' }]);
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (const object of [pod('p1'), ...damaged.slice(1), pod('p2')])
        response.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
      response.end();
    };
    expect(await watchAll(api)).to.deep.equal([
      { type: 'MODIFIED', object: pod('p1') },
      { type: 'MODIFIED', object: pod('p2') },
    ]);
    for await (const event of api.watch('nodes', { resourceVersion: '5' }, never))
      expect(event.type).to.equal('MODIFIED');
    expect(warnings.slice(1)).to.deep.equal([{ collection: 'nodes', object: '{}' }]);
  });

  const nonsense: [sentence: string, line: string][] = [
    ['that is no JSON', 'hello'],
    ['of no known type', '{"type":"CHANGED","object":{"metadata":{"name":"p1"}}}'],
    ['without an object', '{"type":"ADDED"}'],
  ];
  for (const [sentence, line] of nonsense) {
    it(`refuses a watch line ${sentence}`, async () => {
      handle = (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(`${line}\n`);
      await expectFailure(watchAll(apiOf()), 'invalid-answer', `not a watch event: ${line}`);
    });
  }

  it('closes the connection of a watch that is left or aborted', async () => {
    const closed: Promise<void>[] = [];
    const stop = new AbortController();
    handle = (request, response) => {
      closed.push(new Promise((resolve) => request.socket.once('close', () => resolve())));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}\n`);
    };
    for await (const _event of apiOf().watch('pods', { resourceVersion: '5' }, never)) break;
    const reason = new Error('no longer wanted');
    const reading = (async () => {
      for await (const _event of apiOf().watch('pods', { resourceVersion: '5' }, stop.signal))
        stop.abort(reason);
    })();
    expect(await reading.catch((error: unknown) => error)).to.equal(reason);
    await Promise.all(closed);
    expect(closed).to.have.length(2);
  });
});
