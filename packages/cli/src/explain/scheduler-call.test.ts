import { expect } from 'chai';
import { acceptsAnyCertificate, askScheduler, connectionProblem } from './scheduler-call.js';

describe('acceptsAnyCertificate', () => {
  for (const [address, accepted] of [
    ['https://127.0.0.1:10259', true],
    ['https://127.1.2.3:10259', true],
    ['https://localhost:10259', true],
    ['https://[::1]:10259', true],
    ['https://10.0.0.1:10259', false],
    ['https://127.0.0.1.example.com', false],
    ['https://localhost.example.com', false],
    ['https://scheduler.kube-system.svc', false],
  ] as const) {
    it(`${accepted ? 'takes' : 'does not take'} that of ${address} unseen`, () => {
      const scheduler = new URL(address);
      expect(acceptsAnyCertificate({ scheduler, insecureSkipTlsVerify: false })).to.equal(accepted);
      expect(acceptsAnyCertificate({ scheduler, insecureSkipTlsVerify: true })).to.equal(true);
      expect(acceptsAnyCertificate({ scheduler, insecureSkipTlsVerify: false, caPem: 'x' })).to.equal(false);
    });
  }
});

describe('connectionProblem', () => {
  const tls = new URL('https://scheduler.example:10259');
  for (const [code, url, text] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', tls, '--insecure-skip-tls-verify'],
    ['CERT_HAS_EXPIRED', tls, '--insecure-skip-tls-verify'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', tls, '--insecure-skip-tls-verify'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', tls, '--insecure-skip-tls-verify'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', tls, '--insecure-skip-tls-verify'],
    ['ENOTFOUND', tls, "its name can't be resolved"],
    ['EPROTO', tls, 'try --scheduler=http://scheduler.example:10259'],
    ['ECONNRESET', new URL('http://h:1'), 'try --scheduler=https://h:1'],
    ['EHOSTUNREACH', tls, 'no route; use kubectl port-forward'],
  ] as const) {
    it(`names the remedy for ${code}`, () => {
      expect(connectionProblem({ code, message: 'no route' }, url)).to.include(text);
    });
  }
});

describe('askScheduler', () => {
  const never = new AbortController().signal;

  it('does not send a token in the clear to another machine', async () => {
    const target = { scheduler: new URL('http://192.0.2.1:1'), insecureSkipTlsVerify: false, token: 't' };
    const error: unknown = await askScheduler(target, { path: '/' }, never).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).to.equal(
      '--token-file: a token is not sent in the clear; try --scheduler=https://192.0.2.1:1',
    );
  });
});
