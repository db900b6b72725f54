import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expectFailure } from '@catamaran/testkit';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import { SystemClock } from '../../clock/system-clock.js';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { type Logger, silentLogger } from '../../log/logger.js';
import type { ClusterConnection, TlsMaterial } from '../connection/cluster-connection.js';
import { loadClusterConnection } from '../connection/load-cluster-connection.js';
import { HttpClusterApi } from './http-cluster-api.js';

const never = new AbortController().signal;
const PAGE = JSON.stringify({ metadata: { resourceVersion: '7' }, items: [] });

const UNAUTHORIZED = JSON.stringify({
  kind: 'Status',
  code: 401,
  reason: 'Unauthorized',
  message: 'Unauthorized',
});

interface KeyPair {
  readonly cert: string;
  readonly private: string;
}

interface ServerTraits {
  readonly pair: KeyPair;
  /** Breaks off with clients whose certificate leads nowhere. */
  readonly refuseStrangers: boolean;
  readonly version: 'TLSv1.2' | 'TLSv1.3';
  /** The only client that gets no 401. */
  readonly accepts: string;
}

/** A certificate that is its own authority. */
function pairOf(
  name: string,
  more: { readonly dns?: string; readonly notBefore?: string; readonly notAfter?: string } = {},
): Promise<KeyPair> {
  const { dns = name, notBefore, notAfter } = more;
  return selfsigned.generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: dns }] }],
    ...(notBefore === undefined ? {} : { notBeforeDate: new Date(notBefore) }),
    ...(notAfter === undefined ? {} : { notAfterDate: new Date(notAfter) }),
  });
}

