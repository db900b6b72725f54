import { writeFile } from 'node:fs/promises';
import type { Pod } from '@catamaran/model';
import { type PodShape, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { certificateAuthority, certificateFrom } from '../control-plane/certificates.js';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { METRICS_PATH, metricsAvailable } from '../control-plane/metrics-server.js';
import { revocableToken, SCHEDULER_ACCOUNT, userNameOf } from '../control-plane/service-account.js';
import { boundTwice, readAuditLog } from '../evidence/audit-log.js';
import { allBound, eventsAbout, nodesOf, podsOf } from '../evidence/cluster-objects.js';
import { placementProblems } from '../evidence/placement-check.js';
import { type Fault, FaultProxy } from '../faults/fault-proxy.js';
import { nodeName, plannedNode, plannedPods } from '../nodes/cluster-plan.js';
import type { Program } from '../process/program.js';
import { pause, until } from '../process/until.js';
import type { LoadWatcherProcess } from '../services/load-watcher-process.js';
import { SCHEDULER_NAME, type SchedulerProcess, startScheduler } from '../services/scheduler-process.js';
import { tell } from './tell.js';
import { TestCluster } from './test-cluster.js';

const NODES = 20;
/** After which the scheduler gives up a call. */
const CALL_DEADLINE_MS = 30_000;
/** In which waits grow to many seconds. */
const OUTAGE_MS = 15_000;
/** Of a client certificate: long enough to start with, even on a slow machine. */
const SHORT_LIFE_MS = 25_000;
const isBinding = (method: string, path: string): boolean => method === 'POST' && path.endsWith('/binding');

/** Each test harms a running cluster in another way, in a namespace of its own; nothing may be lost or bound twice. */
describe('faults on a real control plane', function () {
  this.timeout(300_000);
  let cluster: TestCluster;
  let metricsServer: Program;
  let watcher: LoadWatcherProcess;
  let proxy: FaultProxy;
  let scheduler: SchedulerProcess & { readonly tokenFile: string };
  let namespace = '';
  let count = 0;

  before(async () => {
    cluster = await TestCluster.start(NODES);
    const { plane } = cluster;
    metricsServer = await cluster.startMetricsServer();
    watcher = await cluster.startLoadWatcher();
    proxy = await FaultProxy.start(plane.url, plane.credentials.ca);
    plane.teardown.add(() => proxy.close());
    scheduler = await cluster.startScheduler(watcher, proxy.url);
  });
  after(() => cluster?.stop());

  beforeEach(async () => {
    count += 1;
    namespace = `fault-${count}`;
    await createNamespace(cluster.plane.admin, namespace);
  });
  afterEach(async () => {
    const { admin, auditLog } = cluster.plane;
    proxy.calm();
    proxy.up();
    cluster.kubelets.clockAheadMs = 0;
    // A test that fails half-way must not fail the next.
    if (!metricsServer.isRunning) metricsServer.start();
    expect(scheduler.program.isRunning, scheduler.program.log.slice(-2000)).to.equal(true);
    expect(boundTwice(await readAuditLog(auditLog))).to.deep.equal([]);
    const live = await podsOf(admin);
    const placed = live.filter(({ spec }) => spec.nodeName !== undefined);
    expect(placementProblems(await nodesOf(admin), placed)).to.deep.equal([]);
    await Promise.all(live.map((pod) => remove(pod)));
  });

  const remove = ({ metadata }: Pod): Promise<unknown> =>
    cluster.plane.admin
      .delete(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`, { gracePeriodSeconds: 0 })
      .catch(() => undefined);
  const create = async (name: string, shape: PodShape = {}): Promise<Pod> => {
    const pod = podOf(name, { schedulerName: SCHEDULER_NAME, namespace, ...shape });
    return await cluster.plane.admin.create<Pod>(`/api/v1/namespaces/${namespace}/pods`, pod);
  };
  const createMany = (amount: number, prefix = 'pod'): Promise<void> =>
    cluster.createPods(
      plannedPods({ count: amount, seed: count, namespace, schedulerName: SCHEDULER_NAME, prefix }),
    );
  const bound = (timeoutMs?: number) => allBound(cluster.plane.admin, namespace, timeoutMs);

  it('etcd stands still for ten seconds', async () => {
    cluster.plane.etcd.freeze();
    const creating = createMany(50);
    await pause(10_000);
    cluster.plane.etcd.thaw();
    const thawedMs = performance.now();
    await creating;
    expect(await bound()).to.have.length(50);
    tell('all bound after etcd went on', thawedMs);
  });

  it('the connection is cut, and pods and a node are deleted meanwhile', async () => {
    const fillers = Array.from({ length: 16 }, (_, index) =>
      create(`filler-${index}`, { requests: { cpu: '15' } }),
    );
    await Promise.all(fillers);
    const full = await bound();
    proxy.down();
    await Promise.all(full.map(remove));
    const gone = full[0]?.spec.nodeName ?? '';
    await cluster.plane.admin.delete(`/api/v1/nodes/${gone}`);
    await pause(2000);
    proxy.up();
    const upMs = performance.now();
    // Each collection is watched for itself: a pod that comes before the news of the node could still go there.
    await until({ what: 'the scheduler to know', timeoutMs: 60_000 }, async () =>
      (await scheduler.get('/metrics')).text.includes(`scheduler_cache_size{type="nodes"} ${NODES - 1}\n`),
    );
    tell('known that the node is gone after the connection was back', upMs);
    await Promise.all(Array.from({ length: 15 }, (_, i) => create(`next-${i}`, { requests: { cpu: '15' } })));
    const next = await bound();
    expect(next.map(({ spec }) => spec.nodeName)).not.to.include(gone);
    const place = cluster.kubelets.nodes.find(({ metadata }) => metadata.name === gone);
    await cluster.plane.admin.create('/api/v1/nodes', place ?? {});
  });

  it('history is compacted while the API server restarts: 410 on the watch', async () => {
    await create('before');
    await bound();
    proxy.down();
    await createMany(20);
    await cluster.plane.compact();
    proxy.up();
    const upMs = performance.now();
    expect(await bound()).to.have.length(21);
    tell('all bound after a list anew', upMs);
  });

  it('another scheduler binds the pod first: 409', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    proxy.rule = (method, path) => {
      if (!isBinding(method, path)) return 'pass';
      isHeld = true;
      return { holdUntil: held };
    };
    const pod = await create('contested', { requests: { cpu: '1' } });
    await until({ what: 'our binding', timeoutMs: 60_000 }, async () => isHeld);
    await bindElsewhere(pod, nodeName(1));
    proxy.calm();
    release();
    const [placed] = await bound();
    expect(placed?.spec.nodeName).to.equal(nodeName(1));
    await create('after');
    expect(await bound()).to.have.length(2);
  });

  const bindElsewhere = (pod: Pod, name: string): Promise<unknown> =>
    cluster.plane.admin.create(`/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: pod.metadata.name },
      target: { kind: 'Node', name },
    });

  it('answers to bindings are lost, though they have landed', async () => {
    let lost = 0;
    proxy.rule = (method, path) => {
      if (!isBinding(method, path) || lost >= 10) return 'pass';
      lost += 1;
      return 'lose-answer';
    };
    await createMany(30);
    expect(await bound()).to.have.length(30);
    expect(lost).to.equal(10);
  });

  it('a binding is answered after the scheduler has given up waiting', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = 0;
    proxy.rule = (method, path) => {
      if (!isBinding(method, path)) return 'pass';
      asked += 1;
      return asked === 1 ? { holdAnswerUntil: held } : 'pass';
    };
    await create('answered-late');
    const createdMs = performance.now();
    await until({ what: 'the event', timeoutMs: 120_000, everyMs: 200 }, async () =>
      (await eventsAbout(cluster.plane.admin, namespace, 'answered-late')).find(
        ({ reason }) => reason === 'Scheduled',
      ),
    );
    tell('known to be bound, by the watch, after it was created', createdMs);
    await pause(CALL_DEADLINE_MS + 2000);
    release();
    await create('after');
    expect(await bound()).to.have.length(2);
    expect(asked).to.equal(2);
  });

  it('bindings never reach the server at first', async () => {
    let broken = 0;
    proxy.rule = (method, path) => {
      if (!isBinding(method, path) || broken >= 10) return 'pass';
      broken += 1;
      return 'reset';
    };
    await createMany(30);
    expect(await bound()).to.have.length(30);
    expect(broken).to.equal(10);
  });

  it('429 with Retry-After is heeded', async () => {
    const askedMs: number[] = [];
    proxy.rule = (method, path) => {
      if (!isBinding(method, path)) return 'pass';
      askedMs.push(performance.now());
      return askedMs.length > 1 ? 'pass' : { answer: 429, headers: { 'Retry-After': '2' } };
    };
    await create('throttled');
    await bound();
    expect(askedMs).to.have.length(2);
    // Never sooner; how much later is the machine's affair.
    expect((askedMs[1] ?? 0) - (askedMs[0] ?? 0)).to.be.at.least(1990);
  });

  it('every call takes two seconds longer', async () => {
    proxy.rule = (_method, path) => (path.includes('watch=') ? 'pass' : { delayMs: 2000 });
    const startedMs = performance.now();
    await createMany(50);
    expect(await bound()).to.have.length(50);
    tell('50 pods bound', startedMs);
  });

  it('a pod is deleted while it is being bound, and its room is free again', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    proxy.rule = (method, path) => {
      if (!isBinding(method, path)) return 'pass';
      isHeld = true;
      return { holdUntil: held };
    };
    const onOne = { nodeSelector: { 'kubernetes.io/hostname': nodeName(0) } };
    const doomed = await create('doomed', { requests: { cpu: '31' }, spec: onOne });
    await until({ what: 'our binding', timeoutMs: 60_000 }, async () => isHeld);
    await remove(doomed);
    proxy.calm();
    release();
    await create('heir', { requests: { cpu: '31' }, spec: onOne });
    const [heir] = await bound();
    expect(heir?.metadata.name).to.equal('heir');
  });

  it('a node is deleted and its name comes back with less room', async () => {
    const name = nodeName(3);
    const { admin } = cluster.plane;
    const place = cluster.kubelets.nodes[3];
    await admin.delete(`/api/v1/nodes/${name}`);
    const small = plannedNode(3, { ip: '127.0.1.4', kubeletPort: 1 });
    const amounts = { cpu: '1', memory: '2Gi', pods: '110' };
    await admin.create('/api/v1/nodes', {
      ...small,
      status: { ...small.status, capacity: amounts, allocatable: amounts },
    });
    const onIt = { nodeSelector: { 'kubernetes.io/hostname': name } };
    await create('fits', { requests: { cpu: '800m' }, spec: onIt });
    await create('too-big', { requests: { cpu: '2' }, spec: onIt });
    await until({ what: 'one bound, one refused', timeoutMs: 60_000 }, async () => {
      const pods = await podsOf(admin, namespace);
      const fits = pods.find(({ metadata }) => metadata.name === 'fits');
      const big = pods.find(({ metadata }) => metadata.name === 'too-big');
      const refusal = big?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
      return fits?.spec.nodeName === name && /1 Insufficient cpu/.test(refusal?.message ?? '');
    });
    await admin.delete(`/api/v1/nodes/${name}`);
    await admin.create('/api/v1/nodes', place ?? {});
    const pods = await podsOf(admin, namespace);
    await Promise.all(pods.filter(({ metadata }) => metadata.name === 'fits').map(remove));
    expect((await bound())[0]?.spec.nodeName).to.equal(name);
  });

  it('the token is rotated and the old one revoked', async () => {
    const { plane } = cluster;
    const old = await revocableToken(plane, SCHEDULER_ACCOUNT, `old-${count}`);
    const fresh = await revocableToken(plane, SCHEDULER_ACCOUNT, `fresh-${count}`);
    await writeFile(scheduler.tokenFile, old.token);
    await scheduler.program.stop();
    scheduler.program.start();
    await scheduler.program.ready('ready', async () => (await scheduler.get('/readyz')).httpStatus === 200);
    await create('with-the-old');
    await bound();
    await writeFile(scheduler.tokenFile, fresh.token);
    await old.revoke();
    await create('with-the-new');
    const startedMs = performance.now();
    expect(await bound()).to.have.length(2);
    tell('bound after the old token was revoked', startedMs);
  });

  it('the certificate of the API server comes from another authority, and the file follows later', async () => {
    const { plane } = cluster;
    await create('before');
    await bound();
    const authority = await certificateAuthority('catamaran-e2e-next-ca');
    const from = scheduler.program.log.length;
    proxy.present(await certificateFrom(authority, { commonName: 'next' }));
    await create('meanwhile');
    // The reason, though the cut before it was told already; nothing gets through meanwhile.
    await until({ what: 'the reason in the log', timeoutMs: 60_000 }, async () =>
      scheduler.program.log.slice(from).includes('from an authority that is not trusted'),
    );
    await pause(2000);
    expect(
      (await podsOf(plane.admin, namespace)).filter(({ spec }) => spec.nodeName !== undefined),
    ).to.have.length(1);
    await writeFile(plane.authorityFile(SCHEDULER_ACCOUNT.name), authority.certPem);
    const writtenMs = performance.now();
    expect(await bound()).to.have.length(2);
    tell('bound after the file had the new authority', writtenMs);
  });

  it('the client certificate is replaced before it expires', async () => {
    const { plane } = cluster;
    const files = {
      certificate: plane.file('scheduler-client.crt'),
      key: plane.file('scheduler-client.key'),
    };
    const subject = { commonName: userNameOf(SCHEDULER_ACCOUNT) };
    const issue = async (validMs: number): Promise<void> => {
      const pair = await certificateFrom(plane.credentials.ca, { ...subject, validMs });
      await writeFile(files.certificate, pair.certPem);
      await writeFile(files.key, pair.keyPem, { mode: 0o600 });
    };
    await issue(SHORT_LIFE_MS);
    const expiresMs = Date.now() + SHORT_LIFE_MS;
    const user = { 'client-certificate': files.certificate, 'client-key': files.key };
    const kubeconfig = await plane.kubeconfig('scheduler-client', user);
    const byCertificate = await startScheduler(plane, {
      kubeconfig,
      name: 'by-certificate',
      schedulerName: 'by-certificate',
      packingArgs: [`watcherAddress: ${watcher.url}`],
    });
    const inTurn = (name: string): Promise<Pod> => create(name, { schedulerName: 'by-certificate' });
    await inTurn('with-the-first');
    await bound();
    await issue(3_600_000);
    await pause(Math.max(0, expiresMs + 1500 - Date.now()));
    await inTurn('with-the-next');
    const createdMs = performance.now();
    expect(await bound()).to.have.length(2);
    tell('bound after the first certificate had expired', createdMs);
    expect((await byCertificate.program.stop()).code).to.equal(0);
  });

  it('metrics-server goes away and comes back', async () => {
    const { plane } = cluster;
    const before = await watcher.document();
    await metricsServer.stop();
    await until({ what: 'the aggregated API refusing', timeoutMs: 60_000 }, async () =>
      plane.admin.text(METRICS_PATH).then(
        () => false,
        () => true,
      ),
    );
    await pause(6000);
    expect((await watcher.document()).nodes.size).to.equal(before.nodes.size);
    await createMany(20);
    expect(await bound()).to.have.length(20);
    metricsServer.start();
    const backMs = performance.now();
    await metricsAvailable(plane, NODES);
    const { timestampUnixSeconds } = await watcher.document();
    await until({ what: 'newer figures', timeoutMs: 60_000, everyMs: 500 }, async () => {
      const present = await watcher.document();
      return present.timestampUnixSeconds > timestampUnixSeconds;
    });
    tell('fresh figures after metrics-server was started', backMs);
  });

  it('the clocks of the nodes are ten minutes off, behind and ahead', async () => {
    const { kubelets, plane } = cluster;
    for (const [minutes, reason] of [
      // Also older than the nodes, which are young here.
      [-10, /stale-sample|older-than-node/],
      [10, /future-sample/],
      [0, undefined],
    ] as const) {
      // metrics-server computes nothing from two samples of which the later is the older one: it begins anew.
      await metricsServer.stop();
      kubelets.clockAheadMs = minutes * 60_000;
      const before = await watcher.document();
      metricsServer.start();
      await metricsAvailable(plane, NODES);
      const availableMs = performance.now();
      if (reason === undefined) {
        await until({ what: 'newer figures', timeoutMs: 60_000, everyMs: 500 }, async () => {
          return (await watcher.document()).timestampUnixSeconds > before.timestampUnixSeconds;
        });
        tell('fresh figures after the clocks were set', availableMs);
      } else {
        await until({ what: `the reason ${String(reason)}`, timeoutMs: 60_000, everyMs: 500 }, async () => {
          const said = await watcher.debugNodes();
          if (reason.test(said)) return true;
          throw new Error(said.slice(0, 2000));
        });
        // The last good figures stay: nothing is made of samples that tell of another time.
        expect((await watcher.document()).nodes).to.deep.equal(before.nodes);
      }
      await createMany(10, `clock-${minutes + 10}`);
      expect(await bound()).not.to.have.length(0);
    }
  });

  it('every read is reset, fails, is refused or is cut off, in turn: it asks ever less often, then goes on', async () => {
    const answers: readonly Fault[] = [
      'reset',
      { answer: 500 },
      { answer: 403 },
      { answer: 200, body: '{"type":"ADDED","object":{"metad' },
    ];
    let asked = 0;
    proxy.rule = (method, path) => {
      if (method !== 'GET' || !/^\/api\/v1\/\w+\?/.test(path)) return 'pass';
      asked += 1;
      return answers[asked % answers.length] ?? 'reset';
    };
    proxy.cut();
    const cutMs = performance.now();
    await createMany(20);
    await pause(OUTAGE_MS);
    await until({ what: 'each answer twice', timeoutMs: 120_000 }, async () => asked >= 2 * answers.length);
    const outageSeconds = (performance.now() - cutMs) / 1000;
    process.stderr.write(`      ${asked} reads in ${outageSeconds.toFixed(0)} s of outage\n`);
    expect(asked, 'in vain').to.be.below(outageSeconds * 10);
    proxy.calm();
    const calmMs = performance.now();
    expect(await bound()).to.have.length(20);
    tell('all bound after the API answered again', calmMs);
    const watched = await until({ what: 'every watch', timeoutMs: 60_000 }, async () => {
      const watches = proxy.underWay.filter((request) => request.includes('watch='));
      return watches.length >= 3 && watches.map((request) => request.replace(/\?.*/, ''));
    });
    expect(watched, 'one stream each').to.have.length(new Set(watched).size);
  });

  it('SIGTERM in the middle of 300 pods; the next process binds the rest', async () => {
    await createMany(300);
    await until({ what: 'a binding', timeoutMs: 60_000, everyMs: 5 }, async () =>
      (await podsOf(cluster.plane.admin, namespace)).some(({ spec }) => spec.nodeName !== undefined),
    );
    const { code, tookMs } = await scheduler.program.stop();
    expect(code, scheduler.program.log.slice(-2000)).to.equal(0);
    process.stderr.write(`      gone ${(tookMs / 1000).toFixed(1)} s after SIGTERM\n`);
    scheduler.program.start();
    const pods = await podsOf(cluster.plane.admin, namespace);
    await until({ what: 'all that fit bound', timeoutMs: 60_000, everyMs: 500 }, async () => {
      const present = await podsOf(cluster.plane.admin, namespace);
      return present.every(
        ({ spec, status }) =>
          spec.nodeName !== undefined || status?.conditions?.some(({ reason }) => reason === 'Unschedulable'),
      );
    });
    expect(pods).to.have.length(300);
  });
});
