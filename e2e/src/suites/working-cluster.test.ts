import type { Pod } from '@catamaran/model';
import { podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { inParallel } from '../control-plane/admin-client.js';
import { createNamespace, startKubeScheduler } from '../control-plane/kube-scheduler.js';
import {
  accountKubeconfig,
  LOAD_WATCHER_ACCOUNT,
  SCHEDULER_ACCOUNT,
  userNameOf,
} from '../control-plane/service-account.js';
import { boundTwice, type PolicyRule, readAuditLog, rightOf, rightsOf } from '../evidence/audit-log.js';
import { allBound, eventsAbout, nodesOf, podsOf } from '../evidence/cluster-objects.js';
import { disagreements } from '../evidence/load-agreement.js';
import { placementProblems } from '../evidence/placement-check.js';
import { FaultProxy } from '../faults/fault-proxy.js';
import { plannedNode, plannedPods } from '../nodes/cluster-plan.js';
import { until } from '../process/until.js';
import type { LoadWatcherProcess } from '../services/load-watcher-process.js';
import { SCHEDULER_NAME, type SchedulerProcess } from '../services/scheduler-process.js';
import { differences, readByGoClient } from '../services/watcher-go-client.js';
import { tell } from './tell.js';
import { TestCluster } from './test-cluster.js';

const NODES = 200;
const PODS = 2000;
/** Trimaran's metricsAgentReportingInterval, and a little. */
const MEASURED_AFTER_MS = 62_000;
const REQUEST_MULTIPLIER = 1.5;

/** One story on one cluster: each test goes on from where the one before it ended. */
describe('both services on a real control plane', function () {
  this.timeout(300_000);
  let cluster: TestCluster;
  let watcher: LoadWatcherProcess;
  let scheduler: SchedulerProcess;
  let daemonsMs = 0;
  let restart = { killedMs: 0, readyMs: 0 };

  before(async () => {
    cluster = await TestCluster.start(NODES);
    await cluster.createDaemons('system-load');
    daemonsMs = Date.now();
    await cluster.startMetricsServer();
    watcher = await cluster.startLoadWatcher();
  });
  after(() => cluster?.stop());

  it('load-watcher: what real metrics-server scrapes from the kubelets is what /watcher serves', async () => {
    const nodes = await nodesOf(cluster.plane.admin);
    expect(nodes).to.have.length(NODES);
    const document = await until(
      { what: 'figures that agree', timeoutMs: 60_000, everyMs: 1000 },
      async () => {
        const present = await watcher.document();
        const different = disagreements(present, nodes, cluster.kubelets.model);
        if (different.length > 0) throw new Error(different.slice(0, 5).join('\n'));
        return present;
      },
    );
    expect(document.source).to.equal('KubernetesMetricsServer');
    expect(document.nodes.size).to.equal(NODES);
  });

  it("load-watcher: paypal/load-watcher's own Go client reads every figure that is served", async () => {
    const { served, decoded } = await readByGoClient(cluster.plane, watcher.url);
    expect(decoded.head).to.deep.equal(served.head);
    expect(served.figures.size).to.be.at.least(2 * NODES);
    expect(differences(served, decoded)).to.deep.equal([]);
    expect(differences(decoded, served)).to.deep.equal([]);
  });

  it('scheduler: scores every node by the formula of TargetLoadPacking', async () => {
    const { admin } = cluster.plane;
    // Younger pods count as not measured yet.
    const document = await until(
      { what: 'figures in which all pods are measured', timeoutMs: 120_000, everyMs: 1000 },
      async () => {
        const present = await watcher.document();
        return present.timestampUnixSeconds * 1000 > daemonsMs + MEASURED_AFTER_MS && present;
      },
    );
    scheduler = await cluster.startScheduler(watcher);
    await createNamespace(admin, 'probe');
    const cpuMilli = 1000;
    await cluster.createPods([
      podOf('probe', {
        namespace: 'probe',
        schedulerName: SCHEDULER_NAME,
        requests: { cpu: `${cpuMilli}m` },
      }),
    ]);
    await allBound(admin, 'probe');
    const { items } = JSON.parse((await scheduler.get('/debug/decisions?nodes=200')).text) as {
      readonly items: readonly Decision[];
    };
    const scored = (items[0]?.nodes ?? []).filter(({ scores }) => scores?.TargetLoadPacking !== undefined);
    expect(scored).to.have.length.above(NODES / 2);
    const capacity = new Map(
      (await nodesOf(admin)).map(({ metadata, status }) => [
        metadata.name,
        Number(status?.capacity?.cpu) * 1000,
      ]),
    );
    const wrong = scored.flatMap(({ name, scores }) => {
      const cpu = document.nodes.get(name)?.find(({ type }) => type === 'CPU')?.value ?? Number.NaN;
      const usePercent = cpu + (100 * cpuMilli * REQUEST_MULTIPLIER) / (capacity.get(name) ?? Number.NaN);
      const expected = packingScore(usePercent, 60);
      return Math.abs((scores?.TargetLoadPacking ?? Number.NaN) - expected) <= 1
        ? []
        : [`${name}: ${scores?.TargetLoadPacking}, by the formula ${expected}`];
    });
    expect(wrong).to.deep.equal([]);
  });

  it(`scheduler: binds ${PODS} pods on ${NODES} nodes by TargetLoadPacking, each where it may be`, async () => {
    const { admin, auditLog } = cluster.plane;
    await createNamespace(admin, 'packed');
    const pods = plannedPods({ count: PODS, seed: 7, namespace: 'packed', schedulerName: SCHEDULER_NAME });
    const startedMs = performance.now();
    await cluster.createPods(pods);
    const bound = await allBound(admin, 'packed');
    tell(`${PODS} pods bound after the first was created`, startedMs);
    expect(bound).to.have.length(PODS);
    expect(placementProblems(await nodesOf(admin), await podsOf(admin))).to.deep.equal([]);
    expect(boundTwice(await readAuditLog(auditLog))).to.deep.equal([]);
  });

  it('scheduler: its decisions say that TargetLoadPacking decided', async () => {
    const answer = await scheduler.get('/debug/decisions?nodes=200');
    expect(answer.httpStatus).to.equal(200);
    const { items } = JSON.parse(answer.text) as { readonly items: readonly Decision[] };
    expect(items).not.to.have.length(0);
    for (const { pod, chosen, nodes } of items) {
      const candidates = nodes.filter(({ total }) => total !== undefined);
      const best = Math.max(...candidates.map(({ total = Number.NaN }) => total));
      const winner = candidates.find(({ name }) => name === chosen);
      expect(winner?.total, pod).to.equal(best);
      expect(winner?.scores?.TargetLoadPacking, pod).to.be.within(0, 100);
    }
  });

  it('beside the real kube-scheduler: same words in conditions and events', async () => {
    const { plane } = cluster;
    await startKubeScheduler(plane);
    await createNamespace(plane.admin, 'beside');
    // Without host ports: two schedulers at the same moment may give one port away twice, whoever they are.
    const ours = { namespace: 'beside', count: 300, seed: 11, prefix: 'ours', hostPorts: false };
    const theirs = { ...ours, seed: 12, prefix: 'theirs', schedulerName: 'default-scheduler' };
    await Promise.all([
      cluster.createPods(plannedPods({ ...ours, schedulerName: SCHEDULER_NAME })),
      cluster.createPods(plannedPods(theirs)),
    ]);
    await allBound(plane.admin, 'beside');
    expect(placementProblems(await nodesOf(plane.admin), await podsOf(plane.admin))).to.deep.equal([]);
    const tooBig = { namespace: 'beside', requests: { cpu: '1000' } };
    await cluster.createPods([
      podOf('too-big-ours', { ...tooBig, schedulerName: SCHEDULER_NAME }),
      podOf('too-big-theirs', tooBig),
    ]);
    const pairs = [
      ['ours-00000', 'theirs-00000'],
      ['too-big-ours', 'too-big-theirs'],
    ] as const;
    for (const [our, their] of pairs) {
      expect(await wordsAbout(cluster, our)).to.deep.equal(await wordsAbout(cluster, their));
    }
    const described = (name: string): Promise<string> =>
      plane.kubectl('describe', 'pod', '--namespace=beside', name);
    expect(await described('ours-00000')).to.match(
      /Normal +Scheduled +\S+ +catamaran +Successfully assigned beside\/ours-00000 to node-/,
    );
    expect(await described('too-big-ours')).to.match(
      /Warning +FailedScheduling +.* +catamaran +0\/200 nodes are available: /,
    );
  });

  it('beside the real kube-scheduler: both rush at one node; ours notices, and recovers when there is room', async () => {
    const { admin } = cluster.plane;
    const place = { nodeSelector: { 'kubernetes.io/hostname': 'contended' } };
    const { metadata, ...rest } = plannedNode(1, { ip: '127.0.9.1', kubeletPort: 1 });
    const labels = { ...metadata.labels, 'kubernetes.io/hostname': 'contended' };
    await admin.create('/api/v1/nodes', { ...rest, metadata: { name: 'contended', labels } });
    await createNamespace(admin, 'contended');
    const rush = (prefix: string, schedulerName: string): Promise<void> =>
      cluster.createPods(
        Array.from({ length: 20 }, (_, index) =>
          podOf(`${prefix}-${index}`, {
            namespace: 'contended',
            schedulerName,
            requests: { cpu: '1' },
            spec: place,
          }),
        ),
      );
    await Promise.all([rush('ours', SCHEDULER_NAME), rush('theirs', 'default-scheduler')]);
    const settled = () =>
      until({ what: 'every pod bound or refused', timeoutMs: 60_000, everyMs: 200 }, async () => {
        const pods = await podsOf(admin, 'contended');
        return pods.every((pod) => isBound(pod) || isRefused(pod)) && pods;
      });
    const pods = await settled();
    const over = pods.filter(isBound).length - 15;
    process.stderr.write(`      ${over} pods more than fit were bound by the two together\n`);
    expect(over).to.be.within(0, 15);
    const theirs = pods.filter((pod) => pod.metadata.name.startsWith('theirs'));
    await inParallel(theirs, 8, (pod) =>
      admin.delete(`/api/v1/namespaces/contended/pods/${pod.metadata.name}`, { gracePeriodSeconds: 0 }),
    );
    await until({ what: 'fifteen of ours bound', timeoutMs: 90_000, everyMs: 200 }, async () => {
      return (await podsOf(admin, 'contended')).filter(isBound).length === 15;
    });
    const [refused] = (await settled()).filter((pod) => !isBound(pod));
    expect(conditionOf(refused)?.message).to.match(/^0\/201 nodes are available: 1 Insufficient cpu, /);
    await admin.delete('/api/v1/nodes/contended');
    for (const pod of await podsOf(admin, 'contended')) {
      await admin.delete(`/api/v1/namespaces/contended/pods/${pod.metadata.name}`, { gracePeriodSeconds: 0 });
    }
  });

  it('survives a restart of the API server under load: nothing lost, nothing bound twice', async () => {
    const { plane } = cluster;
    await createNamespace(plane.admin, 'restarted');
    const pods = plannedPods({ count: 400, seed: 21, namespace: 'restarted', schedulerName: SCHEDULER_NAME });
    await cluster.createPods(pods.slice(0, 200));
    await until({ what: 'a binding', timeoutMs: 60_000, everyMs: 5 }, async () =>
      (await podsOf(plane.admin, 'restarted')).some(({ spec }) => spec.nodeName !== undefined),
    );
    const killedMs = Date.now();
    await plane.restartApiServer('SIGKILL');
    restart = { killedMs, readyMs: Date.now() };
    const readyMs = performance.now();
    await cluster.createPods(pods.slice(200));
    const bound = await allBound(plane.admin, 'restarted');
    process.stderr.write(
      `      all bound ${((performance.now() - readyMs) / 1000).toFixed(1)} s after the API server was back\n`,
    );
    expect(bound).to.have.length(400);
    expect(boundTwice(await readAuditLog(plane.auditLog))).to.deep.equal([]);
    const placed = (await podsOf(plane.admin)).filter(isBound);
    expect(placementProblems(await nodesOf(plane.admin), placed)).to.deep.equal([]);
  });

  it('asks where a pod is when the answer to its binding is lost', async () => {
    const { plane } = cluster;
    const proxy = await FaultProxy.start(plane.url, plane.credentials.ca);
    plane.teardown.add(() => proxy.close());
    let lost = 0;
    // Otherwise the watch may tell sooner how the binding ended, and nobody has to ask.
    const asked = new Promise<void>((resolve) => {
      proxy.rule = (method, path) => {
        if (method === 'POST' && path.endsWith('/binding')) {
          lost += 1;
          return 'lose-answer';
        }
        if (method === 'GET' && path.endsWith('/pods/lost')) resolve();
        return path.includes('/pods?') && path.includes('watch=') ? { holdAnswerUntil: asked } : 'pass';
      };
    });
    await scheduler.program.stop();
    await createNamespace(plane.admin, 'lost');
    await cluster.createPods([podOf('lost', { namespace: 'lost', schedulerName: SCHEDULER_NAME })]);
    // The file that it has read and will read again.
    await accountKubeconfig(plane, SCHEDULER_ACCOUNT, proxy.url);
    scheduler.program.start();
    await allBound(plane.admin, 'lost');
    await until({ what: 'the event', timeoutMs: 60_000 }, async () =>
      (await eventsAbout(plane.admin, 'lost', 'lost')).at(0),
    );
    await asked;
    expect(lost).to.equal(1);
  });

  it('needs exactly the rights of k8s/rbac: no 403, none unused', async () => {
    const { plane } = cluster;
    // A repeated failure becomes a series.
    await until({ what: 'a series of events', timeoutMs: 120_000, everyMs: 500 }, async () =>
      (await eventsAbout(plane.admin, 'beside', 'too-big-ours')).some(
        ({ series }) => (series?.count ?? 0) > 1,
      ),
    );
    const entries = await readAuditLog(plane.auditLog);
    for (const account of [LOAD_WATCHER_ACCOUNT, SCHEDULER_ACCOUNT]) {
      const own = entries.filter(({ user }) => user.username === userNameOf(account));
      const refused = own.filter(
        ({ responseStatus, requestReceivedTimestamp }) =>
          responseStatus?.code === 403 && !isWithin(restart, Date.parse(requestReceivedTimestamp)),
      );
      expect(refused.map(rightOf), `${account.name}, refused`).to.deep.equal([]);
      const role = await plane.admin.get<{ readonly rules: readonly PolicyRule[] }>(
        `/apis/rbac.authorization.k8s.io/v1/clusterroles/${account.name}`,
      );
      const used = new Set(own.map(rightOf));
      expect([...used].sort(), account.name).to.deep.equal([...rightsOf(role.rules)].sort());
    }
  });

  it('both end after SIGTERM, with 0', async () => {
    for (const { program } of [scheduler, watcher]) {
      const { code, tookMs } = await program.stop();
      expect(code, program.log.slice(-1000)).to.equal(0);
      process.stderr.write(`      ${program.spec.name}: gone after ${(tookMs / 1000).toFixed(1)} s\n`);
    }
  });
});

/** From Trimaran's documentation: rises to the target, falls steeply beyond it. */
function packingScore(usePercent: number, targetPercent: number): number {
  if (usePercent > 100) return 0;
  const score =
    usePercent <= targetPercent
      ? ((100 - targetPercent) * usePercent) / targetPercent + targetPercent
      : (targetPercent * (100 - usePercent)) / (100 - targetPercent);
  return Math.round(score);
}

interface Decision {
  readonly pod: string;
  readonly chosen?: string;
  readonly nodes: readonly {
    readonly name: string;
    readonly total?: number;
    readonly scores?: Readonly<Record<string, number>>;
  }[];
}

/** Before it is ready again, an API server that has not read its roles yet refuses everyone. */
const isWithin = (restart: { readonly killedMs: number; readonly readyMs: number }, ms: number): boolean =>
  ms >= restart.killedMs && ms <= restart.readyMs;
const isBound = ({ spec }: Pod): boolean => spec.nodeName !== undefined;
const conditionOf = (pod: Pod | undefined) =>
  pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
const isRefused = (pod: Pod): boolean => conditionOf(pod)?.reason === 'Unschedulable';

/** kube-scheduler's word on preemption and, up to 1.36, on resource claims, which we don't do. */
const AFTER_PREEMPTION = /(?: no new claims to deallocate,)?(?: preemption: .*)?$/;

/** What was written about a pod, without names, times and counts. */
async function wordsAbout({ plane }: TestCluster, name: string) {
  const event = await until({ what: `an event about ${name}`, timeoutMs: 90_000 }, async () =>
    (await eventsAbout(plane.admin, 'beside', name)).at(0),
  );
  const pod = (await podsOf(plane.admin, 'beside')).find(({ metadata }) => metadata.name === name);
  const { type, reason, action, note = '' } = event;
  const { message = '', ...condition } = conditionOf(pod) ?? {};
  const plain = (text: string): string =>
    text
      .replace(name, 'NAME')
      .replace(/node-\d+/, 'NODE')
      .replace(AFTER_PREEMPTION, '');
  return {
    event: { type, reason, action, note: plain(note) },
    condition: { ...condition, message: plain(message), lastTransitionTime: 'TIME' },
  };
}
