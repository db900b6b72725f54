import { type LogFields, type Logger, OperatorError, silentLogger } from '@catamaran/platform';
import { expect } from 'chai';
import { argsLogger, inArgsWords, sayingArgs } from './args-vocabulary.js';

describe('messages of a load-watcher inside the scheduler', () => {
  for (const [said, instead] of [
    [
      'Prometheus: --metrics-provider-token (METRICS_PROVIDER_TOKEN): it has a line break inside',
      'Prometheus: metricProvider.token: it has a line break inside',
    ],
    [
      'signed by an unknown authority (X): give its CA with --metrics-provider-ca-file, or skip the check with --insecure-skip-verify',
      'signed by an unknown authority (X): give its CA in the variable NODE_EXTRA_CA_CERTS, or skip the check with metricProvider.insecureSkipVerify',
    ],
    [
      'HTTP 401: see --metrics-provider-token-file, --metrics-provider-token, --metrics-provider-headers, --metrics-provider-cert-file',
      'HTTP 401: see metricProvider.token',
    ],
    [
      'the token expired: give --metrics-provider-token-file, which follows rotation',
      'the token expired: give a load-watcher with a token file, which follows rotation, and watcherAddress',
    ],
    ['check --metrics-provider-address', 'check metricProvider.address'],
    ['nothing of the kind', 'nothing of the kind'],
  ] as const) {
    it(`say "${instead}"`, () => {
      expect(inArgsWords(said)).to.equal(instead);
      expect(inArgsWords(said)).to.not.match(/--metrics-provider|--insecure-skip/);
    });
  }

  it('are logged and thrown so', () => {
    const lines: (LogFields | undefined)[] = [];
    const log: Logger = {
      ...silentLogger,
      warn: (_message, fields) => void lines.push(fields),
      with: () => log,
    };
    argsLogger(log).with({}).warn('failed', { reason: 'check --metrics-provider-address', nodes: 3 });
    expect(lines).to.deep.equal([{ reason: 'check metricProvider.address', nodes: 3 }]);
    const failing = (): never => {
      throw new OperatorError('--insecure-skip-verify');
    };
    expect(() => sayingArgs(failing)).to.throw(OperatorError, /^metricProvider\.insecureSkipVerify$/);
  });
});
