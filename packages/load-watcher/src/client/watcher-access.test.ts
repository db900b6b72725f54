import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWatcherDocument } from '@catamaran/model';
import { OperatorError, SystemClock } from '@catamaran/platform';
import { documentWithCpu } from '@catamaran/testkit';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import { HttpWatcherClient } from './http-watcher-client.js';
import type { WatcherAccessOptions } from './watcher-access.js';

const { signal } = new AbortController();
const DOCUMENT = encodeWatcherDocument(documentWithCpu({ n1: 42 }));

interface Pair {
  readonly cert: string;
  readonly private: string;
}

function pairOf(
  name: string,
  over: { readonly notBeforeDate?: Date; readonly notAfterDate?: Date } = {},
): Promise<Pair> {
  return selfsigned.generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    ...over,
  });
}

describe('HttpWatcherClient over TLS, with a token', () => {
  let first: Pair;
  let second: Pair;
  let outdated: Pair;
  let folder: string;
  let server: Server;
  let plain: ReturnType<typeof createHttpServer>;
  let tokens: (string | undefined)[];
  let answer: RequestListener;
  let clients: HttpWatcherClient[];

  before(async function () {
    this.timeout(20_000);
    first = await pairOf('first');
    second = await pairOf('second');
    const notBeforeDate = new Date(Date.UTC(2020, 0, 1));
    outdated = await pairOf('outdated', { notBeforeDate, notAfterDate: new Date(Date.UTC(2020, 0, 2)) });
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'access-'));
    tokens = [];
    clients = [];
    answer = (_, response) => void response.end(DOCUMENT);
    const listener = (request: IncomingMessage, response: Parameters<RequestListener>[1]): void => {
      tokens.push(request.headers.authorization);
      answer(request, response);
    };
    server = createServer({ cert: first.cert, key: first.private }, listener);
    plain = createHttpServer(listener);
    for (const each of [server, plain]) {
      await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
    }
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    for (const each of [server, plain]) {
      each.closeAllConnections();
      await new Promise((resolve) => each.close(resolve));
    }
    rmSync(folder, { recursive: true });
  });

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const port = (of: { address(): unknown } = server): number => (of.address() as AddressInfo).port;
  const create = (
    access: WatcherAccessOptions,
    address = `https://localhost:${port()}`,
  ): HttpWatcherClient => {
    const client = new HttpWatcherClient({ addresses: [address], ...access }, { clock: new SystemClock() });
    clients.push(client);
    return client;
  };
  /** `ok`, or the reason without the URL that it begins with. */
  const outcome = async (client: HttpWatcherClient): Promise<string> => {
    const { lastFailure } = await client.refresh(signal);
    return lastFailure?.message.replace(/^https?:\/\/[^ ]+: /, '') ?? 'ok';
  };

  it('reads a load-watcher whose authority it was given, and shows the token', async () => {
    const watcherCaFile = file('ca.crt', first.cert);
    const client = create({ watcherCaFile, watcherTokenFile: file('token', 'sesame\n') });
    expect(await outcome(client)).to.equal('ok');
    expect(tokens).to.deep.equal(['Bearer sesame']);
    expect(client.current().document?.nodes.size).to.equal(1);
  });

  it('shows none where there is none', async () => {
    expect(await outcome(create({ watcherCaFile: file('ca.crt', first.cert) }))).to.equal('ok');
    expect(tokens).to.deep.equal([undefined]);
  });

  it('tells an unknown authority, and both options', async () => {
    expect(await outcome(create({}))).to.equal(
      "its certificate is signed by an unknown authority (DEPTH_ZERO_SELF_SIGNED_CERT): give that one's as watcherCaFile, or the load-watcher another --tls-cert-file",
    );
    const watcherCaFile = file('ca.crt', second.cert);
    expect(await outcome(create({ watcherCaFile }))).to.equal(
      `its certificate is not signed by an authority in watcherCaFile, ${watcherCaFile} (DEPTH_ZERO_SELF_SIGNED_CERT): give the one that signed the load-watcher's --tls-cert-file`,
    );
    expect(tokens).to.deep.equal([]);
  });

  it('tells a certificate of another name, and does not show it the token', async () => {
    const access = { watcherCaFile: file('ca.crt', first.cert), watcherTokenFile: file('token', 'sesame') };
    expect(await outcome(create(access, `https://127.0.0.1:${port()}`))).to.match(
      /127\.0\.0\.1.*: ask for a name in watcherAddress that the load-watcher's --tls-cert-file is for$/,
    );
    expect(tokens).to.deep.equal([]);
  });

  it('tells a certificate whose time is over', async () => {
    server.setSecureContext({ cert: outdated.cert, key: outdated.private });
    expect(await outcome(create({ watcherCaFile: file('ca.crt', outdated.cert) }))).to.match(
      /\(CERT_HAS_EXPIRED\): renew the load-watcher's --tls-cert-file$/,
    );
  });

  it('tells a wrong scheme, either way', async () => {
    const watcherCaFile = file('ca.crt', first.cert);
    expect(await outcome(create({ watcherCaFile }, `https://localhost:${port(plain)}`))).to.equal(
      'it does not speak TLS: write http:// in watcherAddress, or give the load-watcher a --tls-cert-file',
    );
    expect(await outcome(create({}, `http://localhost:${port()}`))).to.match(
      /: check the address and that the load-watcher runs, by https:\/\/ if it has a --tls-cert-file$/,
    );
  });

  for (const status of [401, 403]) {
    it(`tells what ${status} asks for, and keeps what it has`, async () => {
      const watcherCaFile = file('ca.crt', first.cert);
      const watcherTokenFile = file('token', 'sesame');
      const client = create({ watcherCaFile, watcherTokenFile });
      expect(await outcome(client)).to.equal('ok');
      answer = (_, response) => void response.writeHead(status).end();
      expect(await outcome(client)).to.equal(
        `HTTP ${status}: it refuses the token of watcherTokenFile, ${watcherTokenFile}: its own --watcher-token-file must hold the same`,
      );
      expect(client.current().document?.nodes.size).to.equal(1);
      expect(await outcome(create({ watcherCaFile }))).to.equal(
        `HTTP ${status}: it wants a bearer token: give the file of one as watcherTokenFile`,
      );
    });
  }

  it('follows its token file, and keeps the token while there is none', async () => {
    const watcherTokenFile = file('token', 'one');
    const client = create({ watcherCaFile: file('ca.crt', first.cert), watcherTokenFile });
    await client.refresh(signal);
    file('token', 'two');
    await client.refresh(signal);
    rmSync(watcherTokenFile);
    expect(await outcome(client)).to.equal('ok');
    expect(tokens).to.deep.equal(['Bearer one', 'Bearer two', 'Bearer two']);
    file('token', 'a\nb');
    expect(await outcome(client)).to.equal(
      `watcherTokenFile: ${watcherTokenFile} can't be used: it has a line break inside; write the token alone into the file`,
    );
    expect(tokens).to.have.length(3);
  });

  it('tells a token file that is not there', async () => {
    const client = create({
      watcherCaFile: file('ca.crt', first.cert),
      watcherTokenFile: '/nonexistent/token',
    });
    expect(await outcome(client)).to.equal(
      "watcherTokenFile: /nonexistent/token can't be read (ENOENT): check path and mount",
    );
    expect(tokens).to.deep.equal([]);
  });

  it('follows its CA file, and keeps the authorities while that is no good', async () => {
    const watcherCaFile = file('ca.crt', first.cert);
    const client = create({ watcherCaFile });
    expect(await outcome(client)).to.equal('ok');
    server.setSecureContext({ cert: second.cert, key: second.private });
    file('ca.crt', 'half a fi');
    expect(await outcome(client)).to.equal('ok');
    server.closeAllConnections();
    expect(await outcome(client)).to.not.equal('ok');
    file('ca.crt', second.cert);
    expect(await outcome(client)).to.equal('ok');
  });

  for (const [sentence, text, reason] of [
    ['is not there', undefined, "can't be read (ENOENT): check path and mount"],
    ['holds none', 'no', 'holds no certificate in PEM: '],
  ] as const) {
    it(`refuses a CA file that ${sentence}`, () => {
      const path = text === undefined ? '/nonexistent/ca.crt' : file('ca.crt', text);
      expect(() => create({ watcherCaFile: path })).to.throw(
        OperatorError,
        `watcherCaFile: ${path} ${reason}`,
      );
    });
  }

  it('shows the token to no other server that it is redirected to', async () => {
    answer = (request, response) =>
      'encrypted' in request.socket
        ? void response.writeHead(307, { location: `http://localhost:${port(plain)}/watcher` }).end()
        : void response.end(DOCUMENT);
    const access = { watcherCaFile: file('ca.crt', first.cert), watcherTokenFile: file('token', 'sesame') };
    expect(await outcome(create(access))).to.equal('ok');
    expect(tokens).to.deep.equal(['Bearer sesame', undefined]);
  });
});
