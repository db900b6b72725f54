import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@catamaran/platform';
import { expect } from 'chai';
import { readConfig } from './read-config.js';

type Env = Readonly<Record<string, string>>;
interface Sent {
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly user: string;
  readonly headers: readonly string[];
}

function read(argv: readonly string[], env: Env): { readonly sent: Sent; readonly notes: readonly string[] } {
  const config = readConfig({ argv: ['--metrics-provider-name=Prometheus', ...argv], env });
  if (config === 'help' || config.provider.name !== 'Prometheus') throw new Error('not Prometheus');
  const { connection, baseUrl } = config.provider;
  const { token, tokenFile, headers = {} } = connection ?? {};
  return {
    sent: { token, tokenFile, user: baseUrl.username + baseUrl.password, headers: Object.keys(headers) },
    notes: config.notes.filter((note) => note.includes('does not count')),
  };
}

function problems(argv: readonly string[], env: Env): readonly string[] {
  try {
    readConfig({ argv, env });
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
}

const NONE: Sent = { token: undefined, tokenFile: undefined, user: '', headers: [] };
const TOKEN = '--metrics-provider-token=t';
const FILE = '--metrics-provider-token-file=/f';
const ADDRESS = '--metrics-provider-address=http://me:pw@p:9090';
const HEADER = '--metrics-provider-headers=authorization=Custom k,X-A=1';
const ENV = {
  token: { METRICS_PROVIDER_TOKEN: 't' },
  file: { METRICS_PROVIDER_TOKEN_FILE: '/f' },
  address: { METRICS_PROVIDER_ADDRESS: 'http://me:pw@p:9090' },
  header: { METRICS_PROVIDER_HEADERS: 'Authorization=Custom k,X-A=1' },
};

describe('alternatives of one thing', () => {
  const rows: [sentence: string, argv: readonly string[], env: Env, sent: Partial<Sent>, losers: number][] = [
    ['a token by flag beats a file by variable', [TOKEN], ENV.file, { token: 't' }, 1],
    ['a file by flag beats a token by variable', [FILE], ENV.token, { tokenFile: '/f' }, 1],
    ['a token by flag beats a user in a variable', [TOKEN], ENV.address, { token: 't' }, 1],
    ['a user by flag beats a token by variable', [ADDRESS], ENV.token, { user: 'mepw' }, 1],
    [
      'a header by flag beats a file by variable',
      [HEADER],
      ENV.file,
      { headers: ['authorization', 'X-A'] },
      1,
    ],
    [
      'a user by flag beats a header in a variable',
      [ADDRESS],
      ENV.header,
      { user: 'mepw', headers: ['X-A'] },
      1,
    ],
    [
      'one beats all',
      [TOKEN],
      { ...ENV.file, ...ENV.address, ...ENV.header },
      { token: 't', headers: ['X-A'] },
      3,
    ],
    [
      'other headers are none of them',
      [TOKEN, '--metrics-provider-headers=X-A=1'],
      {},
      { token: 't', headers: ['X-A'] },
      0,
    ],
    ['an empty one is not given', [TOKEN], { METRICS_PROVIDER_TOKEN_FILE: '' }, { token: 't' }, 0],
  ];
  for (const [sentence, argv, env, sent, losers] of rows) {
    it(`${sentence}, and what does not count is told`, () => {
      const config = read(argv, env);
      expect(config.sent).to.deep.equal({ ...NONE, ...sent });
      expect(config.notes).to.have.length(losers);
    });
  }

  it('says what beats what', () => {
    expect(read([TOKEN], ENV.file).notes).to.deep.equal([
      '--metrics-provider-token-file (an environment variable) does not count: --metrics-provider-token (a flag) comes first',
    ]);
  });

  const refused: [sentence: string, argv: readonly string[], env: Env, problem: string][] = [
    [
      'token and file',
      ['--metrics-provider-name=Prometheus', TOKEN, FILE],
      {},
      '--metrics-provider-token, --metrics-provider-token-file: they say one thing, each as a flag; give one of them',
    ],
    [
      'user and token',
      [],
      { METRICS_PROVIDER_NAME: 'Prometheus', ...ENV.token, ...ENV.address },
      '--metrics-provider-token, --metrics-provider-address with user and password: they say one thing, each as an environment variable; give one of them',
    ],
    [
      'application key and file',
      [
        '--metrics-provider-name=Datadog',
        TOKEN,
        '--metrics-provider-app-key=a',
        '--metrics-provider-app-key-file=/a',
      ],
      {},
      '--metrics-provider-app-key, --metrics-provider-app-key-file: they say one thing, each as a flag; give one of them',
    ],
  ];
  for (const [sentence, argv, env, problem] of refused) {
    it(`refuses ${sentence} on one level`, () => {
      expect(problems(argv, env)).to.deep.equal([problem]);
    });
  }

  it('a variable beats the file of options', () => {
    const folder = mkdtempSync(join(tmpdir(), 'alternatives-'));
    const path = join(folder, 'options.yaml');
    writeFileSync(path, 'metricsProviderTokenFile: /f\n');
    expect(read(['--config', path], ENV.token).sent).to.deep.equal({ ...NONE, token: 't' });
    rmSync(folder, { recursive: true });
  });

  const ages: [interval: string, age: string, isRefused: boolean][] = [
    ['2h', '5m', true],
    ['5m', '5m', true],
    ['299s', '5m', false],
    ['2h', '0s', false],
  ];
  for (const [interval, age, isRefused] of ages) {
    it(`a refresh every ${interval} with figures good for ${age} is ${isRefused ? 'refused' : 'fine'}`, () => {
      const found = problems([`--refresh-interval=${interval}`, `--max-age=${age}`], {});
      expect(
        found.map((text) => /^--refresh-interval: \S+ is not below --max-age, \S+: /.test(text)),
      ).to.deep.equal(isRefused ? [true] : []);
    });
  }
});
