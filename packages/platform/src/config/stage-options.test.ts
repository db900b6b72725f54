import { expect } from 'chai';
import fc from 'fast-check';
import type { OptionSources } from './option-sources.js';
import { defineOptions } from './option-spec.js';
import { stageOptions } from './stage-options.js';

const table = defineOptions({
  port: {
    name: 'port',
    env: 'PORT',
    type: 'integer',
    default: 2020,
    min: 0,
    max: 65_535,
    description: 'Port.',
  },
  bindAddress: { name: 'bind-address', type: 'string', default: '0.0.0.0', description: 'Address.' },
  config: { name: 'config', type: 'string', description: 'File.' },
  verbosity: { name: 'v', shorthand: 'v', type: 'integer', default: 0, description: 'Verbosity.' },
  leaderElect: { name: 'leader-elect', type: 'boolean', default: true, description: 'Elect.' },
  openShift: {
    name: 'openshift-auth',
    env: 'ENABLE_OPENSHIFT_AUTH',
    type: 'boolean',
    default: false,
    description: 'OpenShift.',
  },
  quiet: { name: 'quiet', shorthand: 'q', type: 'boolean', default: false, description: 'Quiet.' },
  mode: {
    name: 'mode',
    type: 'string',
    choices: ['standalone', 'extender'],
    default: 'standalone',
    description: 'Mode.',
  },
  refreshMs: {
    name: 'refresh-interval',
    env: 'REFRESH_INTERVAL',
    type: 'duration',
    default: '1m',
    min: 1_000,
    description: 'Interval.',
  },
  headers: { name: 'headers', env: 'METRICS_PROVIDER_HEADERS', type: 'map', description: 'Headers.' },
  windows: { name: 'windows', type: 'list', choices: ['5m', '10m', '15m'], description: 'Windows.' },
  ratio: { name: 'ratio', type: 'number', description: 'Ratio.' },
  address: {
    name: 'metrics-provider-address',
    env: 'METRICS_PROVIDER_ADDRESS',
    type: 'string',
    description: 'URL.',
  },
  token: {
    name: 'token',
    env: 'METRICS_PROVIDER_TOKEN',
    type: 'string',
    secret: true,
    description: 'Token.',
  },
  level: {
    name: 'level',
    env: 'LEVEL',
    type: 'string',
    secret: true,
    choices: ['a', 'b'],
    description: 'A secret with choices.',
  },
  oldAddress: { name: 'address', type: 'string', deprecated: 'use --bind-address', description: 'Old.' },
  logToStderr: {
    name: 'logtostderr',
    type: 'boolean',
    noEffect: 'logs always go to stderr',
    description: 'Log.',
  },
});

function stage(argv: readonly string[], env: Record<string, string> = {}, rest: Partial<OptionSources> = {}) {
  return stageOptions(table, { argv, env, ...rest });
}

function values(
  argv: readonly string[],
  env: Record<string, string> = {},
  rest: Partial<OptionSources> = {},
) {
  const staged = stage(argv, env, rest);
  if (!staged.ok) {
    throw new Error(staged.problems.join('\n'));
  }
  return staged.values;
}

function problems(
  argv: readonly string[],
  env: Record<string, string> = {},
  rest: Partial<OptionSources> = {},
) {
  const staged = stage(argv, env, rest);
  return staged.ok ? [] : staged.problems;
}

function notes(argv: readonly string[], env: Record<string, string> = {}, rest: Partial<OptionSources> = {}) {
  const staged = stage(argv, env, rest);
  return staged.ok ? staged.notes : [];
}

