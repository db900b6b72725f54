import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock, VirtualClock } from '@catamaran/platform';
import { FakeService, type ServiceReply } from '@catamaran/testkit';
import { expect } from 'chai';
import { ProviderConnection } from '../connection/provider-connection.js';
import { type ApiAnswer, ApiClient } from './api-client.js';
import { Credential } from './credential.js';

const { signal } = new AbortController();
const GOOD: ServiceReply = { status: 200, body: { good: true } };

describe('ApiClient', () => {
  let service: FakeService;
  let replies: (ServiceReply | 'hang')[];
  let clock: VirtualClock;
  let client: ApiClient;

  const clientOf = (credential: Credential, timeoutMs = 2_000): ApiClient =>
    new ApiClient(
      {
        baseUrl: new URL(`${service.url.href}prefix/`),
        credentials: { 'x-sf-token': credential },
        refusedRemedy: 'see --metrics-provider-token-file',
        timeoutMs,
        retryDelayMs: 0,
      },
      {
        // Limits are read from a clock that the test sets; calls have a deadline of real time.
        clock: timedBy(clock),
        random: () => 0,
        connection: new ProviderConnection(service.url, {}, { clock: new SystemClock() }),
      },
    );
  const ask = (): Promise<ApiAnswer> => client.ask({ path: '/v1/x?query=a' }, signal);
  const problemOf = (answer: ApiAnswer): string => (answer.ok ? '' : answer.problem);

  beforeEach(async () => {
    replies = [];
    service = new FakeService(() => GOOD);
    service.instead = () => replies.shift();
    await service.listen();
    clock = new VirtualClock(1_800_000_000_000);
    client = clientOf(new Credential({ what: 'the token', text: 'sesame' }, clock));
  });
  afterEach(async () => {
    await client.close();
    await service.close();
  });

  it('sends credentials with every call, below the path of the address', async () => {
    expect(await ask()).to.deep.equal({ ok: true, value: { good: true } });
    const [request] = service.requests;
    expect([request?.method, request?.path, request?.query.get('query')]).to.deep.equal([
      'GET',
      '/prefix/v1/x',
      'a',
    ]);
    expect(request?.headers).to.deep.include({
      'x-sf-token': 'sesame',
      accept: 'application/json',
      'content-type': 'application/json',
    });
  });

  it('a 429 ends all calls until Retry-After is over, and says how long that is (C20)', async () => {
    replies = [{ status: 429, body: { errors: ['Rate limit exceeded'] }, headers: { 'Retry-After': '120' } }];
    expect(problemOf(await ask())).to.match(/HTTP 429: too many calls, none for another 120 s; .*Rate limit/);
    await clock.advanceBy(119_001);
    expect(problemOf(await ask())).to.match(
      /: rate limited before \(HTTP 429 .*\), no call for another 1 s$/,
    );
    expect(service.requests).to.have.length(1);
    await clock.advanceBy(999);
    expect((await ask()).ok).to.equal(true);
    expect(service.requests).to.have.length(2);
  });

  it("a good answer that used up Datadog's quota counts, and no call follows until the reset (C20)", async () => {
    replies = [{ ...GOOD, headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '45' } }];
    expect((await ask()).ok).to.equal(true);
    expect(problemOf(await ask())).to.contain('no call for another 45 s');
    expect(service.requests).to.have.length(1);
  });

  for (const status of [502, 503, 504]) {
    it(`a ${status} is tried again once`, async () => {
      replies = [{ status, body: 'busy' }];
      expect((await ask()).ok).to.equal(true);
      replies = [
        { status, body: 'busy' },
        { status, body: 'busy' },
      ];
      expect(problemOf(await ask())).to.contain(`HTTP ${status}: the call failed`);
      expect(service.requests).to.have.length(4);
    });
  }

  it('what it says went wrong, in whatever answer, is told without our credentials', async () => {
    const told = ['token sesame', { at: [Buffer.from('sesame').toString('base64')] }];
    for (const status of [200, 400, 401]) {
      replies = Array.from({ length: 2 }, () => ({
        status,
        body: { data: {}, errors: told, message: `denied ${encodeURIComponent('sesame')}` },
      }));
      const text = JSON.stringify(await ask());
      expect(text)
        .to.include('***')
        .and.not.match(/sesame|c2VzYW1l/);
    }
  });

  it('a 503 with Retry-After is not tried again before its time', async () => {
    replies = [{ status: 503, body: 'maintenance', headers: { 'Retry-After': '30' } }];
    expect(problemOf(await ask())).to.contain('HTTP 503');
    expect(problemOf(await ask())).to.contain('no call for another 30 s');
    expect(service.requests).to.have.length(1);
  });

  const bad: [sentence: string, reply: ServiceReply, code: string, text: RegExp][] = [
    [
      'a login page',
      { status: 200, body: '<html>sign in</html>' },
      'bad-answer',
      /HTTP 200: no JSON; does the address lead to the API, .*text\/html, body begins "<html>sign in/,
    ],
    ['a body that is cut off', { status: 200, body: '{"data":{"a":[[1' }, 'bad-answer', /HTTP 200: no JSON/],
    ['an empty body', { status: 200, body: '' }, 'bad-answer', /HTTP 200: no JSON/],
    [
      'a 401',
      { status: 401, body: { code: 401, message: 'Unauthorized' } },
      'refused',
      /HTTP 401: see --metrics-provider-token-file; .*Unauthorized/,
    ],
    ['a 403', { status: 403, body: { errors: ['Forbidden'] } }, 'refused', /HTTP 403: see .*Forbidden/],
    ['a 400', { status: 400, body: { errors: ['x'] } }, 'bad-answer', /HTTP 400: the call failed/],
    ['a 500', { status: 500, body: 'oops' }, 'bad-answer', /HTTP 500: the call failed; .*oops/],
    [
      'a redirect, whose query may hold what logins pass on',
      { status: 302, body: '', headers: { Location: 'https://login.example/?token=S3cret' } },
      'bad-answer',
      /HTTP 302: a redirect to https:\/\/login\.example: give the address that answers/,
    ],
  ];
  for (const [sentence, reply, code, text] of bad) {
    it(`${sentence} is a sentence with status and beginning`, async () => {
      replies = [reply];
      const answer = await ask();
      expect(problemOf(answer)).to.match(text).and.not.contain('S3cret');
      expect(problemOf(answer).startsWith(`${service.url.origin}/prefix: `)).to.equal(true);
      expect(answer.ok ? '' : answer.code).to.equal(code);
    });
  }

  it('a body that repeats the token is shown without it', async () => {
    replies = [{ status: 401, body: 'token sesame is not known' }];
    expect(problemOf(await ask()))
      .to.contain('token *** is not known')
      .and.not.contain('sesame');
  });

  it('a token that has rotated is read afresh when it is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'api-client-'));
    const file = join(folder, 'token');
    await writeFile(file, 'old');
    await client.close();
    client = clientOf(new Credential({ what: 'the token', file }, clock));
    expect((await ask()).ok).to.equal(true);
    await writeFile(file, 'new');
    replies = [{ status: 401, body: {} }];
    expect((await ask()).ok).to.equal(true);
    expect(service.requests.map(({ headers }) => headers['x-sf-token'])).to.deep.equal(['old', 'old', 'new']);
    await rm(folder, { recursive: true });
  });

  it('a token file that is not there is named, and nothing is sent', async () => {
    await client.close();
    client = clientOf(new Credential({ what: 'the token', file: '/nonexistent/token' }, clock));
    expect(problemOf(await ask())).to.equal(
      "the token, /nonexistent/token, can't be read (ENOENT): check path and mount",
    );
    expect(service.requests).to.have.length(0);
  });

  it('a service that does not answer is given up at the deadline', async () => {
    await client.close();
    client = clientOf(new Credential({ what: 'the token', text: 'x' }, clock), 100);
    replies = ['hang'];
    const answer = await ask();
    expect(problemOf(answer)).to.match(/: no answer within 0\.1 s$/);
    expect(answer.ok ? '' : answer.code).to.equal('timeout');
  });

  it('rejects with the reason of the signal that stops it', async () => {
    replies = ['hang'];
    const stop = new AbortController();
    const reason = new Error('enough');
    const asking = client.ask({ path: '/x' }, stop.signal);
    stop.abort(reason);
    expect(await asking.catch((error: unknown) => error)).to.equal(reason);
  });

  it('nothing that listens is a sentence with the remedy', async () => {
    await service.close();
    expect(problemOf(await ask())).to.contain('nothing listens there (ECONNREFUSED): check host and port');
    await service.listen();
  });
});

/** The time of one clock, the timers of the machine's. */
function timedBy(clock: VirtualClock) {
  const system = new SystemClock();
  return {
    nowMs: () => clock.nowMs(),
    schedule: (delayMs: number, callback: () => void) => system.schedule(delayMs, callback),
    sleep: (delayMs: number, stop?: AbortSignal) => system.sleep(delayMs, stop),
  };
}
