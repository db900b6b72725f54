import { expect } from 'chai';
import { errors } from 'undici';
import { connectionFailure, isCertificateFailure } from './connection-failure.js';

const kubeconfig = { describe: 'kubeconfig /k, context c' };
interface Route {
  readonly describe: string;
  readonly proxyUrl?: string;
  readonly proxySetting?: string;
}

const behindProxy = { ...kubeconfig, proxyUrl: 'http://me:secret@proxy:3128' };

const failed = (code: string, message = `it failed, ${code}`): Error =>
  Object.assign(new Error(message), { code });

describe('connectionFailure', () => {
  const rows: [sentence: string, error: Error, connection: Route, expected: string][] = [
    [
      'a name that nobody knows',
      failed('ENOTFOUND', 'getaddrinfo ENOTFOUND api'),
      kubeconfig,
      "api:6443: the name api can't be resolved; check server in kubeconfig /k, context c, and this machine's DNS [getaddrinfo ENOTFOUND api]",
    ],
    [
      'a name server that is away',
      failed('EAI_AGAIN'),
      kubeconfig,
      "the name api can't be resolved; check server in",
    ],
    [
      'a port nobody listens on',
      failed('ECONNREFUSED'),
      kubeconfig,
      'nothing listens there; check server in',
    ],
    [
      'a host without a route',
      failed('EHOSTUNREACH'),
      kubeconfig,
      'no connection comes about; check server in',
    ],
    [
      'packets that are dropped',
      new errors.ConnectTimeoutError('Connect Timeout Error'),
      kubeconfig,
      'no connection comes about; check server in',
    ],
    [
      'several addresses that all fail',
      new AggregateError([failed('ECONNREFUSED', 'connect ECONNREFUSED ::1:6443')], ''),
      kubeconfig,
      'nothing listens there; check server in kubeconfig /k, context c, and that the API server runs [connect ECONNREFUSED ::1:6443]',
    ],
    [
      'a certificate that is not valid yet',
      failed('CERT_NOT_YET_VALID'),
      kubeconfig,
      'not valid yet; check the clocks',
    ],
    [
      'a chain without its root',
      failed('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
      kubeconfig,
      'set certificate-authority in kubeconfig /k, context c',
    ],
    [
      'a client certificate that has run out',
      failed('ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED'),
      kubeconfig,
      'refused our client certificate; renew client-certificate and client-key of kubeconfig /k',
    ],
    [
      'a client that shows no certificate',
      failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
      kubeconfig,
      'refused our client certificate',
    ],
    [
      'a proxy whose name nobody knows',
      failed('ENOTFOUND'),
      behindProxy,
      "the proxy http://***@proxy:3128 (proxy-url of kubeconfig /k, context c) can't be reached; mend it or remove proxy-url",
    ],
    [
      'a proxy of the environment that is away',
      failed('ECONNREFUSED'),
      { ...behindProxy, proxySetting: 'HTTPS_PROXY' },
      "the proxy http://***@proxy:3128 (HTTPS_PROXY) can't be reached; mend it or remove HTTPS_PROXY or set NO_PROXY",
    ],
    [
      'a certificate that a proxy could not carry',
      Object.assign(new Error('wrapped'), {
        code: 'UND_ERR_PRX_TLS',
        cause: failed('ERR_TLS_CERT_ALTNAME_INVALID'),
      }),
      behindProxy,
      "the server's certificate is not for api",
    ],
    ['anything else', failed('EWHATEVER', 'odd'), kubeconfig, 'api:6443: odd (EWHATEVER)'],
  ];
  for (const [sentence, error, connection, expected] of rows) {
    it(`explains ${sentence}`, () => {
      const { message } = connectionFailure(error, connection, 'api:6443');
      expect(message).to.include(expected).and.not.include('secret');
      expect(message.startsWith('api:6443: ')).to.equal(true);
    });
  }

  it('tells a time-out from a break', () => {
    const codeOf = (error: Error) => connectionFailure(error, kubeconfig, 'api').code;
    expect(codeOf(new errors.ConnectTimeoutError())).to.equal('timeout');
    expect(codeOf(new errors.BodyTimeoutError())).to.equal('timeout');
    expect(codeOf(failed('ECONNRESET'))).to.equal('unavailable');
  });

  it('knows which failures other certificates might mend', () => {
    expect(isCertificateFailure(failed('CERT_HAS_EXPIRED'))).to.equal(true);
    expect(isCertificateFailure(failed('SELF_SIGNED_CERT_IN_CHAIN'))).to.equal(true);
    expect(isCertificateFailure(failed('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'))).to.equal(true);
    expect(isCertificateFailure(failed('ECONNRESET'))).to.equal(false);
    expect(isCertificateFailure('x')).to.equal(false);
  });
});
