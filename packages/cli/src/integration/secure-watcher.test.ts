import { get } from 'node:https';
import type { PodSpec } from '@catamaran/model';
import { expect } from 'chai';
import selfsigned from 'selfsigned';
import { eventually } from './eventually.js';
import { LiveCluster } from './live-cluster.js';
import { builtMain, ObservedProcess } from './observed-process.js';

interface Pair {
  readonly cert: string;
  readonly private: string;
}

function pairOf(name: string): Promise<Pair> {
  return selfsigned.generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
}

/** Profiles by what they show, and whom they trust. */
const PROFILES = [
  ['friend', 'token', 'ca.crt'],
  ['stranger', 'other-token', 'ca.crt'],
  ['misled', 'token', 'other-ca.crt'],
] as const;

describe('load-watcher and scheduler, as processes that speak TLS with a token', function () {
  this.timeout(120_000);
  let live: LiveCluster;
  let first: Pair;
  let second: Pair;
  let watcher: ObservedProcess;
  let scheduler: ObservedProcess;
  let port: number;

  before(async () => {
    [first, second] = await Promise.all([pairOf('first'), pairOf('second')]);
    live = await LiveCluster.start([
      { name: 'busy', cpuPercent: 85, memoryPercent: 20 },
      { name: 'calm', cpuPercent: 10, memoryPercent: 20 },
    ]);
    await write({
      'tls.crt': first.cert,
      'tls.key': first.private,
      'ca.crt': first.cert,
      'other-ca.crt': second.cert,
      'watcher-token': 'sesame',
      token: 'sesame\n',
      'other-token': 'simsim\n',
    });
    const kubeconfig = await live.kubeconfig();
    watcher = ObservedProcess.node([
      builtMain('load-watcher'),
      '--port=0',
      '--bind-address=127.0.0.1',
      `--kubeconfig=${kubeconfig}`,
      '--refresh-interval=1s',
      `--tls-cert-file=${path('tls.crt')}`,
      `--tls-private-key-file=${path('tls.key')}`,
      `--watcher-token-file=${path('watcher-token')}`,
    ]);
    port = Number((await watcher.waitFor(/"server":"load-watcher".*"port":(\d+)/))[1]);
    await eventually('the load-watcher being ready', 20_000, async () =>
      (await statusOf('/readyz', first)) === 200 ? true : undefined,
    );
    scheduler = ObservedProcess.node([
      builtMain('scheduler'),
      `--config=${await live.file('config.yaml', schedulerConfig())}`,
      `--kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      '--secure-port=0',
    ]);
    await scheduler.waitFor(/"msg":"scheduling"/);
  });
  after(async () => {
    await Promise.all([watcher?.kill(), scheduler?.kill()]);
    await live?.close();
  });

  const path = (name: string): string => `${live.folder}/${name}`;

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) await live.file(name, text);
  }

  function statusOf(target: string, { cert }: Pair, token?: string): Promise<number | undefined> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return new Promise((resolve, reject) => {
      get({ host: 'localhost', port, path: target, ca: cert, headers, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      }).on('error', reject);
    });
  }

  function schedulerConfig(): string {
    const profiles = PROFILES.map(
      ([name, token, ca]) => `
  - schedulerName: ${name}
    plugins:
      score:
        disabled: [{name: '*'}]
        enabled: [{name: TargetLoadPacking}]
    pluginConfig:
      - name: TargetLoadPacking
        args:
          watcherAddress: https://localhost:${port}
          watcherTokenFile: ${path(token)}
          watcherCaFile: ${path(ca)}`,
    );
    return `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
profiles:${profiles.join('')}
`;
  }

  async function nodesOf(schedulerName: string, names: readonly string[]): Promise<readonly string[]> {
    for (const name of names) {
      live.cluster.createPod({ metadata: { name, namespace: 'default' }, spec: podSpec(schedulerName) });
    }
    return eventually(`binding the pods of ${schedulerName}`, 20_000, async () => {
      const placed = names.map((name) => live.cluster.objects.get('pods', name, 'default').spec.nodeName);
      const bound = placed.filter((node) => node !== undefined);
      return bound.length === names.length ? bound : undefined;
    });
  }

  const logged = (message: string): readonly string[] =>
    scheduler.stdout
      .concat(scheduler.stderr)
      .split('\n')
      .filter((line) => line.includes(message));

  it('the document wants the token, and probes want nothing', async () => {
    expect(await statusOf('/watcher', first)).to.equal(401);
    expect(await statusOf('/watcher', first, 'sesam')).to.equal(401);
    expect(await statusOf('/watcher', first, 'sesame')).to.equal(200);
    for (const open of ['/livez', '/readyz', '/watcher/health', '/metrics']) {
      expect(await statusOf(open, first)).to.equal(200);
    }
  });

  it('the profile with token and authority places by real load', async () => {
    expect(await nodesOf('friend', ['a', 'b', 'c'])).to.deep.equal(['calm', 'calm', 'calm']);
  });

  it('another token and another authority are one readable line each', async () => {
    const lines = await eventually('both lines', 20_000, async () => {
      const found = logged('load figures could not be fetched');
      return found.length < 2
        ? undefined
        : found.map((line) => (JSON.parse(line) as { reason: string }).reason);
    });
    const url = `https://localhost:${port}/watcher`;
    expect(lines).to.have.members([
      `${url}: HTTP 401: it refuses the token of watcherTokenFile, ${path('other-token')}: its own --watcher-token-file must hold the same`,
      `${url}: its certificate is not signed by an authority in watcherCaFile, ${path('other-ca.crt')} (DEPTH_ZERO_SELF_SIGNED_CERT): give the one that signed the load-watcher's --tls-cert-file`,
    ]);
  });

  it('a new certificate and a new token count while both run', async () => {
    await write({
      'tls.crt': second.cert,
      'tls.key': second.private,
      'watcher-token': 'simsim',
      'ca.crt': second.cert,
      token: 'simsim',
    });
    await watcher.waitFor(/"msg":"certificate read again"/);
    await eventually('the new token', 20_000, async () =>
      (await statusOf('/watcher', second, 'simsim')) === 200 ? true : undefined,
    );
    expect(await statusOf('/watcher', second, 'sesame')).to.equal(401);
    await eventually('all profiles reading again', 100_000, async () => {
      const failures = logged('load figures could not be fetched').length;
      const ends = logged('load figures are fetched again').length;
      return ends >= 2 && ends === failures ? true : undefined;
    });
    for (const name of ['stranger', 'misled']) {
      expect(await nodesOf(name, [`${name}-a`, `${name}-b`])).to.deep.equal(['calm', 'calm']);
    }
  });

  it('no log shows a token', () => {
    const all = [watcher, scheduler].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(all).to.not.contain('sesame').and.not.contain('simsim');
  });

  for (const [sentence, args, message] of [
    [
      'a token file that is not there',
      ['--watcher-token-file=/nonexistent/token'],
      "load-watcher: --watcher-token-file: /nonexistent/token can't be read (ENOENT): check path and mount\n",
    ],
    [
      'a certificate that is not there',
      ['--tls-cert-file=/nonexistent/tls.crt', '--tls-private-key-file=/nonexistent/tls.key'],
      "load-watcher: /nonexistent/tls.crt can't be read: ENOENT: no such file or directory, open '/nonexistent/tls.crt'\n",
    ],
  ] as const) {
    it(`the load-watcher ends at once, with one line, for ${sentence}`, async () => {
      const program = ObservedProcess.node([
        builtMain('load-watcher'),
        '--port=0',
        `--kubeconfig=${path('kubeconfig')}`,
        ...args,
      ]);
      expect((await program.exited).code).to.equal(1);
      expect(
        program.stderr
          .split('\n')
          .filter((line) => !line.startsWith('{'))
          .join('\n'),
      ).to.equal(message);
    });
  }
});

function podSpec(schedulerName: string): PodSpec {
  const resources = { requests: { cpu: '100m', memory: '64Mi' } };
  return { schedulerName, containers: [{ name: 'main', image: 'registry.example/app:1', resources }] };
}
