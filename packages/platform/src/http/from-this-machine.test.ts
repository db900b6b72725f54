import { expect } from 'chai';
import { isFromThisMachine } from './from-this-machine.js';

type Request = Parameters<typeof isFromThisMachine>[0];

function from(remoteAddress: string | undefined, headers: Record<string, string> = {}): boolean {
  return isFromThisMachine({ socket: { remoteAddress } as Request['socket'], headers });
}

describe('isFromThisMachine', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    it(`${address} is this machine`, () => {
      expect(from(address, { host: 'localhost', accept: '*/*', 'x-request-id': '1', origin: 'x' })).to.equal(
        true,
      );
      const headers = {
        authorization: 'Bearer x',
        'user-agent': 'curl',
        connection: 'keep-alive',
        via_: '1',
      };
      expect(from(address, headers)).to.equal(true);
    });
  }
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1', 'fe80::1', '', undefined]) {
    it(`${address === undefined ? 'no address' : `"${address}"`} is not`, () => {
      expect(from(address)).to.equal(false);
    });
  }
  const forwarding = [
    'forwarded',
    'via',
    'x-real-ip',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded',
    'x-forwarded-client-cert',
    'x-envoy-external-address',
    'x-envoy-internal',
    'cf-connecting-ip',
    'true-client-ip',
    'x-client-ip',
    'fastly-client-ip',
    'x-cluster-client-ip',
    'x-azure-clientip',
    'x-appengine-user-ip',
    'x-original-forwarded-for',
    'x-original-host',
    'x-original-url',
    'cloudfront-forwarded-proto',
    'x-remote-addr',
    'x-proxyuser-ip',
  ];
  for (const name of forwarding) {
    it(`${name} tells of a proxy on it, whatever its value`, () => {
      expect([from('127.0.0.1', { [name]: '10.0.0.9' }), from('::1', { [name]: '' })]).to.deep.equal([
        false,
        false,
      ]);
    });
  }
});
