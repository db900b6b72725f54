import { readFileSync } from 'node:fs';
import { onFirstListener } from '@catamaran/testkit';
import { expect } from 'chai';
import { eventually } from './eventually.js';
import { LiveCluster } from './live-cluster.js';
import { builtMain, ObservedProcess } from './observed-process.js';
import { freePort } from './real-prometheus.js';

const PUBLISHED = new URL('../../../scheduler/src/config/testdata/trimaran-v1beta1.yaml', import.meta.url);
const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const NO_ELECTION = '--leader-elect=false';
/** No kubeconfig, no service account, no home. */
const NOWHERE = { KUBECONFIG: '', KUBERNETES_SERVICE_HOST: '', HOME: '/no/such/home' };

const profileWith = (args: string): string => `${HEAD}profiles:
- schedulerName: trimaran
  plugins: {score: {disabled: [{name: NodeResourceFit}], enabled: [{name: TargetLoadPacking}]}}
  pluginConfig: [{name: TargetLoadPacking, args: ${args}}]
`;

describe('the scheduler, as a process that starts', function () {
  this.timeout(60_000);
  let live: LiveCluster;
  let kubeconfig: string;
  const running: ObservedProcess[] = [];

  before(async () => {
    live = await LiveCluster.start([{ name: 'calm', cpuPercent: 10, memoryPercent: 20 }]);
    kubeconfig = await live.kubeconfig();
  });
  after(async () => {
    await Promise.all(running.map((each) => each.kill()));
    await live?.close();
  });

  function start(argv: readonly string[], env: Readonly<Record<string, string>> = {}): ObservedProcess {
    const child = ObservedProcess.node([builtMain('scheduler'), ...argv], env);
    running.push(child);
    return child;
  }

  async function bound(name: string): Promise<string> {
    live.cluster.createPod({
      metadata: { name, namespace: 'default' },
      spec: { schedulerName: 'trimaran', containers: [{ name: 'c', image: 'i', resources: {} }] },
    });
    return await eventually(`binding ${name}`, 20_000, async () => {
      return live.cluster.objects.get('pods', name, 'default').spec.nodeName;
    });
  }

  it('takes the published Trimaran deployment, with its command line and file of v1beta1, and binds', async () => {
    const config = await live.file('scheduler-config.yaml', readFileSync(PUBLISHED, 'utf8'));
    const port = await freePort();
    const scheduler = start([
      '--address=0.0.0.0',
      NO_ELECTION,
      '--scheduler-name=trimaran',
      `--config=${config}`,
      '-v=6',
      // The published one has none of these three: its ports are fixed, its cluster the one around it.
      `--port=${port}`,
      `--secure-port=${await freePort()}`,
      `--kubeconfig=${kubeconfig}`,
    ]);
    await scheduler.waitFor(/"msg":"scheduling"/);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).to.equal(200);
    expect(await bound('published')).to.equal('calm');
    expect(scheduler.stderr).to.include('v1beta1 is gone from kube-scheduler 1.23 on');
    expect((await scheduler.stop()).code).to.equal(0);
  });

  it('C46: leaves a pod without requests as it is, and shows no secret of the configuration', async () => {
    const args = `{metricProvider: {type: Prometheus, address: "http://user:hunter2@127.0.0.1:9", token: very-secret}}`;
    const config = await live.file('secret.yaml', profileWith(args));
    const port = await freePort();
    const scheduler = start([
      `--config=${config}`,
      NO_ELECTION,
      '-v=6',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--kubeconfig=${kubeconfig}`,
    ]);
    await scheduler.waitFor(/"msg":"scheduling"/);
    await bound('plain');
    const { containers } = live.cluster.objects.get('pods', 'plain', 'default').spec;
    expect(containers).to.deep.equal([{ name: 'c', image: 'i', resources: {} }]);
    await scheduler.stop();
    expect(scheduler.stderr).to.include('effective configuration').and.include('127.0.0.1:9');
    expect(scheduler.stderr).to.not.match(/hunter2|very-secret/);
  });

  it('writes the configuration that would run and ends, without a cluster', async () => {
    const config = await live.file('scheduler-config.yaml', readFileSync(PUBLISHED, 'utf8'));
    const written = await live.file('written.yaml', '');
    const scheduler = start([`--config=${config}`, NO_ELECTION, `--write-config-to=${written}`]);
    expect((await scheduler.exited).code).to.equal(0);
    expect(readFileSync(written, 'utf8')).to.match(
      /^apiVersion: kubescheduler\.config\.k8s\.io\/v1\n[\s\S]*targetUtilization: 40/,
    );
  });

  const REFUSED: readonly (readonly [
    sentence: string,
    argv: (file: (name: string, text: string) => Promise<string>) => Promise<readonly string[]>,
    code: number,
    message: RegExp,
  ])[] = [
    [
      'C40: without a cluster to read, whatever the provider',
      async (file) => [
        `--config=${await file('kms.yaml', profileWith('{metricProvider: {type: KubernetesMetricsServer}}'))}`,
      ],
      1,
      /^scheduler: no cluster: not in a pod .*; give --kubeconfig or KUBECONFIG\n$/m,
    ],
    [
      'with a key that is not the certificate’s',
      async (file) => {
        const testdata = new URL('../../../platform/src/http/testdata/', import.meta.url);
        const certificate = await file(
          'tls.crt',
          readFileSync(new URL('loopback-cert.pem', testdata), 'utf8'),
        );
        return [`--tls-cert-file=${certificate}`, `--tls-private-key-file=${await file('tls.key', 'none')}`];
      },
      1,
      /^scheduler: .*tls\.key holds no private key in PEM: .*\n$/m,
    ],
    [
      'with a certificate file that is not there',
      async (file) => [
        '--tls-cert-file=/no/such.crt',
        `--tls-private-key-file=${await file('tls.key', 'none')}`,
      ],
      1,
      /^scheduler: \/no\/such\.crt can't be read: ENOENT.*\n$/m,
    ],
    [
      'with a kubeconfig for reviews that is not there',
      async () => ['--authentication-kubeconfig=/no/such'],
      1,
      /^scheduler: --authentication-kubeconfig: \/no\/such can't be used: ENOENT.*\n$/m,
    ],
    [
      'with a configuration of 50 MB',
      async (file) => [`--config=${await file('big.yaml', 'a'.repeat(50 * 1024 * 1024))}`],
      1,
      /^scheduler: --config: .*big\.yaml can't be read: it is longer than 1048576 bytes\n$/m,
    ],
    [
      'with a directory for a configuration',
      async () => [`--config=${live.folder}`],
      1,
      /^scheduler: --config: .* can't be read: it is a directory, not a regular file\n$/m,
    ],
    [
      'with a flag that is none',
      async () => ['--lead-elect'],
      2,
      /^scheduler: --lead-elect: unknown flag; did/m,
    ],
  ];
  it('a SIGTERM that is heard before anything is loaded ends it with 0 and without a word', async () => {
    const preload = onFirstListener('process.emit(name)');
    const child = ObservedProcess.node(['--import', preload, builtMain('scheduler'), NO_ELECTION], NOWHERE);
    running.push(child);
    expect((await child.exited).code).to.equal(0);
    expect([child.stdout, child.stderr]).to.deep.equal(['', '']);
  });

  it('a SIGTERM while the program loads ends it with 0', async () => {
    // Heard at once or when all is loaded: the program could run, and ends well.
    const preload = onFirstListener('process.kill(process.pid, name)');
    const port = `--secure-port=${await freePort()}`;
    const argv = [builtMain('scheduler'), NO_ELECTION, '--bind-address=127.0.0.1', port];
    const child = ObservedProcess.node(['--import', preload, ...argv, `--kubeconfig=${kubeconfig}`]);
    running.push(child);
    expect((await child.exited).code, child.stderr).to.equal(0);
  });

  for (const [sentence, argv, code, message] of REFUSED) {
    it(`ends ${sentence}, in one message without a stack`, async () => {
      const words = await argv((name, text) => live.file(name, text));
      const cluster = sentence.startsWith('C40') ? [] : [`--kubeconfig=${kubeconfig}`];
      const child = start([...words, ...cluster, NO_ELECTION, `--secure-port=${await freePort()}`], NOWHERE);
      const exit = await child.exited;
      expect(exit.code).to.equal(code);
      expect(child.stdout).to.equal('');
      expect(child.stderr)
        .to.match(message)
        .and.not.match(/\n +at |\.[jt]s:\d/);
    });
  }
});
