import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SystemClock } from '@catamaran/platform';
import { expect } from 'chai';
import { MAX_BODY_BYTES } from '../../body-limit.js';
import { ProviderConnection } from '../connection/provider-connection.js';
import { PrometheusTransport } from './transport.js';

const { signal } = new AbortController();
const EMPTY = '{"status":"success","data":{"resultType":"vector","result":[]}}';

describe('PrometheusTransport before a server of another kind', () => {
  let server: Server;
  let transport: PrometheusTransport;
  let listener: RequestListener;
  beforeEach(async () => {
    server = createServer((request, response) => {
      request.resume();
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const clock = new SystemClock();
    transport = new PrometheusTransport(
      { baseUrl, timeoutMs: 5_000, retryDelayMs: 1 },
      { clock, random: () => 0, connection: new ProviderConnection(baseUrl, {}, { clock }) },
    );
  });
  afterEach(async () => {
    await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('a page that answers 200 to everything is not healthy', async () => {
    listener = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>');
    const probed = await transport.probe(signal);
    expect(!probed.ok && probed.problem).to.match(/HTTP 200, text\/html.*log in/);
  });

  it('goes back to POST where GET, once learnt, is refused', async () => {
    let refused = 'POST';
    listener = ({ method }, response) => {
      if (method === refused) response.writeHead(method === 'POST' ? 405 : 414).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(EMPTY);
    };
    expect((await transport.query('up', signal)).ok).to.equal(true);
    refused = 'GET';
    expect((await transport.query('up', signal)).ok).to.equal(true);
    expect((await transport.query('up', signal)).ok).to.equal(true);
  });

  it('reads no more than 16 MiB of an answer, and says so', async () => {
    const piece = Buffer.alloc(1024 ** 2, ' ');
    let sent = 0;
    listener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.on('error', () => undefined);
      const send = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
        if (!response.destroyed) response.once('drain', send);
      };
      send();
    };
    const answer = await transport.query('up', signal);
    expect(!answer.ok && answer.problem).to.match(/\/api\/v1\/query: the answer is larger than 16 MiB/);
    expect(sent).to.be.below(4 * MAX_BODY_BYTES);
  });
});
