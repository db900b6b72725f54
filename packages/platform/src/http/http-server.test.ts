import { readFileSync } from 'node:fs';
import { get as httpsGet } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { expect } from 'chai';
import { request } from 'undici';
import { silentLogger } from '../log/logger.js';
import { type HttpServerOptions, type RunningHttpServer, startHttpServer } from './http-server.js';
import { ListenError } from './listen-error.js';

describe('startHttpServer', () => {
  const running: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close()));
  });

  async function start(options: Partial<HttpServerOptions> = {}): Promise<RunningHttpServer> {
    const server = await startHttpServer(
      {
        host: '127.0.0.1',
        port: 0,
        name: 'test server',
        listener: (_, response) => response.end('hello'),
        ...options,
      },
      { log: silentLogger },
    );
    running.push(server);
    return server;
  }

  async function failure(options: Partial<HttpServerOptions>): Promise<unknown> {
    return start(options).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  it('takes a free port and says where it is', async () => {
    const server = await start();
    expect(server.url).to.equal(`http://127.0.0.1:${server.port}`);
    expect(await (await request(server.url)).body.text()).to.equal('hello');
  });

  it('names an address that a client can use when it listens on all', async () => {
    const server = await start({ host: '0.0.0.0' });
    expect(server.url).to.equal(`http://127.0.0.1:${server.port}`);
  });

  it('refuses a taken port with address, port and remedy', async () => {
    const { port } = await start();
    const error = await failure({ port });
    expect(error).to.be.instanceOf(ListenError);
    expect(error).to.have.property('code', 'port-taken');
    expect(error).to.have.property(
      'message',
      `test server cannot listen on 127.0.0.1, port ${port}: ` +
        'another program listens there already; stop it or choose another port',
    );
  });

  it('refuses a port that another program has on one of all addresses', async () => {
    const { port } = await start({ host: '' });
    const error = await failure({ host: '', port });
    expect(error)
      .to.have.property('message')
      .that.matches(new RegExp(`^test server cannot listen on all addresses, port ${port}: another program`));
  });

  it('refuses an address of another machine', async () => {
    const error = await failure({ host: '192.0.2.1' });
    expect(error).to.have.property('code', 'address-unavailable');
    expect(error).to.have.property('message').that.includes('192.0.2.1, port 0');
  });

  it('refuses a name that does not resolve', async () => {
    const error = await failure({ host: 'no-such-host.invalid' });
    expect(error).to.have.property('code', 'unknown-host');
  });

  it('keeps idle connections longer than clients and load balancers do', async () => {
    const { url } = await start();
    const { headers, body } = await request(url);
    await body.dump();
    expect(headers['keep-alive']).to.equal('timeout=95');
  });

  it('finishes a request in flight, and drops silent and idle connections meanwhile', async () => {
    let finish: () => void = () => undefined;
    const arrived = deferred();
    const server = await start({
      listener: (_, response) => {
        finish = () => response.end('done');
        arrived.resolve();
      },
    });
    const silent = await connectedSocket(server.port);
    const answer = request(server.url);
    await arrived.promise;
    const closing = server.close();
    await socketClosed(silent);
    await socketClosed(await connectedSocket(server.port));
    finish();
    const { headers, body } = await answer;
    expect(await body.text()).to.equal('done');
    expect(headers.connection).to.equal('close');
    await closing;
  });

  it('cuts off a request that outlasts the deadline', async () => {
    const arrived = deferred();
    const server = await start({ listener: () => arrived.resolve(), drainTimeoutMs: 50 });
    const answer = request(server.url).catch((error: unknown) => error);
    await arrived.promise;
    await server.close();
    expect(await answer).to.be.instanceOf(Error);
  });

  it('closes once, however often it is asked', async () => {
    const server = await start();
    const first = server.close();
    expect(server.close()).to.equal(first);
    await first;
    await server.close();
    const again = await start({ port: server.port });
    expect(again.port).to.equal(server.port);
  });

  it('serves TLS with the given certificate', async () => {
    const tls = testCertificate();
    const server = await start({ tls });
    expect(server.url).to.match(/^https:/);
    const status = await new Promise((resolve, reject) => {
      httpsGet(server.url, { ca: tls.certPem, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      }).on('error', reject);
    });
    expect(status).to.equal(200);
  });

  it('cuts off who does not send the head of a request, or does not finish the handshake before it', async () => {
    const plain = await start({ headTimeoutMs: 50 });
    const silent = await connectedSocket(plain.port);
    const slow = await connectedSocket(plain.port);
    slow.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const unproven = await connectedSocket((await start({ headTimeoutMs: 50, tls: testCertificate() })).port);
    await Promise.all([silent, slow, unproven].map(socketClosed));
    expect(await (await request(plain.url)).body.text()).to.equal('hello');
  });

  it('takes up no TLS session again where clients show certificates, as they may have lost their standing', async () => {
    const tls = testCertificate();
    const known = await start({ tls: { ...tls, clientCaPem: tls.certPem } });
    expect(await isTakenUpAgain(known.port, tls)).to.equal(false);
    expect(await isTakenUpAgain((await start({ tls })).port, tls)).to.equal(true);
  });
});

/** Whether a second connection is spared the certificates. */
async function isTakenUpAgain(port: number, { certPem, keyPem }: ReturnType<typeof testCertificate>) {
  const visit = async (session?: Buffer) => {
    const identity = { ca: certPem, cert: certPem, key: keyPem };
    const socket = tlsConnect({
      host: '127.0.0.1',
      port,
      ...identity,
      ...(session === undefined ? {} : { session }),
    });
    let last: Buffer | undefined;
    socket.on('session', (next: Buffer) => {
      last = next;
    });
    let reused = false;
    socket.on('secureConnect', () => {
      reused = socket.isSessionReused();
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    });
    await socketClosed(socket);
    return { reused, last };
  };
  const { last } = await visit();
  return (await visit(last)).reused;
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function connectedSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

function socketClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    socket.resume();
  });
}

/** A certificate for 127.0.0.1 that signs itself, valid for a hundred years. */
function testCertificate(): { readonly certPem: string; readonly keyPem: string } {
  const read = (file: string): string => readFileSync(new URL(`./testdata/${file}`, import.meta.url), 'utf8');
  return { certPem: read('loopback-cert.pem'), keyPem: read('loopback-key.pem') };
}
