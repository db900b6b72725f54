import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { SystemClock } from '../../clock/system-clock.js';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { type Logger, silentLogger } from '../../log/logger.js';
import { DelegatedAccess, type ShownCredentials } from './delegated-access.js';
import { HttpAccessReview } from './http-access-review.js';

interface Review {
  readonly kind: string;
  readonly spec: {
    readonly token?: string;
    readonly user?: string;
    readonly groups?: readonly string[];
    readonly nonResourceAttributes?: { readonly path: string; readonly verb: string };
  };
}

const METRICS = { path: '/metrics', verb: 'get', address: '192.0.2.1' };

describe('DelegatedAccess, asking over HTTP', () => {
  let server: Server;
  let reviews: Review[];
  let authorization: string[];
  let answer: (review: Review) => { readonly status: number; readonly body: unknown };
  let api: HttpAccessReview;
  let access: DelegatedAccess;
  let clock: VirtualClock;
  let lines: { readonly message: string; readonly fields: unknown }[];

  beforeEach(async () => {
    reviews = [];
    authorization = [];
    lines = [];
    answer = asApiServer;
    clock = new VirtualClock(0);
    server = createServer((request, response) => {
      let text = '';
      authorization.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      request.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      request.on('end', () => {
        const review = JSON.parse(text) as Review;
        reviews.push(review);
        const { status, body } = answer(review);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const connection = {
      serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bearerToken: () => Promise.resolve('ours'),
      skipTlsVerify: false,
      describe: 'test',
    };
    api = new HttpAccessReview({ connection }, { clock: new SystemClock(), log: silentLogger });
    const log: Logger = { ...silentLogger, warn: (message, fields) => void lines.push({ message, fields }) };
    access = new DelegatedAccess(
      { tokenTtlMs: 10_000, authorizedTtlMs: 20_000, unauthorizedTtlMs: 5_000 },
      { authentication: api, authorization: api, clock, log },
    );
  });

  afterEach(async () => {
    access.close();
    await api.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Knows one token, `reader`, which may get /metrics. */
  function asApiServer({ kind, spec }: Review): { readonly status: number; readonly body: unknown } {
    if (kind === 'TokenReview') {
      const user = { username: 'prometheus', uid: 'u1', groups: ['readers'], extra: { scope: ['a'] } };
      const status =
        spec.token === 'reader' ? { authenticated: true, user } : { error: 'invalid bearer token' };
      return { status: 201, body: { kind, spec, status } };
    }
    const allowed = spec.user === 'prometheus' && spec.nonResourceAttributes?.path === '/metrics';
    return { status: 201, body: { kind, status: { allowed, reason: allowed ? 'RBAC' : '' } } };
  }

  const decide = (shown: ShownCredentials, request = METRICS) => access.decide(shown, request);

  it('asks with our own credentials, for the user, all groups, path and verb', async () => {
    expect(await decide({ bearerToken: 'reader' })).to.deep.equal({ status: 200, message: '' });
    expect(authorization).to.deep.equal([
      'POST /apis/authentication.k8s.io/v1/tokenreviews Bearer ours',
      'POST /apis/authorization.k8s.io/v1/subjectaccessreviews Bearer ours',
    ]);
    expect(reviews).to.deep.equal([
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'reader' } },
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: 'prometheus',
          uid: 'u1',
          groups: ['readers', 'system:authenticated'],
          extra: { scope: ['a'] },
          nonResourceAttributes: { path: '/metrics', verb: 'get' },
        },
      },
    ]);
  });

  it('answers 403 with user, verb and path to whoever may not', async () => {
    expect(
      await decide({ bearerToken: 'reader' }, { ...METRICS, path: '/debug/explain', verb: 'post' }),
    ).to.deep.equal({
      status: 403,
      message: 'forbidden: User "prometheus" cannot post path "/debug/explain"',
    });
  });

  it('takes whoever shows nothing for system:anonymous, whom roles may name', async () => {
    expect(await decide({})).to.deep.equal({
      status: 403,
      message: 'forbidden: User "system:anonymous" cannot get path "/metrics"',
    });
    expect(reviews.map(({ kind, spec }) => [kind, spec.groups])).to.deep.equal([
      ['SubjectAccessReview', ['system:unauthenticated']],
    ]);
  });

  it('answers 401 to a token of nobody and to a certificate of nobody', async () => {
    expect(await decide({ bearerToken: 'forged' })).to.include({ status: 401 });
    expect(await decide({ badCertificate: true })).to.include({ status: 401 });
    expect(await decide({ badAuthorization: true })).to.include({ status: 401 });
    expect(reviews.map(({ kind }) => kind)).to.deep.equal(['TokenReview']);
  });

  it('takes a good token beside a bad certificate', async () => {
    expect(await decide({ badCertificate: true, bearerToken: 'reader' })).to.include({ status: 200 });
  });

  it('needs no review to know the user of a certificate', async () => {
    expect(await decide({ certificateUser: { username: 'prometheus', groups: [] } })).to.include({
      status: 200,
    });
    expect(reviews.map(({ kind }) => kind)).to.deep.equal(['SubjectAccessReview']);
  });

  it('asks again when answers no longer count: a token after 10 s, a yes after 20 s, a no after 5 s', async () => {
    const counts = async (): Promise<readonly number[]> => {
      await decide({ bearerToken: 'reader' });
      await decide({});
      const of = (kind: string, user?: string): number =>
        reviews.filter((review) => review.kind === kind && (user ?? review.spec.user) === review.spec.user)
          .length;
      return [
        of('TokenReview'),
        of('SubjectAccessReview', 'prometheus'),
        of('SubjectAccessReview', 'system:anonymous'),
      ];
    };
    expect(await counts()).to.deep.equal([1, 1, 1]);
    await clock.advanceTo(4_999);
    expect(await counts()).to.deep.equal([1, 1, 1]);
    await clock.advanceTo(5_000);
    expect(await counts()).to.deep.equal([1, 1, 2]);
    await clock.advanceTo(10_000);
    expect(await counts()).to.deep.equal([2, 1, 3]);
    await clock.advanceTo(20_000);
    expect(await counts()).to.deep.equal([3, 2, 4]);
  });

  it('without the right to review it answers 401 and 500, and names the role once', async () => {
    answer = () => ({
      status: 403,
      body: { kind: 'Status', code: 403, reason: 'Forbidden', message: 'tokenreviews is forbidden' },
    });
    expect(await decide({ bearerToken: 'reader' })).to.include({ status: 401 });
    expect(await decide({ bearerToken: 'other' })).to.include({ status: 401 });
    expect(lines).to.have.length(1);
    expect(JSON.stringify(lines[0])).to.include('system:auth-delegator').and.not.include('reader');
    const answers = await Promise.all([decide({}), decide({})]);
    expect(answers.map(({ status }) => status)).to.deep.equal([500, 500]);
    expect(lines).to.have.length(2);
  });

  it('is well again when the API server is', async () => {
    answer = () => ({ status: 503, body: {} });
    expect(await decide({ bearerToken: 'reader' })).to.include({ status: 401 });
    answer = asApiServer;
    expect(await decide({ bearerToken: 'reader' })).to.include({ status: 200 });
  });

  for (const [sentence, body] of [
    ['no status', { kind: 'TokenReview' }],
    ['no user', { status: { authenticated: true } }],
    ['a user without name', { status: { authenticated: true, user: { username: '' } } }],
    ['a list', []],
    ['a text for yes', { status: { authenticated: 'true', allowed: 'true' } }],
  ] as const) {
    it(`lets nobody in on an answer with ${sentence}`, async () => {
      answer = () => ({ status: 201, body });
      expect((await decide({ bearerToken: 'reader' })).status).to.equal(401);
      expect((await decide({})).status).to.equal(500);
    });
  }

  it('asks nobody about a path that is longer than any of ours', async () => {
    expect((await decide({}, { ...METRICS, path: `/${'x'.repeat(1_024)}` })).status).to.equal(414);
    expect(reviews).to.deep.equal([]);
  });

  it('a flood of tokens from one address keeps no other from being answered, and no known one', async () => {
    expect(await decide({ bearerToken: 'reader' })).to.include({ status: 200 });
    server.removeAllListeners('request');
    const held = new Promise<void>((resolve) => {
      let count = 0;
      server.on('request', () => {
        count += 1;
        if (count === 16) resolve();
      });
    });
    const flood = { ...METRICS, address: '192.0.2.66' };
    const under = Array.from({ length: 16 }, (_, at) => decide({ bearerToken: `forged-${at}` }, flood));
    expect(await decide({ bearerToken: 'forged' }, flood)).to.include({ status: 503 });
    await held;
    expect(await decide({ bearerToken: 'reader' }, flood)).to.include({ status: 200 });
    const another = decide({ bearerToken: 'other' });
    await once(server, 'request');
    access.close();
    expect((await Promise.all([...under, another])).map(({ status }) => status)).to.deep.equal(
      Array.from({ length: 17 }, () => 401),
    );
  });

  it('ends reviews under way when it is closed', async () => {
    answer = () => {
      throw new Error('never called');
    };
    server.removeAllListeners('request');
    const decided = decide({ bearerToken: 'reader' });
    access.close();
    expect((await decided).status).to.equal(401);
    expect(lines).to.deep.equal([]);
  });
});