describe('connections to the API server', () => {
  let authority: KeyPair;
  const servers: Server[] = [];
  const apis: HttpClusterApi[] = [];
  let clientNames: string[];
  let openWatches: ServerResponse[];

  before(async function () {
    this.timeout(20_000);
    authority = await pairOf('kubernetes', { dns: 'kubernetes' });
  });
  beforeEach(() => {
    clientNames = [];
    openWatches = [];
  });
  afterEach(async () => {
    await Promise.all(apis.splice(0).map((api) => api.close()));
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  function startApiServer(given: Partial<ServerTraits> = {}): Promise<number> {
    const { pair = authority, refuseStrangers = false, version, accepts } = given;
    const options = {
      key: pair.private,
      cert: pair.cert,
      requestCert: true,
      rejectUnauthorized: refuseStrangers,
      ...(version === undefined ? {} : { maxVersion: version }),
    };
    const server = createHttpsServer(options, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      const client = String(subject?.CN ?? 'nobody');
      clientNames.push(client);
      const isWelcome = accepts === undefined || accepts === client;
      response.writeHead(isWelcome ? 200 : 401, { 'content-type': 'application/json' });
      if (request.url?.includes('watch=true') !== true) response.end(isWelcome ? PAGE : UNAUTHORIZED);
      else {
        response.flushHeaders();
        openWatches.push(response);
      }
    });
    return listen(server);
  }

  function endWatches(lastLine: string): void {
    for (const response of openWatches.splice(0)) response.end(lastLine);
  }

  function apiOf(port: number, connection: Partial<ClusterConnection>): HttpClusterApi {
    const full = {
      serverUrl: `https://127.0.0.1:${port}`,
      skipTlsVerify: false,
      describe: 'test',
      ...connection,
    };
    const api = new HttpClusterApi({ connection: full }, { clock: new SystemClock(), log: silentLogger });
    apis.push(api);
    return api;
  }

  it('trusts the authority it is given, for the name it is given', async () => {
    const api = apiOf(await startApiServer(), { caPem: authority.cert, serverName: 'kubernetes' });
    expect((await api.list('pods', {}, never)).resourceVersion).to.equal('7');
  });

  it('refuses an unknown authority, another name and an expired certificate, and says what to do', async () => {
    const port = await startApiServer();
    const unknown = apiOf(port, {}).list('pods', {}, never);
    await expectFailure(
      unknown,
      'unavailable',
      /^127\.0\.0\.1:\d+: the server's certificate is from an authority that is not trusted; set certificate-authority in test to the one that signed it \[self.signed certificate/,
    );
    const otherName = apiOf(port, { caPem: authority.cert, serverName: 'another' });
    await expectFailure(
      otherName.list('pods', {}, never),
      'unavailable',
      /certificate is not for 127\.0\.0\.1; use a name it is for as server, or set tls-server-name, in test \[.*another.*DNS:kubernetes/,
    );
    const old = await pairOf('kubernetes', { notBefore: '2020-01-01', notAfter: '2021-01-01' });
    const late = apiOf(await startApiServer({ pair: old }), { caPem: old.cert, serverName: 'kubernetes' });
    await expectFailure(
      late.list('pods', {}, never),
      'unavailable',
      "the server's certificate has expired; renew it on the server, and check this machine's clock [certificate has expired (CERT_HAS_EXPIRED)]",
    );
    expect(clientNames).to.deep.equal([]);
  });

  it('says that its own certificate was refused, and whose it is', async () => {
    const strict = { pair: authority, refuseStrangers: true };
    const stranger = await pairOf('stranger');
    const credentials = { clientCertPem: stranger.cert, clientKeyPem: stranger.private };
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const port = await startApiServer({ ...strict, version });
      const api = apiOf(port, { caPem: authority.cert, serverName: 'kubernetes', ...credentials });
      const failure = await expectFailure(api.list('pods', {}, never), 'unavailable');
      // The connection may be gone before the alert is read.
      expect(failure.message, version).to.match(
        /refused our client certificate; renew client-certificate and client-key of test|ECONNRESET|EPIPE|other side closed/,
      );
    }
  });

  it('says that a server speaks no TLS', async () => {
    const port = await listen(createHttpServer((_request, response) => response.end()));
    await expectFailure(
      apiOf(port, {}).list('pods', {}, never),
      'unavailable',
      /the server speaks no TLS; check the port, or write http:\/\/ as server in test/,
    );
  });

  it('says which proxy is dead or refuses, and where it is configured', async () => {
    const port = await startApiServer();
    const dead = apiOf(port, { caPem: authority.cert, proxyUrl: 'http://me:secret@127.0.0.1:1' });
    await expectFailure(
      dead.list('pods', {}, never),
      'unavailable',
      /^(?!.*secret).*: the proxy http:\/\/\*\*\*@127\.0\.0\.1:1\/? \(proxy-url of test\) can't be reached; mend it or remove proxy-url .*ECONNREFUSED/,
    );
    const proxy = createHttpServer();
    proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const refusing = apiOf(port, { proxyUrl: `http://127.0.0.1:${await listen(proxy)}` });
    await expectFailure(
      refusing.list('pods', {}, never),
      'unavailable',
      '(proxy-url of test) refuses to connect to it, with 403',
    );
  });

  describe('when certificates rotate', () => {
    const HALF = '-----BEGIN CERTIFICATE-----\nMIIB';

    interface Rotation {
      readonly api: HttpClusterApi;
      readonly clock: VirtualClock;
      readonly lines: string[];
      present: TlsMaterial;
    }

    function rotating(port: number, first: TlsMaterial, more: Partial<ClusterConnection> = {}): Rotation {
      const clock = new VirtualClock(Date.UTC(2026, 10, 30));
      const lines: string[] = [];
      const log: Logger = {
        ...silentLogger,
        info: (message) => lines.push(`info ${message}`),
        warn: (message, fields) => lines.push(`warn ${message}: ${String(fields?.reason)}`),
      };
      const connection: ClusterConnection = {
        serverUrl: `https://127.0.0.1:${port}`,
        skipTlsVerify: false,
        describe: 'test',
        ...first,
        currentTls: async () => scene.present,
        ...more,
      };
      const api = new HttpClusterApi({ connection }, { clock, log });
      apis.push(api);
      const scene: Rotation = { api, clock, lines, present: first };
      return scene;
    }

    it('shows the new client certificate within a minute, while a watch under the old one goes on', async () => {
      const [first, second] = [await pairOf('first'), await pairOf('second')];
      const asTls = ({ cert, private: key }: KeyPair): TlsMaterial => ({
        clientCertPem: cert,
        clientKeyPem: key,
      });
      const scene = rotating(await startApiServer(), asTls(first), { skipTlsVerify: true });
      const watch = scene.api.watch('pods', { resourceVersion: '7' }, never)[Symbol.asyncIterator]();
      const reading = watch.next();
      await scene.api.list('pods', {}, never);
      scene.present = asTls(second);
      await scene.api.list('pods', {}, never);
      await scene.clock.advanceBy(60_000);
      await scene.api.list('pods', {}, never);
      expect(clientNames).to.deep.equal(['first', 'first', 'first', 'second']);
      endWatches('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}\n');
      expect((await reading).value).to.deep.equal({ type: 'BOOKMARK', resourceVersion: '9' });
      expect(scene.lines).to.deep.equal([
        'info certificates for the API server have changed; new connections use the new ones',
      ]);
    });

    it('follows the files of a kubeconfig: authority, certificate and key', async function () {
      // The client library takes a second to load.
      this.timeout(20_000);
      const folder = await mkdtemp(join(tmpdir(), 'rotation-'));
      const put = (name: string, text: string) => writeFile(join(folder, name), text);
      const [first, second] = [await pairOf('first'), await pairOf('second')];
      const next = await pairOf('kubernetes');
      const port = await startApiServer();
      const path = join(folder, 'config');
      await put('ca.crt', authority.cert);
      await put('client.crt', first.cert);
      await put('client.key', first.private);
      const cluster = {
        server: `https://127.0.0.1:${port}`,
        'certificate-authority': 'ca.crt',
        'tls-server-name': 'kubernetes',
      };
      const user = { 'client-certificate': 'client.crt', 'client-key': 'client.key' };
      const context = { cluster: 'a', user: 'a' };
      await put(
        'config',
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          'current-context': 'a',
          contexts: [{ name: 'a', context }],
          clusters: [{ name: 'a', cluster }],
          users: [{ name: 'a', user }],
        }),
      );
      const clock = new VirtualClock(Date.UTC(2026, 10, 30));
      const connection = await loadClusterConnection({ kubeconfigPath: path, env: {}, clock });
      const api = new HttpClusterApi({ connection }, { clock, log: silentLogger });
      apis.push(api);
      await api.list('pods', {}, never);
      await put('client.crt', second.cert);
      await clock.advanceBy(60_000);
      await api.list('pods', {}, never);
      await put('client.key', second.private);
      await put('ca.crt', `${authority.cert}\n${next.cert}`);
      await clock.advanceBy(60_000);
      await api.list('pods', {}, never);
      expect(clientNames).to.deep.equal(['first', 'first', 'second']);
      await rm(folder, { recursive: true });
    });

    it('trusts a new authority as soon as the server shows its certificate', async () => {
      const next = await pairOf('kubernetes', { dns: 'kubernetes' });
      const port = await startApiServer({ pair: next });
      const scene = rotating(port, { caPem: authority.cert }, { serverName: 'kubernetes' });
      scene.present = { caPem: next.cert };
      await expectFailure(scene.api.list('pods', {}, never), 'unavailable', 'not trusted');
      expect((await scene.api.list('pods', {}, never)).resourceVersion).to.equal('7');
    });

    it('shows the new client certificate after a 401 at once', async () => {
      const [first, second] = [await pairOf('first'), await pairOf('second')];
      const port = await startApiServer({ pair: authority, accepts: 'second' });
      const scene = rotating(
        port,
        { clientCertPem: first.cert, clientKeyPem: first.private },
        { skipTlsVerify: true },
      );
      await expectFailure(scene.api.list('pods', {}, never), 'unauthorized');
      scene.present = { clientCertPem: second.cert, clientKeyPem: second.private };
      expect((await scene.api.list('pods', {}, never)).resourceVersion).to.equal('7');
      expect(clientNames).to.deep.equal(['first', 'second']);
    });

    it('reads the files at most once a second, however often a certificate is refused', async () => {
      const first = await pairOf('first');
      let reads = 0;
      const material = { clientCertPem: first.cert, clientKeyPem: first.private };
      const currentTls = async (): Promise<TlsMaterial> => {
        reads += 1;
        return material;
      };
      const port = await startApiServer({ accepts: 'second' });
      const scene = rotating(port, material, { skipTlsVerify: true, currentTls });
      for (let second = 0; second < 3; second += 1) {
        for (let call = 0; call < 5; call += 1) {
          await expectFailure(scene.api.list('pods', {}, never), 'unauthorized');
        }
        await scene.clock.advanceBy(1000);
      }
      expect(reads).to.equal(3);
      expect(scene.lines).to.deep.equal([]);
    });

    it('keeps what it has while the files are half written, unreadable or no pair, and warns once of each', async () => {
      const [first, second] = [await pairOf('first'), await pairOf('second')];
      const good = { clientCertPem: first.cert, clientKeyPem: first.private };
      let failure: Error | undefined;
      const currentTls = async (): Promise<TlsMaterial> => {
        if (failure !== undefined) throw failure;
        return scene.present;
      };
      const scene = rotating(await startApiServer(), good, { skipTlsVerify: true, currentTls });
      const listAfterAMinute = async (): Promise<void> => {
        await scene.clock.advanceBy(60_000);
        await scene.api.list('pods', {}, never);
      };
      scene.present = { clientCertPem: second.cert, clientKeyPem: first.private };
      await listAfterAMinute();
      await listAfterAMinute();
      scene.present = { ...good, caPem: HALF };
      await listAfterAMinute();
      failure = new Error('client.crt: ENOENT');
      await listAfterAMinute();
      failure = undefined;
      scene.present = { clientCertPem: second.cert, clientKeyPem: second.private };
      await listAfterAMinute();
      expect(clientNames).to.deep.equal(['first', 'first', 'first', 'first', 'second']);
      const kept = 'warn new certificates for the API server cannot be used; keeping the old ones';
      expect(scene.lines).to.have.length(4);
      expect(scene.lines[0]).to.equal(`${kept}: the client key is not that of the client certificate`);
      expect(scene.lines[1]).to.match(/the certificate authority can't be read as PEM/);
      expect(scene.lines[2]).to.equal(`${kept}: client.crt: ENOENT`);
      expect(scene.lines[3]).to.match(/^info certificates for the API server have changed/);
    });
  });

  it('trusts anyone only when told to', async () => {
    const api = apiOf(await startApiServer(), { skipTlsVerify: true });
    expect((await api.list('pods', {}, never)).resourceVersion).to.equal('7');
  });

  it('shows the certificate of the client', async () => {
    const credentials = { clientCertPem: authority.cert, clientKeyPem: authority.private };
    await apiOf(await startApiServer(), { skipTlsVerify: true, ...credentials }).list('pods', {}, never);
    await apiOf(await startApiServer(), { skipTlsVerify: true }).list('pods', {}, never);
    expect(clientNames).to.deep.equal(['kubernetes', 'nobody']);
  });

  it('goes through the proxy it is given, end to end encrypted', async () => {
    const tunnels: (string | undefined)[] = [];
    const proxy = createHttpServer();
    proxy.on('connect', (request, socket) => {
      tunnels.push(request.url);
      const upstream = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      const drop = (): void => {
        upstream.destroy();
        socket.destroy();
      };
      upstream.on('error', drop);
      socket.on('error', drop);
    });
    const port = await startApiServer();
    const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
    const api = apiOf(port, { caPem: authority.cert, serverName: 'kubernetes', proxyUrl });
    expect((await api.list('pods', {}, never)).resourceVersion).to.equal('7');
    expect(tunnels).to.deep.equal([`127.0.0.1:${port}`]);
    await api.close();
  });
});
