import { UsageError } from '@catamaran/platform';
import { expect } from 'chai';
import { type LoadWatcherConfig, readConfig } from './read-config.js';

const PAIR = ['--tls-cert-file=/tls/tls.crt', '--tls-private-key-file=/tls/tls.key'];
const TOKEN = '--watcher-token-file=/token';
const PLAIN = /^--watcher-token-file without --tls-cert-file: the token crosses the network unencrypted$/;

function read(argv: readonly string[], env: Readonly<Record<string, string>> = {}): LoadWatcherConfig {
  const config = readConfig({ argv, env });
  if (config === 'help') throw new Error('asked for help');
  return config;
}

describe('options of the port of the load-watcher', () => {
  it('are off by default', () => {
    const { serving, watcherTokenFile } = read([]);
    expect({ serving, watcherTokenFile }).to.deep.equal({
      serving: { host: '', port: 2020, pair: undefined },
      watcherTokenFile: undefined,
    });
  });

  for (const [sentence, argv, env] of [
    ['flags', [...PAIR, TOKEN], {}],
    [
      'variables',
      [],
      {
        WATCHER_TLS_CERT_FILE: '/tls/tls.crt',
        WATCHER_TLS_PRIVATE_KEY_FILE: '/tls/tls.key',
        WATCHER_TOKEN_FILE: '/token',
      },
    ],
  ] as const) {
    it(`are read from ${sentence}`, () => {
      const { serving, watcherTokenFile, notes } = read(argv, env);
      expect({ serving, watcherTokenFile }).to.deep.equal({
        serving: { host: '', port: 2020, pair: { certPath: '/tls/tls.crt', keyPath: '/tls/tls.key' } },
        watcherTokenFile: '/token',
      });
      expect(notes.filter((note) => PLAIN.test(note))).to.deep.equal([]);
    });
  }

  it('an IPv6 address may stand in brackets', () => {
    expect(read(['--bind-address=[::1]']).serving.host).to.equal('::1');
  });

  for (const half of PAIR) {
    it(`${half} alone is refused`, () => {
      expect(() => read([half])).to.throw(
        UsageError,
        '--tls-cert-file, --tls-private-key-file: give both or none',
      );
    });
  }

  for (const [argv, told] of [
    [[TOKEN], 1],
    [[TOKEN, '--bind-address=0.0.0.0'], 1],
    [[TOKEN, '--bind-address=127.0.0.1'], 0],
    [[TOKEN, '--bind-address=::1'], 0],
    [[TOKEN, '--bind-address=[::1]'], 0],
    [[], 0],
  ] as const) {
    it(`${argv.join(' ') || 'nothing'} gives ${told} warnings of an unencrypted token`, () => {
      expect(read(argv).notes.filter((note) => PLAIN.test(note))).to.have.length(told);
    });
  }

  for (const name of ['WATCHER_TOKEN_FLIE', 'WATCHER_TLS_CERT_FIEL']) {
    it(`${name} ends the start instead of leaving /watcher open`, () => {
      expect(() => read([], { [name]: '/x' })).to.throw(
        UsageError,
        /unknown variable; .*\bWATCHER_(TOKEN|TLS_CERT)_FILE\b/,
      );
    });
  }
});
