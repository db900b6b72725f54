import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { OperatorError, SystemClock, VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import { type ConnectionOptions, ProviderConnection } from '../connection/provider-connection.js';
import { PrometheusTransport } from './transport.js';

const { signal } = new AbortController();
const VECTOR = '{"status":"success","data":{"resultType":"vector","result":[]}}';

interface KeyPair {
  readonly cert: string;
  readonly private: string;
}

function keyPair(name: string): Promise<KeyPair> {
  return selfsigned.generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
}

describe('Prometheus behind TLS', () => {
  let first: KeyPair;
  let second: KeyPair;
  let server: Server;
  let folder: string;
  let clientNames: string[];
  const transports: PrometheusTransport[] = [];

  before(async function () {
    this.timeout(20_000);
    first = await keyPair('prometheus');
    second = await keyPair('another');
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tls-'));
    clientNames = [];
    const options = { key: first.private, cert: first.cert, requestCert: true, rejectUnauthorized: false };
    server = createServer(options, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      clientNames.push(String(subject?.CN ?? 'nobody'));
      response.writeHead(200, { 'content-type': 'application/json' }).end(VECTOR);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const transport of transports.splice(0)) await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const create = (options: ConnectionOptions, clock = new VirtualClock(0)): PrometheusTransport => {
    const baseUrl = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
    const connection = new ProviderConnection(baseUrl, options, { clock });
    const transport = new PrometheusTransport(
      { baseUrl, retryDelayMs: 1 },
      { clock: new SystemClock(), random: () => 0, connection },
    );
    transports.push(transport);
    return transport;
  };
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('an unknown authority fails with the reason and both options (C54 a)', async () => {
    const answer = await create({}).query('up', signal);
    expect(!answer.ok && answer.problem)
      .to.contain('signed by an unknown authority')
      .and.contain('--metrics-provider-ca-file')
      .and.contain('--insecure-skip-verify');
  });

  it('its CA file makes it known (C54 b)', async () => {
    expect((await create({ caFile: file('ca.crt', first.cert) }).query('up', signal)).ok).to.equal(true);
  });

  it('verification can be switched off, token or not (C54 c, D20)', async () => {
    expect((await create({ skipTlsVerify: true }).query('up', signal)).ok).to.equal(true);
    expect((await create({ skipTlsVerify: true, token: 'abc' }).query('up', signal)).ok).to.equal(true);
  });

  it('shows a client certificate', async () => {
    const options = {
      skipTlsVerify: true,
      certFile: file('c', second.cert),
      keyFile: file('k', second.private),
    };
    await create(options).query('up', signal);
    expect(clientNames).to.deep.equal(['another']);
  });

  it('follows its CA file when that changes, and keeps what it has when it is unreadable', async () => {
    const clock = new VirtualClock(0);
    const caFile = file('ca.crt', second.cert);
    const transport = create({ caFile }, clock);
    expect((await transport.query('up', signal)).ok).to.equal(false);
    file('ca.crt', first.cert);
    await clock.advanceBy(30_000);
    expect((await transport.query('up', signal)).ok).to.equal(true);
    rmSync(caFile);
    await clock.advanceBy(30_000);
    expect((await transport.query('up', signal)).ok).to.equal(true);
  });

  it('a new certificate of the server costs no query where its CA has been replaced, too', async () => {
    const transport = create({ caFile: file('ca.crt', first.cert) });
    expect((await transport.query('up', signal)).ok).to.equal(true);
    file('ca.crt', second.cert);
    server.setSecureContext({ key: second.private, cert: second.cert });
    server.closeAllConnections();
    expect((await transport.query('up', signal)).ok).to.equal(true);
  });

  it('looks for new files after failures once a second at most', async () => {
    const clock = new VirtualClock(0);
    const transport = create({ caFile: file('ca.crt', second.cert) }, clock);
    expect((await transport.query('up', signal)).ok).to.equal(false);
    file('ca.crt', first.cert);
    await clock.advanceBy(999);
    expect((await transport.query('up', signal)).ok).to.equal(false);
    await clock.advanceBy(1);
    expect((await transport.query('up', signal)).ok).to.equal(true);
  });

  it('a CA file without a certificate is refused at once', () => {
    expect(() => create({ caFile: file('ca.crt', 'garbage') })).to.throw(
      OperatorError,
      /^the CA bundle for Prometheus, .*ca\.crt, holds no certificate in PEM$/,
    );
  });
});
