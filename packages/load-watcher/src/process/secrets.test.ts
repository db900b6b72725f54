import { createLogger, maskOptions, maskText, OperatorError, UsageError } from '@catamaran/platform';
import { expect } from 'chai';
import fc from 'fast-check';
import { documentUrl } from '../client/watcher-address.js';
import { loadWatcherOptions } from './options.js';
import { readConfig } from './read-config.js';

/** All that a start with these options shows: the usage problems, or notes in the log and /configz. */
function shown(argv: readonly string[], env: Readonly<Record<string, string>>): string {
  const lines: string[] = [];
  const log = createLogger({ name: 'test', level: 'debug' }, { write: (line) => void lines.push(line) });
  try {
    const config = readConfig({ argv, env });
    if (config === 'help') return 'help';
    for (const note of config.notes) log.warn(note);
    lines.push(JSON.stringify(maskOptions(loadWatcherOptions, config.values)));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    lines.push(maskText(error.message));
  }
  return lines.join('\n');
}

/** A password that is recognised, whatever stands in it. */
const password = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('?', '#', '"', "'", '/', '\\', '@', ':', '%', ' ', '{', '}', '[', ']', '$', '1'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
    maxLength: 6,
  })
  .chain((odd) => fc.constantFrom(`S3cr${odd}T9x`, `${odd}S3crT9x`, `S3crT9x${odd}`));

const shapes: [sentence: string, text: (secret: string) => string][] = [
  ['an address without a scheme', (secret) => `user:${secret}@prom:9090`],
  ['an address', (secret) => `https://u:${secret}@prom.example:9090/x`],
  ['an address whose password has a slash', (secret) => `https://u:${secret}/x@prom.example`],
  ['an address of another scheme', (secret) => `ftp://u:${secret}@prom.example`],
  ['an address with a query', (secret) => `http://u:${secret}@prom.example/?a=b`],
  ['an address with a bad port', (secret) => `http://u:${secret}@prom.example:99999`],
  ['an address with a variable in it', (secret) => `http://u:${secret}@\${HOST}`],
  ['an address with a token as the user', (secret) => `http://S3cr${secret}@prom.example`],
];

describe('secrets of the load-watcher', () => {
  const holdsNone = (text: string): void => {
    expect(text).to.not.contain('S3cr').and.not.contain('T9x');
  };
  for (const [sentence, shape] of shapes) {
    it(`${sentence} never shows its password`, () => {
      fc.assert(
        fc.property(password, fc.constantFrom('Prometheus', 'KubernetesMetricsServer'), (secret, name) => {
          const env = { METRICS_PROVIDER_NAME: name, METRICS_PROVIDER_ADDRESS: shape(secret) };
          holdsNone(shown([], env));
          holdsNone(shown(['--port=x'], env));
        }),
      );
    });

    it(`${sentence}, of a proxy, never shows its password`, () => {
      fc.assert(
        fc.property(password, (secret) => {
          const env = {
            METRICS_PROVIDER_NAME: 'Prometheus',
            METRICS_PROVIDER_ADDRESS: 'http://prom.example:9090',
            HTTP_PROXY: shape(secret),
          };
          holdsNone(shown([], env));
        }),
      );
    });

    it(`${sentence}, of a load-watcher, never shows its password`, () => {
      fc.assert(
        fc.property(password, (secret) => {
          let text: string;
          try {
            text = documentUrl(shape(secret));
          } catch (error) {
            text = String(error);
          }
          holdsNone(text);
        }),
      );
    });
  }

  it('headers and tokens are never shown, whatever is wrong beside them', () => {
    fc.assert(
      fc.property(password, (secret) => {
        const env = { METRICS_PROVIDER_NAME: 'Prometheus', METRICS_PROVIDER_TOKEN: `S3cr${secret}` };
        holdsNone(shown([`--metrics-provider-headers=X-Scope-OrgID=${secret},X-Team=${secret}`], env));
        holdsNone(shown([`--metrics-provider-headers=${secret}`, '--port=x'], env));
      }),
    );
  });

  it('/configz tells which headers are sent, not what they hold', () => {
    const config = readConfig({
      argv: ['--metrics-provider-headers=X-Scope-OrgID=team-a'],
      env: { METRICS_PROVIDER_ADDRESS: 'http://u:p@h:1' },
    });
    expect(config !== 'help' && maskOptions(loadWatcherOptions, config.values)).to.deep.include({
      metricsProviderHeaders: { 'X-Scope-OrgID': '***' },
      metricsProviderAddress: 'http://***@h:1',
      metricsProviderToken: '',
    });
  });

  it('addresses that nobody can use are usage problems, together with all others', () => {
    const problems = (env: Record<string, string>): readonly string[] => {
      try {
        readConfig({ argv: ['--port=x'], env: { METRICS_PROVIDER_NAME: 'Prometheus', ...env } });
      } catch (error) {
        if (error instanceof UsageError) return error.problems;
        throw error;
      }
      return [];
    };
    const port = '--port: "x" is not a whole number';
    const proxy =
      'HTTP_PROXY: "http://***@proxy:1" is not the URL of an HTTP proxy; write it as http://host:3128, special characters of user and password percent-encoded';
    expect(problems({ HTTP_PROXY: 'http://u:p%zz@proxy:1' })).to.deep.equal([port, proxy]);
    expect(problems({ http_proxy: 'http://u:p/q@proxy:1' })).to.deep.equal([port, proxy]);
    expect(problems({ HTTP_PROXY: 'http://proxy:x' })[1]).to.contain('HTTP_PROXY: "http://proxy:x"');
    expect(problems({ METRICS_PROVIDER_ADDRESS: 'http://u:p%zz@h' })).to.deep.equal([
      port,
      '--metrics-provider-address (METRICS_PROVIDER_ADDRESS): "http://***@h": write special characters of user and password percent-encoded, as in p%40ss for p@ss',
    ]);
  });
});
