import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import { stringify } from 'yaml';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { loadClusterConnection } from './load-cluster-connection.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Entry {
  readonly cluster?: object;
  readonly user?: object;
}

function kubeconfig(entries: Readonly<Record<string, Entry>>, current = Object.keys(entries)[0]): string {
  const names = Object.keys(entries);
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': current,
    contexts: names.map((name) => ({ name, context: { cluster: name, user: name } })),
    clusters: names.map((name) => ({
      name,
      cluster: { server: `https://${name}:6443`, ...entries[name]?.cluster },
    })),
    users: names.map((name) => ({ name, user: entries[name]?.user ?? {} })),
  });
}

describe('loadClusterConnection', function () {
  // The first kubeconfig loads the client library, which takes a second.
  this.timeout(20_000);
  let folder: string;
  /** A certificate that is its own authority, its key, and the key of another. */
  let authority: string;
  let key: string;
  let otherKey: string;

  before(async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map((value) =>
        selfsigned.generate([{ name: 'commonName', value }], { keyType: 'ec', algorithm: 'sha256' }),
      ),
    );
    authority = one?.cert ?? '';
    key = one?.private ?? '';
    otherKey = other?.private ?? '';
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'connection-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function put(name: string, text: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  }

  const messageOf = (loading: Promise<unknown>): Promise<string> =>
    loading.then(
      () => 'no error',
      (error: Error) => `${error.name}: ${error.message}`,
    );

  it('takes a server without TLS as it is, credentials and all', async () => {
    const entry = { cluster: { server: 'http://127.0.0.1:8001' }, user: { token: 'secret' } };
    const path = await put('config', kubeconfig({ local: entry }));
    const { serverUrl, bearerToken } = await loadClusterConnection({ kubeconfigPath: path, env: {} });
    expect({ serverUrl, token: await bearerToken?.() }).to.deep.equal({
      serverUrl: 'http://127.0.0.1:8001',
      token: 'secret',
    });
  });

  it('takes everything a kubeconfig says of the current context', async () => {
    const cluster = {
      server: 'https://api.example:6443/',
      'certificate-authority-data': base64(authority),
      'tls-server-name': 'kubernetes',
      'proxy-url': 'http://proxy:3128',
    };
    const user = {
      token: 'secret\n',
      'client-certificate-data': base64(authority),
      'client-key-data': base64(key),
    };
    const path = await put('config', kubeconfig({ prod: { cluster, user } }));
    const {
      bearerToken,
      currentTls: _,
      ...rest
    } = await loadClusterConnection({ kubeconfigPath: path, env: {} });
    expect(rest).to.deep.equal({
      serverUrl: 'https://api.example:6443',
      caPem: authority,
      clientCertPem: authority,
      clientKeyPem: key,
      skipTlsVerify: false,
      serverName: 'kubernetes',
      proxyUrl: 'http://proxy:3128',
      describe: `kubeconfig ${path}, context prod`,
    });
    expect(await bearerToken?.()).to.equal('secret');
  });

  it('takes the context it is given, and skips verification only when told to', async () => {
    const entries = { a: {}, b: { cluster: { 'insecure-skip-tls-verify': true } } };
    const path = await put('config', kubeconfig(entries));
    const { currentTls, ...b } = await loadClusterConnection({ kubeconfigPath: path, context: 'b', env: {} });
    expect(await currentTls?.()).to.deep.equal({});
    expect(b).to.deep.equal({
      serverUrl: 'https://b:6443',
      skipTlsVerify: true,
      describe: `kubeconfig ${path}, context b`,
    });
  });

  it('finds the files that a kubeconfig names beside it, and reads its token file again', async () => {
    await put('ca.crt', authority);
    await put('token', 'first\n');
    const user = { tokenFile: 'token' };
    const path = await put(
      'config',
      kubeconfig({ a: { cluster: { 'certificate-authority': 'ca.crt' }, user } }),
    );
    const clock = new VirtualClock(0);
    const connection = await loadClusterConnection({ kubeconfigPath: path, env: {}, clock });
    expect(connection.caPem).to.equal(authority);
    expect(await connection.bearerToken?.()).to.equal('first');
    await put('token', 'second\n');
    expect(await connection.bearerToken?.()).to.equal('first');
    expect(await connection.bearerToken?.({ fresh: true })).to.equal('second');
    await put('token', 'third\n');
    await clock.advanceBy(60_000);
    expect(await connection.bearerToken?.()).to.equal('third');
  });

  it('reads certificate files again, and embedded ones when they are asked for afresh', async () => {
    await put('client.crt', authority);
    await put('client.key', key);
    const user = { 'client-certificate': 'client.crt', 'client-key': 'client.key' };
    const cluster = { 'certificate-authority-data': base64(authority) };
    const path = await put('config', kubeconfig({ a: { cluster, user } }));
    const { currentTls } = await loadClusterConnection({ kubeconfigPath: path, env: {} });
    await put('client.key', otherKey);
    const half = { caPem: authority, clientCertPem: authority, clientKeyPem: otherKey };
    expect(await currentTls?.()).to.deep.equal(half);
    await put('config', kubeconfig({ a: { user } }));
    expect((await currentTls?.())?.caPem).to.equal(authority);
    expect((await currentTls?.({ fresh: true }))?.caPem).to.equal(undefined);
  });

  it('reads the authority of a service account again', async () => {
    await put('ca.crt', authority);
    await put('token', 'first');
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    const { currentTls } = await loadClusterConnection({ env, serviceAccountDir: folder });
    await put('ca.crt', 'next');
    expect(await currentTls?.()).to.deep.equal({ caPem: 'next' });
    await rm(join(folder, 'ca.crt'));
    expect(await messageOf(currentTls?.() ?? Promise.resolve())).to.include("ca.crt can't be read");
  });

  it('refuses to start with certificates that no connection can use, naming what is wrong', async () => {
    const rows: [sentence: string, certificate: string, keyPem: string, ca: string, expected: string][] = [
      ['half an authority', authority, key, authority.slice(0, 200), "authority can't be read as PEM"],
      ['an empty authority', authority, key, '\n', 'the certificate authority holds no PEM certificate'],
      ['the key of another', authority, otherKey, authority, 'the client key is not that of'],
      ['half a key', authority, key.slice(0, 60), authority, "the client key can't be read as PEM"],
      ['no certificate', 'hello', key, authority, 'the client certificate holds no PEM certificate'],
    ];
    const user = { 'client-certificate': 'client.crt', 'client-key': 'client.key' };
    const path = await put(
      'config',
      kubeconfig({ a: { cluster: { 'certificate-authority': 'ca.crt' }, user } }),
    );
    for (const [sentence, certificate, keyPem, ca, expected] of rows) {
      await put('client.crt', certificate);
      await put('client.key', keyPem);
      await put('ca.crt', ca);
      const message = await messageOf(loadClusterConnection({ kubeconfigPath: path, env: {} }));
      expect(message, sentence).to.include('ClusterConnectionError').and.include(expected).and.include(path);
    }
  });

  it('runs an exec plugin, and runs it again when its token is refused', async () => {
    const counter = join(folder, 'count');
    const script = `echo x >> ${counter}; n=$(wc -l < ${counter}); echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"token-'$((n))'"}}'`;
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: ['-c', script] };
    const path = await put('config', kubeconfig({ a: { user: { exec } } }));
    const clock = new VirtualClock(0);
    const { bearerToken } = await loadClusterConnection({ kubeconfigPath: path, env: {}, clock });
    expect(await bearerToken?.()).to.equal('token-1');
    expect(await bearerToken?.()).to.equal('token-1');
    expect(await bearerToken?.({ fresh: true })).to.equal('token-2');
    await clock.advanceBy(1000);
    const many = Array.from({ length: 20 }, async () => await bearerToken?.({ fresh: true }));
    expect(new Set(await Promise.all(many))).to.deep.equal(new Set(['token-3']));
    expect(await bearerToken?.({ fresh: true })).to.equal('token-3');
  });

  const plugins: [sentence: string, exec: object, expected: string][] = [
    [
      'that is not installed, with the hint of the kubeconfig',
      { command: 'no-such-plugin', installHint: 'Install it with: brew install no-such-plugin\n' },
      'the exec plugin no-such-plugin failed: spawn no-such-plugin ENOENT (Install it with: brew install no-such-plugin)',
    ],
    [
      'that fails, with the first line of what it says',
      { command: '/bin/sh', args: ['-c', 'echo "please log in" >&2; echo more >&2; exit 3'] },
      'the exec plugin /bin/sh failed: please log in',
    ],
    [
      'whose answer is no JSON',
      { command: '/bin/echo', args: ['hello'] },
      'the exec plugin /bin/echo failed: Unexpected token',
    ],
    [
      'that gives nothing',
      {
        command: '/bin/echo',
        args: ['{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{}}'],
      },
      'the exec plugin /bin/echo gave neither a token nor a client certificate',
    ],
  ];
  for (const [sentence, exec, expected] of plugins) {
    it(`refuses an exec plugin ${sentence}`, async () => {
      const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', ...exec } };
      const path = await put('config', kubeconfig({ a: { user } }));
      const message = await messageOf(loadClusterConnection({ kubeconfigPath: path, env: {} }));
      expect(message).to.include(`ClusterConnectionError: kubeconfig ${path}, context a: ${expected}`);
      expect(message).not.to.include('\n');
    });
  }

  it('merges the files of KUBECONFIG', async () => {
    const first = await put('one', kubeconfig({ a: {} }));
    const second = await put('two', kubeconfig({ b: {} }));
    const env = { KUBECONFIG: [first, second].join(delimiter) };
    expect((await loadClusterConnection({ env })).serverUrl).to.equal('https://a:6443');
    expect((await loadClusterConnection({ env, context: 'b' })).serverUrl).to.equal('https://b:6443');
  });

  it('uses the service account in a pod, and reads its token again', async () => {
    await put('ca.crt', authority);
    await put('token', 'first');
    const clock = new VirtualClock(0);
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    const connection = await loadClusterConnection({ env, serviceAccountDir: folder, clock });
    expect(connection).to.include({
      serverUrl: 'https://[fd00::1]:6443',
      caPem: authority,
      skipTlsVerify: false,
    });
    await put('token', 'second');
    await clock.advanceBy(59_999);
    expect(await connection.bearerToken?.()).to.equal('first');
    await clock.advanceBy(1);
    expect(await connection.bearerToken?.()).to.equal('second');
  });

  it('reads a token again after the clock was set back, too', async () => {
    await put('ca.crt', authority);
    await put('token', 'first');
    let nowMs = Date.UTC(2026, 10, 30);
    const clock = Object.assign(new VirtualClock(0), { nowMs: () => nowMs });
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    const { bearerToken } = await loadClusterConnection({ env, serviceAccountDir: folder, clock });
    await put('token', 'second');
    nowMs -= 3_600_000;
    expect(await bearerToken?.()).to.equal('second');
  });

  it('falls back to the kubeconfig of the home folder', async () => {
    await mkdir(join(folder, '.kube'));
    await put(join('.kube', 'config'), kubeconfig({ home: {} }));
    expect((await loadClusterConnection({ env: { HOME: folder } })).serverUrl).to.equal('https://home:6443');
  });

  it('names path and remedy when there is no cluster to be found', async () => {
    const nothing = await messageOf(loadClusterConnection({ env: { HOME: folder } }));
    expect(nothing)
      .to.include('ClusterConnectionError: no cluster')
      .and.include('give --kubeconfig or KUBECONFIG');
    const missing = join(folder, 'nowhere');
    const named = await messageOf(loadClusterConnection({ kubeconfigPath: missing, env: {} }));
    expect(named)
      .to.include(`kubeconfig ${missing} can't be read`)
      .and.include('ENOENT')
      .and.include('--kubeconfig');
    const env = { KUBERNETES_SERVICE_HOST: 'x' };
    const pod = await messageOf(loadClusterConnection({ env, serviceAccountDir: folder }));
    expect(pod).to.include(join(folder, 'ca.crt')).and.include('automountServiceAccountToken: true');
  });

  const PROXY = 'http://proxy.example:3128';
  const routes: [sentence: string, cluster: object, env: Record<string, string>, expected: object][] = [
    [
      'goes through the proxy of the environment',
      {},
      { HTTPS_PROXY: PROXY },
      { proxyUrl: PROXY, proxySetting: 'HTTPS_PROXY' },
    ],
    ['goes past it where NO_PROXY says so', {}, { https_proxy: PROXY, no_proxy: '.example,a' }, {}],
    [
      'never goes through it to this machine',
      { server: 'https://127.0.0.1:6443' },
      { HTTPS_PROXY: PROXY },
      {},
    ],
    ['goes by the scheme of the server', { server: 'http://api.example' }, { HTTPS_PROXY: PROXY }, {}],
    [
      'prefers the proxy-url of its cluster, also where NO_PROXY excludes it',
      { 'proxy-url': 'http://own:1' },
      { HTTPS_PROXY: PROXY, NO_PROXY: '*' },
      { proxyUrl: 'http://own:1' },
    ],
  ];
  for (const [sentence, cluster, env, expected] of routes) {
    it(`a kubeconfig ${sentence} (C57)`, async () => {
      const kubeconfigPath = await put('config', kubeconfig({ a: { cluster } }));
      const { proxyUrl, proxySetting } = await loadClusterConnection({ kubeconfigPath, env });
      expect(JSON.parse(JSON.stringify({ proxyUrl, proxySetting }))).to.deep.equal(expected);
    });
  }

  it('a pod reaches its own API server directly, whatever the environment says (C57)', async () => {
    await put('ca.crt', authority);
    await put('token', 'first');
    const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', HTTPS_PROXY: PROXY };
    const connection = await loadClusterConnection({ env, serviceAccountDir: folder });
    expect(connection).not.to.have.property('proxyUrl');
  });

  it('refuses a proxy of the environment that is no URL, without telling its password', async () => {
    const kubeconfigPath = await put('config', kubeconfig({ a: {} }));
    const env = { HTTPS_PROXY: 'http://me:S%zz@proxy:1' };
    const message = await messageOf(loadClusterConnection({ kubeconfigPath, env }));
    expect(message).to.include('environment: HTTPS_PROXY "http://***@proxy:1" is not an http or https URL');
  });

  const wrong: [sentence: string, text: string, context: string | undefined, expected: string][] = [
    ['a context it does not have', kubeconfig({ a: {}, b: {} }), 'c', 'has no context "c"; it has a, b'],
    ['no current context', kubeconfig({ a: {} }, ''), undefined, 'has no current-context; it has a'],
    [
      'text that is no YAML, in one line that shows none of it',
      'users: [{token: secret',
      undefined,
      'at line 1, column 23; correct it',
    ],
    [
      'a server that is no URL',
      kubeconfig({ a: { cluster: { server: 'api' } } }),
      undefined,
      'server "api" is not',
    ],
    [
      'a proxy that no request can go through',
      kubeconfig({ a: { cluster: { server: 'https://api', 'proxy-url': 'http://u:S%zz@proxy:1' } } }),
      undefined,
      'proxy-url "http://***@proxy:1" is not',
    ],
    [
      'a certificate that is not there',
      kubeconfig({ a: { cluster: { 'certificate-authority': 'nowhere.crt' } } }),
      undefined,
      'nowhere.crt',
    ],
    [
      'an auth-provider',
      kubeconfig({ a: { user: { 'auth-provider': { name: 'gcp', config: {} } } } }),
      undefined,
      'auth-provider gcp is no longer supported by Kubernetes clients; use its exec plugin',
    ],
    [
      'a user name and password',
      kubeconfig({ a: { user: { username: 'me', password: 'secret' } } }),
      undefined,
      'no longer accepted by API servers; use a token',
    ],
  ];
  for (const [sentence, text, context, expected] of wrong) {
    it(`refuses a kubeconfig with ${sentence}`, async () => {
      const path = await put('config', text);
      const message = await messageOf(loadClusterConnection({ kubeconfigPath: path, context, env: {} }));
      expect(message).to.include('ClusterConnectionError').and.include(path).and.include(expected);
      expect(message).not.to.match(/secret|\n/);
    });
  }
});
