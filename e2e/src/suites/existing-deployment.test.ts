import type { Pod } from '@catamaran/model';
import { expect } from 'chai';
import { startKubeControllerManager } from '../control-plane/kube-controller-manager.js';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { accountKubeconfig, bindClusterRole } from '../control-plane/service-account.js';
import { readAuditLog, rightOf } from '../evidence/audit-log.js';
import { allBound, nodesOf, podsOf } from '../evidence/cluster-objects.js';
import { placementProblems } from '../evidence/placement-check.js';
import { plannedPods } from '../nodes/cluster-plan.js';
import { until } from '../process/until.js';
import { SCHEDULER_NAME, type SchedulerProcess, startScheduler } from '../services/scheduler-process.js';
import { TestCluster } from './test-cluster.js';

const ACCOUNT = { namespace: 'kube-system', name: 'trimaran' };
const USER = 'system:serviceaccount:kube-system:trimaran';

/** As deployments of the Go scheduler bind their account; only the image is another. */
describe('under the roles of an existing Trimaran deployment', function () {
  this.timeout(300_000);
  let cluster: TestCluster;
  let scheduler: SchedulerProcess;

  before(async () => {
    cluster = await TestCluster.start(12);
    const { plane } = cluster;
    await plane.kubectl('create', 'serviceaccount', ACCOUNT.name, `--namespace=${ACCOUNT.namespace}`);
    await bindClusterRole(plane, ACCOUNT, 'system:kube-scheduler');
    await bindClusterRole(plane, ACCOUNT, 'system:volume-scheduler');
    await cluster.startMetricsServer();
    const { kubeconfig } = await accountKubeconfig(plane, ACCOUNT);
    const packingArgs = ['metricProvider: {type: KubernetesMetricsServer}', 'targetUtilization: 60'];
    scheduler = await startScheduler(plane, { kubeconfig, packingArgs });
  });
  after(() => cluster?.stop());

  it('without the right to read metrics it names the role to add and binds pods all the same', async () => {
    const { plane } = cluster;
    await createNamespace(plane.admin, 'blind');
    await cluster.createPods(
      plannedPods({ count: 60, seed: 1, namespace: 'blind', schedulerName: SCHEDULER_NAME }),
    );
    await allBound(plane.admin, 'blind');
    const told = scheduler.program.log
      .split('\n')
      .filter((line) => line.includes('bind the ClusterRole catamaran-load-watcher'))
      .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
    expect(told, scheduler.program.log.slice(-3000)).not.to.have.length(0);
    expect(told, 'said again and again').to.have.length(new Set(told).size);
  });

  it('with it, load decides, and nothing else is refused', async () => {
    const { plane } = cluster;
    await bindClusterRole(plane, ACCOUNT, 'catamaran-load-watcher');
    await until({ what: 'figures of all nodes', timeoutMs: 90_000, everyMs: 500 }, async () => {
      const { text } = await scheduler.get('/metrics');
      return /^catamaran_scheduler_load_state\{[^}]*state="fresh"[^}]*\} 1$/m.test(text);
    });
    await createNamespace(plane.admin, 'seeing');
    await cluster.createPods(
      plannedPods({ count: 60, seed: 2, namespace: 'seeing', schedulerName: SCHEDULER_NAME, prefix: 'seen' }),
    );
    await allBound(plane.admin, 'seeing');
    expect(placementProblems(await nodesOf(plane.admin), await podsOf(plane.admin))).to.deep.equal([]);
    const refused = (await readAuditLog(plane.auditLog)).filter(
      ({ user, responseStatus }) => user.username === USER && responseStatus?.code === 403,
    );
    expect(new Set(refused.map(rightOf))).to.deep.equal(new Set(['list nodes.metrics.k8s.io']));
  });

  it('rolls out a Deployment of the real controller manager, and replaces what is deleted', async () => {
    const { plane } = cluster;
    await startKubeControllerManager(plane);
    await createNamespace(plane.admin, 'rollout');
    const deployments = '/apis/apps/v1/namespaces/rollout/deployments';
    const labels = { app: 'web' };
    const containers = [
      {
        name: 'web',
        image: 'registry.example/web:1',
        resources: { requests: { cpu: '200m', memory: '64Mi' } },
      },
    ];
    await plane.admin.create(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 30,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { schedulerName: SCHEDULER_NAME, containers } },
      },
    });
    const rolledOut = (): Promise<readonly Pod[]> =>
      until({ what: 'thirty pods bound', timeoutMs: 90_000, everyMs: 200 }, async () => {
        const pods = await podsOf(plane.admin, 'rollout');
        return pods.length === 30 && pods.every(({ spec }) => spec.nodeName !== undefined) && pods;
      });
    const first = await rolledOut();
    const gone = first.slice(0, 10).map(({ metadata }) => metadata.name);
    for (const name of gone) {
      await plane.admin.delete(`/api/v1/namespaces/rollout/pods/${name}`, { gracePeriodSeconds: 0 });
    }
    const names = (await rolledOut()).map(({ metadata }) => metadata.name);
    expect(names).not.to.include.members(gone.slice(0, 1));
    expect(placementProblems(await nodesOf(plane.admin), await podsOf(plane.admin))).to.deep.equal([]);
  });
});
