import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import {
  InMemoryCluster,
  type KeyPair,
  MetricsRegistry,
  type RunningHttpServer,
  silentLogger,
  startHttpServer,
  VirtualClock,
} from '@catamaran/platform';
import { createSchedulerApp, loadSchedulerConfig, SchedulerService } from '@catamaran/scheduler';
import { documentWithCpu, InMemoryWatcherClient, nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { builtMain, ObservedProcess } from '../integration/observed-process.js';

const START_MS = Date.UTC(2026, 0, 1);
const WATCHER = 'http://watcher.example:2020';
const CONFIG = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {qps: -1}
profiles:
- schedulerName: packer
  plugins: {score: {disabled: [{name: "*"}], enabled: [{name: TargetLoadPacking, weight: 2}]}}
  pluginConfig:
  - {name: TargetLoadPacking, args: {watcherAddress: "${WATCHER}"}}
`;

/** A scheduler that places pods on a cluster in memory and answers over plain HTTP. */
class AskedScheduler {
  readonly clock = new VirtualClock(START_MS);
  readonly cluster = new InMemoryCluster({}, { clock: this.clock });
  readonly #service: SchedulerService;
  readonly #metrics = new MetricsRegistry();
  server: RunningHttpServer | undefined;

  constructor(cpuPercent: Readonly<Record<string, number>>) {
    const loaded = loadSchedulerConfig(CONFIG, 'test.yaml');
    if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
    const watcher = new InMemoryWatcherClient(() => this.clock.nowMs());
    watcher.document = documentWithCpu(cpuPercent, START_MS / 1000 - 60);
    this.#service = new SchedulerService(
      { config: loaded.config, instance: 'test' },
      {
        api: this.cluster,
        watcherClients: new Map([[WATCHER, watcher]]),
        clock: this.clock,
        log: silentLogger,
        metrics: this.#metrics,
      },
    );
  }

  async start(): Promise<void> {
    await this.#service.start();
    const listener = createSchedulerApp(
      { config: {} },
      { explainer: this.#service.explainer, metrics: this.#metrics, ready: [], log: silentLogger },
    );
    this.server = await startHttpServer(
      { host: '127.0.0.1', port: 0, listener, name: 'scheduler' },
      { log: silentLogger },
    );
  }

  async place(name: string, requests: Readonly<Record<string, string>>): Promise<void> {
    this.cluster.createPod(podOf(name, { schedulerName: 'packer', requests }));
    await this.#service.settled({ pods: this.cluster.latestVersion('pods') });
  }

  async close(): Promise<void> {
    await this.server?.close();
    await this.#service.close();
  }
}

describe('catamaran explain, as a process', function () {
  this.timeout(30_000);
  let scheduler: AskedScheduler;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'explain-'));
    scheduler = new AskedScheduler({ a: 30, b: 10, full: 38 });
    for (const name of ['a', 'b', 'unmeasured']) scheduler.cluster.createNode(nodeOf(name));
    for (const name of ['small-1', 'small-2', 'small-3']) {
      scheduler.cluster.createNode(nodeOf(name, { cpu: '100m' }));
    }
    scheduler.cluster.createNode(nodeOf('cordoned', { unschedulable: true }));
    await scheduler.start();
    await scheduler.place('p', { cpu: '200m' });
    await scheduler.place('q', { cpu: '200m' });
    await scheduler.place('huge', { cpu: '99' });
  });
  after(async () => {
    await scheduler.close();
    await rm(folder, { recursive: true });
  });

  const run = async (...argv: string[]) => {
    const child = ObservedProcess.node([builtMain('cli'), 'explain', ...argv]);
    const { code } = await child.exited;
    return { code, stdout: child.stdout, stderr: child.stderr };
  };
  const ask = (...argv: string[]) => run(...argv, `--scheduler=${scheduler.server?.url}`);
  const file = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };

  // 200m × 1.5 = 300m, 7.5 % of 4 cores. a: 30 + 7.5 of p + 7.5 = 45 % -> 37; b: 17.5 % -> 66; twice that by weight.
  it('prints node, runner-up, points, inputs and refusals', async () => {
    const { code, stdout, stderr } = await ask('default/q');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.equal(
      `default/q went to b
profile packer, 2026-01-01T00:00:00.000Z, load figures 1m old

Second best: a with 74 points. b is ahead by 58: TargetLoadPacking +58.

Points (score × weight)
                     TargetLoad
node          total     Packing
* b             132         132
  a              74          74
  unmeasured      0           0

TargetLoadPacking: target 40 %, sample age 1m, this pod 300m CPU by request,
nodes without figures zeroScore
                             not yet
node           measured     measured  predicted  branch
* b              10.0 %         none     17.5 %  towards-target
  a              30.0 %  1 pod, 300m     45.0 %  past-target
  unmeasured  no figure                 unknown  no-metrics

Refused: 4 nodes
  NodeResourcesFit: Insufficient cpu (3 nodes)
    small-1, small-2, small-3
  NodeUnschedulable: node(s) were unschedulable (1 node)
    cordoned
`,
    );
  });

  it('shortens long lists with a count', async () => {
    const { stdout } = await ask('default/q', '--nodes=1');
    expect(stdout).to.match(/^\* b +132 +132\n… and 2 more nodes \(--nodes 3 lists them\)$/m);
    expect(stdout).to.not.match(/^ {2}a /m);
    expect(stdout).to.contain('    small-1 and 2 more\n');
    expect(stdout).to.contain('Second best: a with 74 points.');
  });

  it('says why a pod was not placed', async () => {
    const { code, stdout } = await ask('default/huge');
    expect(code).to.equal(0);
    expect(stdout).to.match(
      /^default\/huge was not placed \(unschedulable\)\nprofile .*\n0\/7 nodes are available: 1 node\(s\) were unschedulable, 6 Insufficient cpu\.\n\nRefused: 7 nodes\n/,
    );
  });

  it('prints the answer itself as JSON', async () => {
    const { code, stdout } = await ask('default/q', '--output=json', '--nodes=1');
    const answer = await fetch(`${scheduler.server?.url}/debug/decisions?pod=default/q&nodes=1`);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal(((await answer.json()) as { items: unknown[] }).items[0]);
  });

  for (const [sentence, name, text] of [
    ['YAML', 'pod.yaml', 'metadata: {name: what-if}\nspec: {containers: [{name: c, image: i}]}\n'],
    [
      'JSON',
      'pod.json',
      '{"metadata": {"name": "what-if"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}',
    ],
  ] as const) {
    it(`says where a pod in ${sentence} would go, and binds nothing`, async () => {
      const { code, stdout } = await ask('--file', await file(name, text));
      expect(code).to.equal(0);
      expect(stdout).to.match(/^default\/what-if would go to b\n/);
      expect(scheduler.cluster.objects.find('pods', 'what-if', 'default')).to.equal(undefined);
    });
  }

  for (const [sentence, text, message] of [
    ['another kind of object', '{"kind": "Deployment"}', /refuses: .* kind is "Deployment"\n$/],
    ['broken YAML', 'metadata: {name: x', /bad\.yaml: .*at line 1/],
    [
      'several objects',
      'a: 1\n---\nb: 2\n',
      /bad\.yaml has more than one document: give a file with one pod\n/,
    ],
    ['nothing', '', /bad\.yaml is empty: expected a pod as JSON or YAML\n$/],
  ] as const) {
    it(`refuses a file with ${sentence} in one message`, async () => {
      const { code, stdout, stderr } = await ask('--file', await file('bad.yaml', text));
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(message);
      expect(stderr).to.match(/^catamaran: /);
    });
  }

  it('has one message with a remedy for a pod it does not know, and for a missing file', async () => {
    const unknown = await ask('default/none');
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.match(
      /^catamaran: default\/none: .* knows no decision about it\..*--file -\n$/,
    );
    const missing = await ask('--file=/no/such/pod.yaml');
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.match(/^catamaran: \/no\/such\/pod\.yaml can't be read: ENOENT/);
  });

  it('says what to do when nothing listens, or something else', async () => {
    const taken = await startHttpServer(
      {
        host: '127.0.0.1',
        port: 0,
        name: 'other',
        listener: (_request, response) => void response.end('hello'),
      },
      { log: silentLogger },
    );
    const other = await run('default/q', `--scheduler=${taken.url}`);
    expect(other.code).to.equal(1);
    expect(other.stderr).to.contain("answers 200 without a decision: is it the secure port of Catamaran's");
    const plain = await run('default/q', `--scheduler=${taken.url.replace('http:', 'https:')}`);
    expect(plain.stderr).to.contain(`does not speak TLS; try --scheduler=${taken.url}`);
    await taken.close();
    const nobody = await run('default/q', `--scheduler=${taken.url}`);
    expect(nobody.code).to.equal(1);
    expect(nobody.stderr).to.equal(
      `catamaran: the scheduler at ${taken.url}: nothing listens there; start it, use kubectl port-forward to its pod, or name another with --scheduler\n`,
    );
  });

  describe('a scheduler with a certificate of its own that asks who one is', () => {
    let guarded: RunningHttpServer;
    let certificate: string;
    let pair: KeyPair;
    let shown: (string | undefined)[];
    const ANSWERS: Readonly<Record<string, readonly [status: number, body: unknown]>> = {
      'Bearer nobody': [401, { error: 'Unauthorized' }],
      'Bearer visitor': [403, { error: 'forbidden: User "visitor" cannot get path "/debug/decisions"' }],
      'Bearer orphan': [500, { error: 'who may read this can not be found out' }],
    };

    before(async () => {
      const [cert, key] = ['cert', 'key'].map((part) =>
        readFileSync(
          new URL(`../../../platform/src/http/testdata/loopback-${part}.pem`, import.meta.url),
          'utf8',
        ),
      );
      pair = { certPem: cert ?? '', keyPem: key ?? '' };
      certificate = await file('ca.pem', pair.certPem);
      shown = [];
      guarded = await startHttpServer(
        {
          host: '127.0.0.1',
          port: 0,
          name: 'guarded',
          tls: pair,
          listener: (request, response) => {
            const { authorization } = request.headers;
            shown.push(authorization);
            const [status, body] = ANSWERS[authorization ?? ''] ?? [200, { items: [] }];
            response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
          },
        },
        { log: silentLogger },
      );
    });
    after(() => guarded.close());

    const askAs = async (token: string, ...argv: string[]) =>
      run(
        'default/p',
        `--scheduler=${guarded.url}`,
        `--token-file=${await file('token', `${token}\n`)}`,
        ...argv,
      );

    it('is shown the token, and verified where an authority is given', async () => {
      const { stderr } = await askAs('reader', `--certificate-authority=${certificate}`);
      expect(stderr).to.contain('knows no decision about it');
      expect(shown.at(-1)).to.equal('Bearer reader');
      const other = await file('other.pem', rootCertificates[0] ?? '');
      const refused = await askAs('reader', `--certificate-authority=${other}`);
      expect(refused.stderr).to.match(/certificate can't be verified \(.*\); give --certificate-authority/);
    });

    for (const [token, text] of [
      ['nobody', 'knows nobody with this token: give --token-file'],
      [
        'visitor',
        'does not let you: forbidden: User "visitor" cannot get path "/debug/decisions"; give --token-file',
      ],
      ['orphan', 'who may read this can not be found out; see its log'],
    ] as const) {
      it(`says what to do for ${token}`, async () => {
        const { code, stdout, stderr } = await askAs(token);
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr).to.contain(text);
      });
    }

    it('is not shown an empty token', async () => {
      expect((await askAs('')).stderr).to.match(/^catamaran: --token-file: .*token: it is empty\n$/);
    });
  });

  it('judges a pod of a file by the profile that is named', async () => {
    const path = await file('p.yaml', 'metadata: {name: w}\nspec: {schedulerName: x, containers: []}\n');
    expect((await ask('--file', path)).stderr).to.contain(
      'spec.schedulerName "x" is none of the profiles (packer)',
    );
    expect((await ask('--file', path, '--profile=packer')).stdout).to.match(/^default\/w would go to /);
  });

  it('tells wrong usage by exit code 2', async () => {
    const { code, stdout, stderr } = await run('web-0');
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.match(
      /^catamaran: web-0: expected NAMESPACE\/POD, such as default\/web-0, or pod\/web-0 with --namespace\n/,
    );
  });
});
