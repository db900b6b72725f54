import type { WatcherDocument } from '@catamaran/model';
import { expect } from 'chai';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { type PrometheusProcess, prometheusReady } from '../control-plane/prometheus.js';
import { accountKubeconfig, SCHEDULER_ACCOUNT } from '../control-plane/service-account.js';
import { allBound, nodesOf, podsOf } from '../evidence/cluster-objects.js';
import { disagreements } from '../evidence/load-agreement.js';
import { placementProblems } from '../evidence/placement-check.js';
import { FaultProxy } from '../faults/fault-proxy.js';
import { CPU_SHARE_LABEL, nodeName, plannedPods } from '../nodes/cluster-plan.js';
import { until } from '../process/until.js';
import type { LoadWatcherProcess } from '../services/load-watcher-process.js';
import { SCHEDULER_NAME, type SchedulerProcess, startScheduler } from '../services/scheduler-process.js';
import { differences, readByGoClient } from '../services/watcher-go-client.js';
import { tell } from './tell.js';
import { TestCluster } from './test-cluster.js';

const NODES = 12;
const PATIENCE_MS = 90_000;

/** Real Prometheus scrapes the exporters of the nodes; between it and our services stands a proxy that does harm. */
describe('with a real Prometheus', function () {
  this.timeout(300_000);
  let cluster: TestCluster;
  let prometheus: PrometheusProcess;
  let proxy: FaultProxy;
  let watcher: LoadWatcherProcess;
  let scheduler: SchedulerProcess;

  before(async () => {
    cluster = await TestCluster.start(NODES);
    await cluster.createDaemons('daemons');
    prometheus = await cluster.startPrometheus();
    proxy = await FaultProxy.start(prometheus.url, cluster.plane.credentials.ca);
    cluster.plane.teardown.add(() => proxy.close());
    watcher = await cluster.startLoadWatcher({
      refreshInterval: '2s',
      args: [
        '--metrics-provider-name=Prometheus',
        `--metrics-provider-address=${proxy.url}`,
        '--query-timeout=3s',
      ],
    });
  });
  after(() => cluster?.stop());
  afterEach(() => {
    proxy?.calm();
    prometheus?.program.thaw();
    // A test that fails half-way must not fail the next.
    if (prometheus?.program.isRunning === false) prometheus.program.start();
  });

  /** Until every figure of every node is there and as the load model has it. */
  const agreeing = async (): Promise<WatcherDocument> => {
    const nodes = await nodesOf(cluster.plane.admin);
    return await until({ what: 'figures that agree', timeoutMs: PATIENCE_MS, everyMs: 500 }, async () => {
      const present = await watcher.document();
      const different = disagreements(present, nodes, cluster.kubelets.model);
      if (different.length > 0) throw new Error(different.slice(0, 5).join('\n'));
      return present;
    });
  };
  /** Until the watcher logs something like it, from now on. */
  const logged = (pattern: RegExp): Promise<unknown> => {
    const from = watcher.program.log.length;
    return until({ what: `a line like ${pattern}`, timeoutMs: PATIENCE_MS }, async () =>
      pattern.test(watcher.program.log.slice(from)),
    );
  };
  /** Until a refresh that began after now has ended. */
  const refreshed = async (): Promise<void> => {
    const refreshedAt = async (): Promise<string> =>
      (JSON.parse(await watcher.debugNodes()) as { readonly refreshedAt: string }).refreshedAt;
    for (const _ of ['the one under way', 'the next']) {
      const before = await refreshedAt();
      await until({ what: 'a refresh', timeoutMs: PATIENCE_MS, everyMs: 200 }, async () => {
        return (await refreshedAt()) !== before;
      });
    }
  };
  /** Until figures are served that are newer than these. */
  const newerThan = (before: WatcherDocument): Promise<WatcherDocument> =>
    until({ what: 'newer figures', timeoutMs: PATIENCE_MS, everyMs: 200 }, async () => {
      const present = await watcher.document();
      return present.timestampUnixSeconds > before.timestampUnixSeconds && present;
    });

  it('load-watcher: what it scrapes from the exporters is what /watcher serves', async () => {
    const document = await agreeing();
    expect(document.source).to.equal('Prometheus');
    expect(document.nodes.size).to.equal(NODES);
  });

  it("load-watcher: paypal/load-watcher's own Go client reads every figure that is served", async () => {
    const { served, decoded } = await readByGoClient(cluster.plane, watcher.url);
    expect(decoded.head).to.deep.equal(served.head);
    expect(served.figures.size).to.be.at.least(2 * NODES);
    expect(differences(served, decoded)).to.deep.equal([]);
    expect(differences(decoded, served)).to.deep.equal([]);
  });

  it('scheduler: measures by itself with the provider in its arguments, as Trimaran configurations have it', async () => {
    const { plane } = cluster;
    const { kubeconfig } = await accountKubeconfig(plane, SCHEDULER_ACCOUNT);
    scheduler = await startScheduler(plane, {
      kubeconfig,
      packingArgs: [
        'defaultRequests: {cpu: 1000m}',
        'defaultRequestsMultiplier: "1.5"',
        'targetUtilization: 60',
        `metricProvider: {type: Prometheus, address: "${proxy.url}"}`,
      ],
    });
    await until({ what: 'figures in the scheduler', timeoutMs: PATIENCE_MS, everyMs: 500 }, async () =>
      /^catamaran_scheduler_load_state\{[^}]*state="fresh"[^}]*\} 1$/m.test(
        (await scheduler.get('/metrics')).text,
      ),
    );
    await bindsPods('by-figures', 1);
  });

  /** They use nothing: what a pod has used would stay in the averages for a quarter of an hour. */
  const bindsPods = async (namespace: string, seed: number): Promise<void> => {
    const { admin } = cluster.plane;
    await createNamespace(admin, namespace);
    const pods = plannedPods({
      count: 20,
      seed,
      namespace,
      schedulerName: SCHEDULER_NAME,
      prefix: namespace,
    });
    const labels = { [CPU_SHARE_LABEL]: '0' };
    await cluster.createPods(pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, labels } })));
    const bound = await allBound(admin, namespace);
    expect(bound).to.have.length(20);
    expect(placementProblems(await nodesOf(admin), await podsOf(admin))).to.deep.equal([]);
    await Promise.all(
      bound.map(({ metadata }) =>
        admin.delete(`/api/v1/namespaces/${namespace}/pods/${metadata.name}`, { gracePeriodSeconds: 0 }),
      ),
    );
  };

  it('is stopped and comes back: the last figures stay, pods are bound', async () => {
    const before = await watcher.document();
    const complaint = logged(/"level":"(warn|error)"/);
    await prometheus.program.stop();
    await complaint;
    await bindsPods('stopped', 2);
    expect((await watcher.document()).nodes.size).to.equal(before.nodes.size);
    prometheus.program.start();
    await prometheusReady(prometheus.program, prometheus.url);
    const readyMs = performance.now();
    await newerThan(await watcher.document());
    tell('fresh figures after Prometheus was ready again', readyMs);
  });

  it('hangs for longer than the deadline of a query', async () => {
    const before = await watcher.document();
    prometheus.program.freeze();
    await logged(/timed out|deadline|within 3 s|timeout/i);
    expect((await watcher.document()).nodes.size).to.equal(before.nodes.size);
    prometheus.program.thaw();
    const thawedMs = performance.now();
    await newerThan(await watcher.document());
    tell('fresh figures after Prometheus went on', thawedMs);
  });

  it('answers with the page of a login form', async () => {
    const before = await watcher.document();
    const headers = { 'Content-Type': 'text/html' };
    proxy.rule = () => ({ answer: 200, headers, body: '<html><body>Please log in</body></html>' });
    await logged(/html/i);
    expect((await watcher.document()).nodes.size).to.equal(before.nodes.size);
    proxy.calm();
    const calmMs = performance.now();
    await newerThan(await watcher.document());
    tell('fresh figures after the login form', calmMs);
  });

  for (const [direction, seconds] of [
    ['behind', -600],
    ['ahead', 600],
  ] as const) {
    it(`has a clock that is ten minutes ${direction}: its figures count all the same`, async () => {
      proxy.rule = () => ({ rewrite: (text) => shifted(text, seconds) });
      await refreshed();
      await agreeing();
      await bindsPods(`clock-${direction}`, 7);
      proxy.calm();
      const calmMs = performance.now();
      await refreshed();
      await agreeing();
      tell('right figures after its clock was set', calmMs);
    });
  }

  it('has each series twice, from two jobs', async () => {
    await prometheus.scrapeTimes(2);
    await until({ what: 'both jobs in Prometheus', timeoutMs: PATIENCE_MS, everyMs: 500 }, async () => {
      const answer = await fetch(
        `${prometheus.url}/api/v1/query?query=count(rate(node_cpu_seconds_total%7Bmode%3D%22idle%22%2Ccpu%3D%220%22%7D%5B1m%5D))`,
      );
      return (await answer.text()).includes(`"${NODES * 2}"`);
    });
    await refreshed();
    const document = await agreeing();
    for (const [name, figures] of document.nodes) {
      const kinds = figures.map(({ type, operator, rollup }) => `${type} ${operator} ${rollup}`);
      expect(kinds, name).to.have.length(new Set(kinds).size);
    }
  });

  it('has NaN for one node: only that figure is missing, with a reason', async () => {
    const name = nodeName(5);
    cluster.kubelets.exporterEdits.set(name, (page) =>
      page.replace(/^node_memory_MemAvailable_bytes .*$/m, 'node_memory_MemAvailable_bytes NaN'),
    );
    const document = await until(
      { what: 'the figure to go', timeoutMs: PATIENCE_MS, everyMs: 500 },
      async () => {
        const present = await watcher.document();
        return present.nodes.get(name)?.every(({ type }) => type !== 'Memory') === true && present;
      },
    );
    expect(document.nodes.size).to.equal(NODES);
    expect(document.nodes.get(name)).not.to.have.length(0);
    const reasons = JSON.parse(await watcher.debugNodes()) as object;
    expect(JSON.stringify(reasons)).to.match(/not-finite|non-finite|NaN/i);
    await bindsPods('nan', 9);
  });
});

/** The answer of a Prometheus whose clock is off by that much. */
function shifted(text: string, seconds: number): string {
  return text.replace(/\[(\d{10}(?:\.\d+)?),"/g, (_, instant: string) => `[${Number(instant) + seconds},"`);
}
