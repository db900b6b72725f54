import { expect } from 'chai';
import { parseDuration } from './durations.js';
import { maskOptions, maskSecrets, maskText, maskUserPart } from './mask-secrets.js';
import type { OptionTable } from './option-spec.js';

describe('maskSecrets', () => {
  const texts: [why: string, text: string, masked: string][] = [
    [
      'user and password of a URL',
      'GET https://ann:pw@prom:9090/api failed',
      'GET https://***@prom:9090/api failed',
    ],
    ['a user alone', 'http://token@host/', 'http://***@host/'],
    ['a password with an at sign', 'http://u:p@ss@host/', 'http://***@host/'],
    ['a token parameter', 'http://h/q?a=1&access_token=abc&b=2', 'http://h/q?a=1&access_token=***&b=2'],
    ['an API key parameter', 'http://h/q?api_key=abc#x', 'http://h/q?api_key=***#x'],
    ['a bearer token', 'authorization: Bearer abc.def-123', 'authorization: Bearer ***'],
    ['a JSON web token', 'got eyJhbGciOi.eyJleHAiOjE.c2ln here', 'got *** here'],
    ['a plain URL stays', 'http://prom:9090/api/v1/query?query=up', 'http://prom:9090/api/v1/query?query=up'],
    ['a password with a slash', 'no https://u:S/x@prom here', 'no https://***@prom here'],
    ['a password with quotes', `to http://u:S"'x@prom, failed`, 'to http://***@prom, failed'],
    ['a user with a quote', "http://tok'en@prom", 'http://***@prom'],
    ['an at sign after a port stays', 'http://h:9090/a@b', 'http://h:9090/a@b'],
    ['an at sign in a path stays', 'http://h/a@b', 'http://h/a@b'],
    ['a mail address stays', 'write to ann@example.com', 'write to ann@example.com'],
  ];
  for (const [why, text, masked] of texts) {
    it(`${why}`, () => {
      expect(maskText(text)).to.equal(masked);
    });
  }

  it('masks by key at any depth, and leaves keys that only point at a secret', () => {
    const value = {
      token: 'abc',
      tokenFile: '/var/run/token',
      nested: [{ Authorization: 'x', apiKey: 'k', 'app-key': 'k', clientKeyPem: 'p', proxyPassword: 'p' }],
      headers: new Map([['Cookie', 'c']]),
      secretName: 'prom',
      hasToken: true,
      password: '',
      appKey: undefined,
      port: 2020,
    };
    expect(maskSecrets(value)).to.deep.equal({
      token: '***',
      tokenFile: '/var/run/token',
      nested: [
        { Authorization: '***', apiKey: '***', 'app-key': '***', clientKeyPem: '***', proxyPassword: '***' },
      ],
      headers: { Cookie: '***' },
      secretName: 'prom',
      hasToken: true,
      password: '',
      appKey: undefined,
      port: 2020,
    });
  });

  it('masks every header, whatever its name', () => {
    expect(maskSecrets({ prometheus: { headers: { 'X-Scope-OrgID': 'a', Custom: 'b' } } })).to.deep.equal({
      prometheus: { headers: { 'X-Scope-OrgID': '***', Custom: '***' } },
    });
  });

  it('masks what could not be parsed as a URL', () => {
    let error: unknown;
    try {
      new URL('http://u:S/ x?y@proxy:1');
    } catch (caught) {
      error = caught;
    }
    expect(JSON.stringify(maskSecrets({ error })))
      .to.contain('http://***@proxy:1')
      .and.not.contain('S/');
  });

  it('an address loses all before its last @, however odd', () => {
    expect(maskUserPart('user:S@prom:9090')).to.equal('***@prom:9090');
    expect(maskUserPart('https://u:a@b/c?d#e f@prom/x')).to.equal('https://***@prom/x');
    expect(maskUserPart('http://prom:9090/x?token=S')).to.equal('http://prom:9090/x?token=***');
  });

  it('turns errors, with their causes, into plain objects', () => {
    const error = new TypeError('no https://a:b@h/', { cause: new Error('token=x at http://h/?token=x') });
    const masked = maskSecrets({ error: Object.assign(error, { code: 'E1', password: 'p' }) });
    expect(masked).to.have.nested.property('error.type', 'TypeError');
    expect(masked).to.have.nested.property('error.message', 'no https://***@h/');
    expect(masked).to.have.nested.property('error.code', 'E1');
    expect(masked).to.have.nested.property('error.password', '***');
    expect(masked).to.have.nested.property('error.cause.message', 'token=x at http://h/?token=***');
    expect(masked).to.have.nested.property('error.stack').that.does.not.include('a:b');
  });

  it('survives cycles, shared objects and values that JSON has no word for', () => {
    const shared = { a: 1n, when: new Date(0), at: new URL('http://u:p@h/') };
    const value: Record<string, unknown> = { first: shared, second: shared };
    value.self = value;
    const plain = { a: '1', when: '1970-01-01T00:00:00.000Z', at: 'http://***@h/' };
    expect(maskSecrets(value)).to.deep.equal({ first: plain, second: plain, self: '[circular]' });
  });

  it('leaves its argument alone', () => {
    const value = { token: 'abc', list: ['http://u:p@h/'] };
    maskSecrets(value);
    expect(value).to.deep.equal({ token: 'abc', list: ['http://u:p@h/'] });
  });
});

describe('maskOptions', () => {
  const table: OptionTable = {
    interval: { name: 'interval', type: 'duration', description: '' },
    count: { name: 'count', type: 'integer', description: '' },
    token: { name: 'token', type: 'string', secret: true, description: '' },
    address: { name: 'address', type: 'string', secret: 'user part', description: '' },
  };

  it('shows durations as a file would have them, other numbers as they are, and no secret', () => {
    const values = { interval: 5_000, count: 5_000, token: 'abc', address: 'http://u:p@h' };
    expect(maskOptions(table, values)).to.deep.equal({
      interval: '5s',
      count: 5_000,
      token: '***',
      address: 'http://***@h',
    });
  });

  it('what it shows of a duration is read back as the same', () => {
    for (const durationMs of [0, 1, 0.5, 90, 1_500, 60_000, 5_400_000, 86_400_000]) {
      const { interval } = maskOptions(table, { interval: durationMs });
      expect(parseDuration(String(interval))).to.deep.equal({ ok: true, value: durationMs });
    }
  });

  it('a duration that is not set stays unset', () => {
    expect(maskOptions(table, { interval: undefined })).to.deep.equal({ interval: undefined });
  });
});