describe('stageOptions', () => {
  it('gives each value the type of its option', () => {
    const given = values([]);
    // Assignments that only compile when the types are derived from the table.
    const port: number = given.port;
    const config: string | undefined = given.config;
    const mode: 'standalone' | 'extender' = given.mode;
    const refreshMs: number = given.refreshMs;
    const headers: Readonly<Record<string, string>> | undefined = given.headers;
    expect([port, config, mode, refreshMs, headers]).to.deep.equal([
      2020,
      undefined,
      'standalone',
      60_000,
      undefined,
    ]);
  });

  it('takes the flag before the environment before the file before the default, and says which', () => {
    const file = { path: 'c.yaml', values: { port: 3, refreshMs: '3s', bindAddress: '127.0.0.3' } };
    const staged = stage(['--port=1'], { PORT: '2', REFRESH_INTERVAL: '2s' }, { file });
    if (!staged.ok) {
      throw new Error(staged.problems.join());
    }
    const { port, refreshMs, bindAddress, mode } = staged.values;
    expect({ port, refreshMs, bindAddress, mode }).to.deep.equal({
      port: 1,
      refreshMs: 2_000,
      bindAddress: '127.0.0.3',
      mode: 'standalone',
    });
    const origins = staged.origins;
    expect([origins.port, origins.refreshMs, origins.bindAddress, origins.mode]).to.deep.equal([
      'flag',
      'env',
      'file',
      'default',
    ]);
  });

  const spellings: [argv: string[], key: keyof typeof table, expected: unknown][] = [
    [['--port=8080'], 'port', 8080],
    [['--port', '8080'], 'port', 8080],
    [['--port=1', '--port=2'], 'port', 2],
    [['-v=6'], 'verbosity', 6],
    [['-v', '6'], 'verbosity', 6],
    [['-v6'], 'verbosity', 6],
    [['--v=6'], 'verbosity', 6],
    [['--v', '6'], 'verbosity', 6],
    [['-qv6'], 'verbosity', 6],
    [['--leader-elect'], 'leaderElect', true],
    [['--leader-elect=false'], 'leaderElect', false],
    [['--leader-elect=F'], 'leaderElect', false],
    [['--leader_elect=0'], 'leaderElect', false],
    [['-q'], 'quiet', true],
    [['-q=false'], 'quiet', false],
    [['--config', '--port=1'], 'config', '--port=1'],
    [['--config='], 'config', ''],
    [['--config=a=b'], 'config', 'a=b'],
    [['--headers=a=1,b=2', '--headers', 'c=x=y'], 'headers', { a: '1', b: '2', c: 'x=y' }],
    [['--windows=5m, 15m', '--windows=10m'], 'windows', ['5m', '15m', '10m']],
    [['--ratio=-1.5e2'], 'ratio', -150],
    [['--refresh-interval=1m30s'], 'refreshMs', 90_000],
  ];
  for (const [argv, key, expected] of spellings) {
    it(`reads ${argv.join(' ')}`, () => {
      expect(values(argv)[key]).to.deep.equal(expected);
    });
  }

  const refusals: [argv: string[], problem: string][] = [
    [['--prot=1'], '--prot: unknown flag; did you mean --port?'],
    [['--colour'], '--colour: unknown flag'],
    [['--prot', '1', '--quiet'], '--prot: unknown flag; did you mean --port?'],
    [['-port=1'], '-port: unknown flag; a long flag takes two dashes: --port'],
    [['-x'], '-x: unknown flag'],
    [['--port'], '--port: needs a value, as in --port=VALUE'],
    [['--mode'], '--mode: needs a value, as in --mode=standalone'],
    [['--port='], '--port: "" is not a whole number'],
    [['--port=80.5'], '--port: "80.5" is not a whole number'],
    [['--port=0x50'], '--port: "0x50" is not a whole number'],
    [['--port=-1'], '--port: -1 is below the least allowed value, 0'],
    [['--port=70000'], '--port: 70000 is above the greatest allowed value, 65535'],
    [['--v=99999999999999999999'], '--v: 100000000000000000000 is too large'],
    [['--ratio=NaN'], '--ratio: "NaN" is not a number'],
    [['--ratio=1e999'], '--ratio: Infinity is too large'],
    [
      ['--refresh-interval=10'],
      '--refresh-interval: 10 has no unit; write 10s for seconds or 10ms for milliseconds',
    ],
    [['--refresh-interval=10ms'], '--refresh-interval: 10ms is below the least allowed value, 1s'],
    [['--mode=extendr'], '--mode: "extendr" is not one of standalone, extender; did you mean extender?'],
    [['--windows=5m,7m'], '--windows: "7m" is not one of 5m, 10m, 15m'],
    [['--headers=a'], '--headers: "a" is not of the form name=value'],
    [['--leader-elect=yes'], '--leader-elect: "yes" is not a boolean; write true or false'],
    [['stray'], 'stray: unexpected argument'],
    [
      ['--leader-elect', 'false'],
      'false: unexpected argument; a boolean takes its value after =: --leader-elect=false',
    ],
    [['--level=hunter2'], '--level: the given value (not shown) is not one of a, b'],
  ];
  for (const [argv, problem] of refusals) {
    it(`refuses ${argv.join(' ')}`, () => {
      expect(problems(argv)).to.deep.equal([problem]);
    });
  }

  it('reports everything that is wrong at once', () => {
    const file = {
      path: 'c.yaml',
      values: { prot: 1, port: '3', leaderElect: 'true', refreshMs: 3, windows: 'x', 'bind-address': '' },
      lines: { prot: 1, port: 2, leaderElect: 3, refreshMs: 4, windows: 5 },
    };
    expect(problems(['--mode=x', '--nope'], { REFRESH_INTERVAL: 'soon' }, { file })).to.deep.equal([
      'prot: unknown key; did you mean port? (c.yaml, line 1)',
      'port: must be a number, not the string "3"; remove the quotes (c.yaml, line 2)',
      'leaderElect: must be true or false without quotes, not the string "true" (c.yaml, line 3)',
      'refreshMs: 3 has no unit; write 3s for seconds or 3ms for milliseconds (c.yaml, line 4)',
      'windows: must be a list of strings, not the string "x" (c.yaml, line 5)',
      'bind-address: unknown key; did you mean bindAddress? (c.yaml)',
      'REFRESH_INTERVAL: "soon" is not a duration; write for example 500ms, 30s or 1m30s',
      '--mode: "x" is not one of standalone, extender',
      '--nope: unknown flag',
    ]);
  });

  it('does not take inherited names of objects for options', () => {
    const file = { path: 'c.yaml', values: JSON.parse('{"constructor": 1, "__proto__": 2}') as object };
    expect(problems(['--constructor'], {}, { file: { ...file, values: { ...file.values } } })).to.deep.equal([
      'constructor: unknown key (c.yaml)',
      '__proto__: unknown key (c.yaml)',
      '--constructor: unknown flag',
    ]);
  });

  const booleans: [text: string, expected: boolean][] = [
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['', false],
  ];
  for (const [text, expected] of booleans) {
    it(`a boolean variable of value ${JSON.stringify(text)} is ${expected}: presence alone switches nothing on`, () => {
      expect(values([], { ENABLE_OPENSHIFT_AUTH: text }).openShift).to.equal(expected);
    });
  }

  it('refuses a boolean variable that is neither', () => {
    expect(problems([], { ENABLE_OPENSHIFT_AUTH: 'yes' })).to.deep.equal([
      'ENABLE_OPENSHIFT_AUTH: "yes" is not a boolean; write true or false',
    ]);
  });

  it('takes an empty variable for an unset one', () => {
    expect(values([], { PORT: '', METRICS_PROVIDER_ADDRESS: '' })).to.include({
      port: 2020,
      address: undefined,
    });
  });

  const near: [name: string, meant: string | undefined][] = [
    ['EnableOpenShiftAuth', 'ENABLE_OPENSHIFT_AUTH'],
    ['enable_openshift_auth', 'ENABLE_OPENSHIFT_AUTH'],
    ['METRICS_PROVIDER_ADRESS', 'METRICS_PROVIDER_ADDRESS'],
    ['METRICS_PROVIDER_HEADER', 'METRICS_PROVIDER_HEADERS'],
    ['METRIC_PROVIDER_ADDRESS', 'METRICS_PROVIDER_ADDRESS'],
    ['ETRICS_PROVIDER_HEADERS', 'METRICS_PROVIDER_HEADERS'],
    ['METRICS_SERVER_SERVICE_HOST', undefined],
    ['SPORT', undefined],
    ['HOME', undefined],
  ];
  for (const [name, meant] of near) {
    it(`${name} ${meant === undefined ? 'is none of our business' : `gives a hint at ${meant}`}`, () => {
      expect(notes([], { [name]: 'x' })).to.deep.equal(
        meant === undefined ? [] : [`environment variable ${name} is not read; did you mean ${meant}?`],
      );
    });
  }

  const own: [name: string, value: string, problem: string | undefined][] = [
    ['METRICS_PROVIDER_ADRESS', 'x', '; did you mean METRICS_PROVIDER_ADDRESS?'],
    [
      'METRICS_PROVIDER_COLOUR_OF_THE_SKY',
      'x',
      '; known: METRICS_PROVIDER_HEADERS, METRICS_PROVIDER_ADDRESS, METRICS_PROVIDER_TOKEN',
    ],
    ['METRICS_PROVIDER_COLOUR', '', undefined],
    ['METRICS_PROVIDER_ADDRESS', 'x', undefined],
    ['METRICS_PROVIDER_SERVICE_HOST', '10.0.0.1', undefined],
    ['METRICS_PROVIDER_SERVICE_PORT', '9090', undefined],
    ['METRICS_PROVIDER_SERVICE_PORT_HTTP_WEB', '9090', undefined],
    ['METRICS_PROVIDER_PORT', 'tcp://10.0.0.1:9090', undefined],
    ['METRICS_PROVIDER_PORT', '9090', '; known: '],
    ['METRICS_PROVIDER_PORT_9090_TCP', 'tcp://10.0.0.1:9090', undefined],
    ['METRICS_PROVIDER_PORT_9090_TCP_PROTO', 'tcp', undefined],
    ['METRICS_PROVIDER_PORT_9090_UDP_ADDR', '10.0.0.1', undefined],
    ['METRICS_PROVIDER_TOKENS_SERVICE_HOST', '10.0.0.1', undefined],
    ['METRICS_SERVER_PORT', 'tcp://10.0.0.1:443', undefined],
    ['ENABLE_OPENSHIFT_AUHT', 'x', '; did you mean ENABLE_OPENSHIFT_AUTH?'],
    ['ENABLE_COLOUR', 'x', undefined],
    ['HOME', 'x', undefined],
  ];
  for (const [name, value, problem] of own) {
    const outcome = problem === undefined ? 'nothing wrong' : `unknown${problem}`;
    it(`with a prefix of the program's own, ${name}=${value} is ${outcome}`, () => {
      const prefixes = { ownEnvPrefixes: ['METRICS_PROVIDER_'], sharedEnvPrefixes: ['ENABLE_'] };
      const found = problems([], { [name]: value }, prefixes);
      if (problem === undefined) expect(found).to.deep.equal([]);
      else expect(found.join()).to.contain(`${name}: unknown variable${problem}`);
      expect(notes([], { [name]: value }, prefixes)).to.deep.equal([]);
    });
  }

  const secrets: [key: string, value: unknown, problem: string][] = [
    [
      'token',
      'S3cret',
      "a secret (not shown) doesn't belong into a configuration file: give it by the variable METRICS_PROVIDER_TOKEN",
    ],
    ['level', 'S3cret', 'a secret (not shown)'],
    ['level', ['S3cret'], 'must be a string, not a list'],
  ];
  for (const [key, value, problem] of secrets) {
    it(`refuses a secret in the file: ${key}, ${typeof value}`, () => {
      const text = problems([], {}, { file: { path: 'c.yaml', values: { [key]: value } } }).join();
      expect(text).to.contain(`${key}: ${problem}`);
      expect(text).to.not.contain('S3cret');
    });
  }

  it('gives no hint for a variable that the program reads elsewhere', () => {
    expect(notes([], { PORTS: '1' }, { alsoReadEnv: ['PORTS'] })).to.deep.equal([]);
  });

  it('notes deprecated and effectless options once', () => {
    expect(notes(['--address=::', '--logtostderr', '--logtostderr=false'])).to.deep.equal([
      '--address is deprecated: use --bind-address',
      '--logtostderr is accepted but has no effect: logs always go to stderr',
    ]);
  });

  for (const argv of [['--help'], ['-h'], ['--port=x', '--help', '--nope']]) {
    it(`help is given whatever else is wrong: ${argv.join(' ')}`, () => {
      const staged = stage(argv);
      expect(staged.ok && staged.helpRequested && staged.values.port).to.equal(2020);
    });
  }

  it('gives positionals back where they are allowed', () => {
    const staged = stage(['explain', '-q', 'ns/pod', '--', '--port'], {}, { allowPositionals: true });
    expect(staged.ok && staged.positionals).to.deep.equal(['explain', 'ns/pod', '--port']);
  });

  it('calls a wrong default a fault of the program', () => {
    const wrong = { a: { name: 'a', type: 'duration', default: '3', description: '' } } as const;
    expect(() => stageOptions(wrong, { argv: [], env: {} })).to.throw(
      TypeError,
      'the default of --a: 3 has no unit',
    );
  });

  it('never throws, and freezes what it gives, for any words', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '--port',
        '--port=1',
        '-v',
        '-q',
        '--',
        '-',
        '--headers=a=b',
        '--windows=5m',
        '--=',
        '-=',
      ),
    );
    fc.assert(
      fc.property(fc.array(word), (argv) => {
        const staged = stage(argv);
        expect(staged.ok ? Object.isFrozen(staged.values) : staged.problems.length > 0).to.equal(true);
      }),
    );
  });

  it('gives back what could be read beside the problems, so that a caller can check the rest', () => {
    const table = defineOptions({
      port: { name: 'port', type: 'integer', default: 2020, description: 'Port.' },
      address: { name: 'address', type: 'string', description: 'Address.' },
    });
    const staged = stageOptions(table, { argv: ['--port=x', '--address=a', '--adress=b'], env: {} });
    expect(staged.ok).to.equal(false);
    expect(staged.values).to.deep.equal({ port: 2020, address: 'a' });
  });

  it('takes a flag that may stand alone without the next word, and its value after =', () => {
    const alone = defineOptions({
      version: { name: 'version', type: 'string', alone: 'yes', default: 'no', description: '-' },
    });
    const staged = (argv: readonly string[]) =>
      stageOptions(alone, { argv, env: {}, allowPositionals: true });
    expect(staged(['--version', 'raw'])).to.deep.include({
      values: { version: 'yes' },
      positionals: ['raw'],
    });
    expect(staged(['--version=raw'])).to.deep.include({ values: { version: 'raw' }, positionals: [] });
    expect(staged([])).to.deep.include({ values: { version: 'no' } });
  });
});
