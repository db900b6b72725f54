import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expectFailure } from '@catamaran/testkit';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import { SystemClock } from '../../clock/system-clock.js';
import { silentLogger } from '../../log/logger.js';
import type { ClusterConnection } from '../connection/cluster-connection.js';
import { HttpClusterApi } from './http-cluster-api.js';

const never = new AbortController().signal;
const PAGE = JSON.stringify({ metadata: { resourceVersion: '7' }, items: [] });

interface KeyPair {
  readonly cert: string;
  readonly private: string;
}

describe('connections to the API server', () => {
  let authority: KeyPair;
  const servers: Server[] = [];
  const apis: HttpClusterApi[] = [];
  let clientNames: string[];

  before(async function () {
    this.timeout(20_000);
    authority = await selfsigned.generate([{ name: 'commonName', value: 'kubernetes' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'kubernetes' }] }],
    });
  });
  beforeEach(() => {
    clientNames = [];
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

  function startApiServer(): Promise<number> {
    const options = {
      key: authority.private,
      cert: authority.cert,
      requestCert: true,
      rejectUnauthorized: false,
    };
    const server = createHttpsServer(options, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      clientNames.push(String(subject?.CN ?? 'nobody'));
      response.writeHead(200, { 'content-type': 'application/json' }).end(PAGE);
    });
    return listen(server);
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

  it('refuses an unknown authority and another name, and says so', async () => {
    const port = await startApiServer();
    await expectFailure(apiOf(port, {}).list('pods', {}, never), 'unavailable', /self.signed certificate/);
    const otherName = apiOf(port, { caPem: authority.cert, serverName: 'another' });
    await expectFailure(otherName.list('pods', {}, never), 'unavailable', 'another');
    expect(clientNames).to.deep.equal([]);
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
