import { expect } from 'chai';
import { proxyFor, proxyVariables } from './proxy.js';

const PROXY = 'http://proxy.example:3128';

describe('proxyFor', () => {
  const noProxy = '10.96.0.0/12,.svc,.cluster.local, 10.25.0.1 prom.example:8443,fd00::/8,*.corp.example';
  const rows: [url: string, viaProxy: boolean][] = [
    ['https://10.96.0.1:443', false],
    ['https://10.112.0.1', true],
    ['https://prom.mon.svc:9090', false],
    ['https://svc:9090', false],
    ['https://prom.mon.svc.cluster.local', false],
    ['https://notsvc:9090', true],
    ['https://10.25.0.1', false],
    ['https://10.25.0.10', true],
    ['https://prom.example:8443', false],
    ['https://prom.example:9090', true],
    ['https://a.corp.example', false],
    ['https://[fd00::1]:9090', false],
    ['https://[2001:db8::1]:9090', true],
    ['https://localhost:9090', false],
    ['https://127.0.0.2:9090', false],
    ['https://[::1]:9090', false],
    ['https://api.signalfx.example', true],
    ['https://PROM.MON.SVC', false],
  ];
  for (const [url, viaProxy] of rows) {
    it(`${url} goes ${viaProxy ? 'through the proxy' : 'there directly'} (C57)`, () => {
      const variables = { httpProxy: undefined, httpsProxy: PROXY, noProxy };
      expect(proxyFor(new URL(url), variables)).to.equal(viaProxy ? PROXY : undefined);
    });
  }

  it('reads upper and lower case names, and goes by the scheme of the address', () => {
    const variables = proxyVariables({
      https_proxy: 'proxy.example:3128',
      HTTP_PROXY: 'http://other:1',
      NO_PROXY: '',
    });
    expect(proxyFor(new URL('https://x.example'), variables)).to.equal('http://proxy.example:3128');
    expect(proxyFor(new URL('http://x.example'), variables)).to.equal('http://other:1');
  });

  it('a star excludes everything', () => {
    expect(proxyFor(new URL('http://x'), { httpProxy: PROXY, httpsProxy: PROXY, noProxy: '*' })).to.equal(
      undefined,
    );
  });

  it('bad ranges exclude nothing', () => {
    for (const entry of ['10.0.0.0/33', '10.0.0.0/x', '/8', '::/200']) {
      expect(
        proxyFor(new URL('http://10.0.0.1'), { httpProxy: PROXY, httpsProxy: PROXY, noProxy: entry }),
      ).to.equal(PROXY);
    }
  });
});
