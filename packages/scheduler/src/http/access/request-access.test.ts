import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  type AccessRequest,
  createExpressApp,
  type RunningHttpServer,
  type ShownCredentials,
  silentLogger,
  startHttpServer,
} from '@catamaran/platform';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import { selfSignedCertificate } from '../self-signed-certificate.js';
import { type RequestAccessOptions, requestAccess } from './request-access.js';

type Asked = ShownCredentials & AccessRequest;

const ADDRESS = '127.0.0.1';

interface Pem {
  readonly certPem: string;
  readonly keyPem: string;
}

const NOBODY = { alwaysAllowPaths: ['/healthz', '/open/*', 'bare'], allowLocalRequests: false };

async function issued(names: Readonly<Record<string, string>>, ca?: Pem): Promise<Pem> {
  const subject = Object.entries(names).map(([name, value]) => ({ name, value }));
  const { cert, private: key } = await selfsigned.generate(subject, {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions:
      ca === undefined
        ? [
            { name: 'basicConstraints', cA: true, critical: true },
            { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
          ]
        : [
            { name: 'basicConstraints', cA: false },
            { name: 'keyUsage', digitalSignature: true },
            { name: 'extKeyUsage', clientAuth: true },
          ],
    ...(ca === undefined ? {} : { ca: { cert: ca.certPem, key: ca.keyPem } }),
  });
  return { certPem: cert, keyPem: key };
}

describe('requestAccess', () => {
  let asked: Asked[];
  let server: RunningHttpServer | undefined;
  let ca: Pem;

  before(async () => {
    ca = await issued({ commonName: 'clients' });
  });
  beforeEach(() => {
    asked = [];
  });
  afterEach(() => server?.close());

  async function start(options: RequestAccessOptions, status: 200 | 401 | 403 | 500 = 200): Promise<void> {
    const delegated = {
      decide: (shown: ShownCredentials, request: AccessRequest) => {
        asked.push({ ...shown, ...request });
        return Promise.resolve({ status, message: 'told why' });
      },
    };
    const listener = createExpressApp(
      {
        errors: 'json',
        routes: (app) => {
          app.use(requestAccess(options, { delegated }));
          app.use((_request, response) => void response.send('in'));
        },
      },
      { log: silentLogger },
    );
    const tls = { ...(await selfSignedCertificate(Date.now())), clientCaPem: ca.certPem };
    server = await startHttpServer(
      { host: '127.0.0.1', port: 0, name: 'test', listener, tls },
      { log: silentLogger },
    );
  }

  function ask(
    path: string,
    init: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly client?: Pem;
    } = {},
  ): Promise<{
    readonly status: number;
    readonly text: string;
    readonly headers: IncomingMessage['headers'];
  }> {
    const { client, ...rest } = init;
    const options = {
      ...rest,
      agent: false,
      rejectUnauthorized: false,
      cert: client?.certPem,
      key: client?.keyPem,
    };
    return new Promise((resolve, reject) => {
      const request = httpsRequest(`${server?.url}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
        );
      });
      request.on('error', reject).end();
    });
  }

  it('asks about path and verb, never about the query', async () => {
    await start(NOBODY);
    expect(await ask('/debug/explain?nodes=3', { method: 'POST' })).to.include({ status: 200, text: 'in' });
    expect(asked).to.deep.equal([{ path: '/debug/explain', verb: 'post', address: ADDRESS }]);
  });

  for (const path of ['/healthz', '/open/', '/open/a/b', '/bare']) {
    it(`asks nobody about ${path}, whatever is shown`, async () => {
      await start(NOBODY, 403);
      expect((await ask(path, { headers: { authorization: 'Bearer bad' } })).status).to.equal(200);
      expect(asked).to.deep.equal([]);
    });
  }

  for (const path of ['/healthz/', '/healthz2', '/open', '/HEALTHZ', '/%68ealthz', '//healthz']) {
    it(`does ask about ${path}`, async () => {
      await start(NOBODY, 403);
      expect((await ask(path)).status).to.equal(403);
      expect(asked).to.have.length(1);
    });
  }

  it('hands the answer on: 401 with the scheme, 403 and 500 with the reason', async () => {
    for (const status of [401, 403, 500] as const) {
      await start(NOBODY, status);
      const { status: got, text, headers } = await ask('/metrics');
      expect([got, text]).to.deep.equal([status, '{"error":"told why"}']);
      expect(headers['www-authenticate']).to.equal(status === 401 ? 'Bearer' : undefined);
      await server?.close();
    }
  });

  it('reads a bearer token, however the scheme is written, and no other scheme', async () => {
    await start(NOBODY);
    for (const authorization of ['Bearer abc.d', 'bearer  abc.d', 'Basic abc', 'Bearer', 'Bearer a b']) {
      await ask('/metrics', { headers: { authorization } });
    }
    const bad = [undefined, true];
    expect(asked.map(({ bearerToken, badAuthorization }) => [bearerToken, badAuthorization])).to.deep.equal([
      ['abc.d', undefined],
      ['abc.d', undefined],
      bad,
      bad,
      bad,
    ]);
  });

  it('lets this machine in without credentials where it may, but judges those it shows', async () => {
    await start({ ...NOBODY, allowLocalRequests: true }, 401);
    expect((await ask('/metrics')).status).to.equal(200);
    for (const authorization of ['Bearer bad', 'Bearer a b', 'Bearer', 'Basic YTpi', 'x']) {
      expect((await ask('/metrics', { headers: { authorization } })).status, authorization).to.equal(401);
    }
    expect((await ask('/metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } })).status).to.equal(401);
  });

  it('reads user and groups of a certificate that our authorities vouch for', async () => {
    await start(NOBODY);
    const client = await issued({ commonName: 'alice', organizationName: 'readers' }, ca);
    expect((await ask('/metrics', { client })).status).to.equal(200);
    expect(asked).to.deep.equal([
      {
        certificateUser: { username: 'alice', groups: ['readers'] },
        path: '/metrics',
        verb: 'get',
        address: ADDRESS,
      },
    ]);
  });

  it('knows a certificate that nobody vouches for as bad, and one without a name', async () => {
    await start(NOBODY, 401);
    const stranger = await issued({ commonName: 'alice' }, await issued({ commonName: 'others' }));
    const nameless = await issued({ organizationName: 'readers' }, ca);
    for (const client of [stranger, nameless]) {
      expect((await ask('/metrics', { client })).status).to.equal(401);
    }
    expect(asked).to.deep.equal([
      { badCertificate: true, path: '/metrics', verb: 'get', address: ADDRESS },
      { badCertificate: true, path: '/metrics', verb: 'get', address: ADDRESS },
    ]);
  });
});
