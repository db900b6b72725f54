import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '@catamaran/platform';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import type { ProviderFetch } from '../../core/figures/figures.js';
import { readConfig } from '../../process/read-config.js';
import { createProvider, type ProviderSpec } from '../create-provider.js';

/** Where a pod has its account. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/';
const SAMPLES = JSON.stringify({
  status: 'success',
  data: { resultType: 'vector', result: [{ metric: { instance: 'worker-1' }, value: [1, '0.42'] }] },
});
const { signal } = new AbortController();

interface Authority {
  readonly cert: string;
  readonly private: string;
}

function authority(name: string): Promise<Authority> {
  return selfsigned.generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
    ],
  });
}

/**
 * thanos-querier as OpenShift runs it: its certificate is signed by the authority for services, which is not the API
 * server's; it wants the account's token of now; its tenancy port allows GET only.
 */
describe("OpenShift's thanos-querier (C55, D21, D22)", () => {
  let services: Authority;
  let apiServer: Authority;
  let certificate: Authority;
  let server: Server;
  let folder: string;
  let accepted: string;
  let allowsPost: boolean;
  let methods: string[];

  before(async function () {
    this.timeout(20_000);
    [services, apiServer] = await Promise.all([authority('service-ca'), authority('kube-apiserver')]);
    certificate = await selfsigned.generate([{ name: 'commonName', value: 'thanos-querier' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      ca: { key: services.private, cert: services.cert },
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    });
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'openshift-'));
    accepted = 'sha256~first';
    allowsPost = true;
    methods = [];
    server = createServer({ key: certificate.private, cert: certificate.cert }, (request, response) => {
      request.resume();
      methods.push(request.method ?? '');
      const isKnown = request.headers.authorization === `Bearer ${accepted}`;
      const status = !isKnown ? 401 : request.method === 'POST' && !allowsPost ? 403 : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 200 ? SAMPLES : 'Unauthorized\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    write('token', accepted);
    write('service-ca.crt', services.cert);
    write('ca.crt', apiServer.cert);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, text: string): void => writeFileSync(join(folder, name), `${text}\n`);

  /** What the process would use in a pod, its account in the test's folder. */
  function specOf(argv: readonly string[], env: Readonly<Record<string, string>>): ProviderSpec {
    const { port } = server.address() as AddressInfo;
    const config = readConfig({
      argv: [
        '--metrics-provider-name=Prometheus',
        `--metrics-provider-address=https://localhost:${port}`,
        ...argv,
      ],
      env,
    });
    if (config === 'help') throw new Error('asked for help');
    const text = JSON.stringify(config.provider).replaceAll(ACCOUNT, `${folder}/`);
    const spec = JSON.parse(text) as Extract<ProviderSpec, { readonly name: 'Prometheus' }>;
    return { ...spec, baseUrl: new URL(`https://localhost:${port}`) };
  }

  async function fetchTwice(
    spec: ProviderSpec,
    between: () => void = () => undefined,
  ): Promise<readonly ProviderFetch[]> {
    const deps = { clock: new SystemClock(), random: () => 0 };
    const provider = createProvider(spec, { refreshIntervalMs: 60_000 }, deps);
    try {
      const first = await provider.fetch(Date.now(), signal);
      between();
      return [first, await provider.fetch(Date.now(), signal)];
    } finally {
      await provider.close();
    }
  }

  const on = { ENABLE_OPENSHIFT_AUTH: 'true' };
  const failure = (spec: ProviderSpec): Promise<string> =>
    fetchTwice(spec).then(
      () => 'it worked',
      (error: unknown) => (error as Error).message,
    );

  it('answers to the token of the account, its certificate verified by the authority for services', async () => {
    const [fetched] = await fetchTwice(specOf([], on));
    expect([...(fetched?.windows[0]?.nodes.keys() ?? [])]).to.deep.equal(['worker-1']);
    expect(fetched?.failures).to.deep.equal([]);
  });

  it('goes on when the token has rotated', async () => {
    const [, second] = await fetchTwice(specOf([], on), () => {
      accepted = 'sha256~second';
      write('token', accepted);
    });
    expect(second?.failures).to.deep.equal([]);
  });

  it('goes on with GET at the tenancy port', async () => {
    allowsPost = false;
    const [, second] = await fetchTwice(specOf([], on));
    expect(second?.failures).to.deep.equal([]);
    expect(methods.slice(-12)).to.deep.equal(Array.from({ length: 12 }, () => 'GET'));
  });

  it('a token and a CA of your own win over those of the account', async () => {
    write('mine', accepted);
    write('token', 'sha256~none');
    const [fetched] = await fetchTwice(specOf([`--metrics-provider-token-file=${join(folder, 'mine')}`], on));
    expect(fetched?.failures).to.deep.equal([]);
  });

  it('without the option the certificate is unknown, and the message says what to do', async () => {
    expect(await failure(specOf(['--metrics-provider-token=sha256~first'], {})))
      .to.contain('unknown authority')
      .and.contain('--metrics-provider-ca-file');
  });

  it("the API server's authority is not the one for services", async () => {
    const argv = [`--metrics-provider-ca-file=${join(folder, 'ca.crt')}`];
    expect(await failure(specOf(argv, on))).to.contain('unknown authority');
  });

  it('another token is refused with what to do about it', async () => {
    accepted = 'sha256~other';
    expect(await failure(specOf([], on)))
      .to.match(/HTTP 401/)
      .and.contain('it wants other credentials');
  });

  it('an account that was not mounted is named', () => {
    rmSync(join(folder, 'service-ca.crt'));
    const deps = { clock: new SystemClock(), random: () => 0 };
    expect(() => createProvider(specOf([], on), { refreshIntervalMs: 60_000 }, deps)).to.throw(
      /the CA bundle for Prometheus, .*service-ca\.crt, can't be read \(ENOENT\): check path and mount/,
    );
  });
});
