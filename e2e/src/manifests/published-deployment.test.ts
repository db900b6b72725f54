import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { bindClusterRole } from '../control-plane/service-account.js';
import { readAuditLog, rightOf } from '../evidence/audit-log.js';
import { allBound, nodesOf, podsOf } from '../evidence/cluster-objects.js';
import { placementProblems } from '../evidence/placement-check.js';
import { buildImages } from '../images/build-images.js';
import { obstacleToImages } from '../images/requirements.js';
import { nodeName, plannedPods } from '../nodes/cluster-plan.js';
import { TestCluster } from '../suites/test-cluster.js';
import { PodRunner } from './kubelet/pod-runner.js';
import { probeOnce } from './kubelet/probe.js';
import { choseTheBest, packingPoints, SchedulerPort } from './kubelet/scheduler-port.js';
import { bind, createPodOf } from './manifest-cluster.js';
import type { Manifest } from './rendered.js';

const FIXTURE = fileURLToPath(new URL('published-deployment.yaml', import.meta.url));
const ACCOUNT = { namespace: 'kube-system', name: 'trimaran' };
const USER = 'system:serviceaccount:kube-system:trimaran';
const SCHEDULER_NAME = 'trimaran';

describe('the published Trimaran deployment, only its images changed', function () {
  this.timeout(900_000);
  let cluster: TestCluster;
  let runner: PodRunner;
  const port = new SchedulerPort();

  before(async function () {
    const obstacle = obstacleToImages(process.env);
    if (obstacle !== undefined && process.env.CI !== 'true') {
      process.stderr.write(`skipped: ${obstacle}\n`);
      this.skip();
    }
    const images = await buildImages({
      env: process.env,
      say: (text) => process.stderr.write(`images: ${text}\n`),
    });
    cluster = await TestCluster.start(12);
    const { plane } = cluster;
    await plane.kubectl('apply', '--filename', FIXTURE);
    await cluster.startMetricsServer();
    const objects = parseAllDocuments(await readFile(FIXTURE, 'utf8')).map((one) => one.toJS() as Manifest);
    const pod = await createPodOf(plane, objects, 'trimaran');
    await bind(plane, pod, nodeName(0));
    runner = await PodRunner.start(plane, pod, {
      'catamaran-scheduler': images.scheduler,
      'catamaran-load-watcher': images['load-watcher'],
    });
  });
  after(() => cluster?.stop());

  it('answers the probes of the plain port that --address opens', async () => {
    const container = { name: 'trimaran', image: '' };
    const probe = { httpGet: { path: '/healthz', port: 10251 }, timeoutSeconds: 5 };
    await runner.until('/healthz on 10251', () => probeOnce(container, probe));
  });

  it('as published it may not read metrics: it names the role to bind, and binds pods all the same', async () => {
    const { plane } = cluster;
    await runner.until('a line that names the role', async () =>
      runner.log('load-watcher').includes('catamaran-load-watcher'),
    );
    await createNamespace(plane.admin, 'blind');
    await cluster.createPods(
      plannedPods({ count: 40, seed: 1, namespace: 'blind', schedulerName: SCHEDULER_NAME }),
    );
    await allBound(plane.admin, 'blind');
    expect(placementProblems(await nodesOf(plane.admin), await workload(cluster))).to.deep.equal([]);
    expect(
      (await port.decisions('blind')).flatMap(packingPoints).filter((points) => points > 0),
    ).to.deep.equal([]);
    expect(runner.log('trimaran'), 'the old version of the format').to.include('v1beta1');
  });

  it('with the role bound, placements follow load', async () => {
    const { plane } = cluster;
    await bindClusterRole(plane, ACCOUNT, 'catamaran-load-watcher');
    const watcher = { name: 'load-watcher', image: '' };
    await runner.until(
      'figures',
      () => probeOnce(watcher, { httpGet: { path: '/readyz', port: 2020 }, timeoutSeconds: 5 }),
      150_000,
    );
    await runner.until('the scheduler to have them', () => port.seesLoad(), 90_000);
    await createNamespace(plane.admin, 'seeing');
    const pods = plannedPods({
      count: 40,
      seed: 2,
      namespace: 'seeing',
      schedulerName: SCHEDULER_NAME,
      prefix: 'seen',
    });
    await cluster.createPods(pods);
    await allBound(plane.admin, 'seeing');
    expect(placementProblems(await nodesOf(plane.admin), await workload(cluster))).to.deep.equal([]);
    const decisions = await port.decisions('seeing');
    expect(decisions).to.have.length(40);
    for (const decision of decisions) {
      expect(
        packingPoints(decision).some((points) => points > 0),
        decision.pod,
      ).to.equal(true);
      expect(choseTheBest(decision), decision.pod).to.equal(true);
    }
    const refused = (await readAuditLog(plane.auditLog)).filter(
      ({ user, responseStatus }) => user.username === USER && responseStatus?.code === 403,
    );
    expect(new Set(refused.map(rightOf))).to.deep.equal(new Set(['list nodes.metrics.k8s.io']));
  });

  it('stops within 5 s', async () => {
    for (const [name, { code, tookMs }] of Object.entries(await runner.stop())) {
      expect(code, `${name}\n${runner.log(name).slice(-3000)}`).to.equal(0);
      expect(tookMs, name).to.be.below(5000);
    }
  });
});

async function workload({ plane }: TestCluster) {
  return (await podsOf(plane.admin)).filter(({ metadata }) => metadata.namespace !== 'kube-system');
}
