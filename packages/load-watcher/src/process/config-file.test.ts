import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@catamaran/platform';
import { expect } from 'chai';
import { loadWatcherOptions } from './options.js';
import { type LoadWatcherConfig, readConfig } from './read-config.js';

type Env = Readonly<Record<string, string>>;

describe('configuration file of the load-watcher', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watcher-config-'));
    path = join(folder, 'watcher.yaml');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (text: string, argv: readonly string[] = [], env: Env = {}): LoadWatcherConfig => {
    writeFileSync(path, text);
    const config = readConfig({ argv: [`--config=${path}`, ...argv], env });
    if (config === 'help') throw new Error('asked for help');
    return config;
  };
  const problems = (text: string, argv: readonly string[] = [], env: Env = {}): readonly string[] => {
    try {
      read(text, argv, env);
    } catch (error) {
      if (error instanceof UsageError)
        return error.problems.map((line) =>
          line.replaceAll(path, 'FILE').replace(/(?<=is not one of )[^;]+/, '…'),
        );
      throw error;
    }
    return [];
  };

  it('sets every option that is no secret', () => {
    const config = read(`
port: 2021
bindAddress: 127.0.0.1
metricsProviderName: Prometheus
metricsProviderAddress: http://prom.monitoring:9090
metricsProviderTokenFile: /run/token
metricsProviderHeaders: { X-Scope-OrgID: team-a }
insecureSkipVerify: true
refreshInterval: 30s
refreshJitter: 0.1
maxAge: 0
prometheusCpuQuery: my:cpu
prometheusCpuUnit: percent
`);
    expect(config.serving).to.deep.include({ port: 2021, host: '127.0.0.1' });
    expect(config.watcher).to.deep.equal({ refreshIntervalMs: 30_000, maxAgeMs: 0, jitterRatio: 0.1 });
    expect(config.provider).to.have.property('name', 'Prometheus');
    if (config.provider.name !== 'Prometheus') return;
    expect(config.provider.connection).to.deep.include({
      tokenFile: '/run/token',
      skipTlsVerify: true,
      headers: { 'X-Scope-OrgID': 'team-a' },
    });
    expect(config.provider.queries?.userQueries.CPU).to.deep.equal({ promql: 'my:cpu', unit: 'percent' });
  });

  const precedence: [sentence: string, file: string, env: Env, argv: string[], level: string][] = [
    ['without anything the default', '', {}, [], 'info'],
    ['the file beats the default', 'logLevel: warn', {}, [], 'warn'],
    ['the variable beats the file', 'logLevel: warn', { LOG_LEVEL: 'error' }, [], 'error'],
    ['the flag beats all', 'logLevel: warn', { LOG_LEVEL: 'error' }, ['--log-level=debug'], 'debug'],
    ['the flag beats the file', 'logLevel: warn', {}, ['--log-level=debug'], 'debug'],
    ['an empty variable is none', 'logLevel: warn', { LOG_LEVEL: '' }, [], 'warn'],
  ];
  for (const [sentence, file, env, argv, level] of precedence) {
    it(sentence, () => {
      expect(read(file, argv, env).logLevel).to.equal(level);
    });
  }

  it('knows each option by its key, and none of them by its flag', () => {
    for (const [key, { name }] of Object.entries(loadWatcherOptions)) {
      const [byFlag = ''] = name === key ? [] : problems(`${name}: x`);
      if (key !== 'config' && name !== key)
        expect(byFlag).to.equal(`${name}: unknown key; did you mean ${key}? (FILE, line 1)`);
    }
  });

  it('tells all problems at once: of the file, with lines, of variables and of flags', () => {
    const text = `
prot: 2021
refreshInterval: 30
port: "2021"
insecureSkipVerify: "yes"
metricsProviderName: Promtheus
prometheusCpuQuery: rate(x[5m]
prometheusCpuUnit: ratio
metricsProviderToken: S3cret
metricsProviderHeaders: { Authorization: S3cret }
`;
    expect(problems(text, ['--nope'], { METRICS_PROVIDER_ADRESS: 'x' })).to.deep.equal([
      'prot: unknown key; did you mean port? (FILE, line 2)',
      'refreshInterval: 30 has no unit; write 30s for seconds or 30ms for milliseconds (FILE, line 3)',
      'port: must be a number, not the string "2021"; remove the quotes (FILE, line 4)',
      'insecureSkipVerify: must be true or false without quotes, not the string "yes" (FILE, line 5)',
      "metricsProviderToken: a secret (not shown) doesn't belong into a configuration file: name a file that holds it with metricsProviderTokenFile, or give it by the variable METRICS_PROVIDER_TOKEN (FILE, line 9)",
      "metricsProviderHeaders: Authorization (value not shown) doesn't belong into a configuration file: give it by the variable METRICS_PROVIDER_HEADERS (FILE, line 10)",
      'METRICS_PROVIDER_ADRESS: unknown variable; did you mean METRICS_PROVIDER_ADDRESS?',
      '--nope: unknown flag',
      '--metrics-provider-name (METRICS_PROVIDER_NAME): "Promtheus" is not one of …; did you mean Prometheus? (FILE, line 6)',
      '--prometheus-cpu-query: a ) is missing at the end (FILE, line 7)',
    ]);
  });

  it('says of a flag that beats the file nothing about the file', () => {
    expect(
      problems('metricsProviderName: Prometheus', ['--metrics-provider-name=Promtheus']).join(),
    ).to.not.contain('FILE');
  });

  it('refuses user and password in an address, without showing them', () => {
    const [problem] = problems('metricsProviderAddress: http://ann:S3cret@prom:9090');
    expect(problem).to.equal(
      "metricsProviderAddress: user and password (not shown) don't belong into a configuration file: give the address by the variable METRICS_PROVIDER_ADDRESS (FILE, line 1)",
    );
  });

  it('cannot name another file', () => {
    expect(problems('config: other.yaml')).to.deep.equal(['config: unknown key (FILE, line 1)']);
  });

  it('a file that is not there, or no mapping, is one problem among the others', () => {
    writeFileSync(path, '');
    const missing = join(folder, 'missing.yaml');
    try {
      readConfig({ argv: [`--config=${missing}`, '--port=x'], env: {} });
      expect.fail('it was read');
    } catch (error) {
      expect((error as UsageError).problems).to.deep.equal([
        `--config: ${missing} can't be read (ENOENT): check path and mount`,
        '--port: "x" is not a whole number',
      ]);
    }
    expect(problems('- port')).to.deep.equal(['must be a mapping such as port: 2020 (FILE, line 1)']);
    expect(problems('port: 1\nport: 2')).to.deep.equal([
      'a key stands twice: keep one of them (FILE, line 2)',
    ]);
  });
});
