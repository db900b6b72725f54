import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { request } from 'undici';
import { stringify } from 'yaml';
import type { Binaries } from '../binaries/build-binaries.js';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { readAuditLog, rightOf } from '../evidence/audit-log.js';
import { allBound, nodesOf, podsOf } from '../evidence/cluster-objects.js';
import { placementProblems } from '../evidence/placement-check.js';
import { buildImages } from '../images/build-images.js';
import { obstacleToImages } from '../images/requirements.js';
import { nodeName, plannedPods } from '../nodes/cluster-plan.js';
import { TestCluster } from '../suites/test-cluster.js';
import { PodRunner } from './kubelet/pod-runner.js';
import type { RunnablePod } from './kubelet/pod-spec.js';
import { choseTheBest, packingPoints, SchedulerPort } from './kubelet/scheduler-port.js';
import { bind, createPodOf } from './manifest-cluster.js';
import { CHART, helmTemplate, kustomized, type Manifest, manifestTools, NAMESPACE } from './rendered.js';

const CRDS = fileURLToPath(new URL('monitoring-crds.yaml', import.meta.url));
const USER = `system:serviceaccount:${NAMESPACE}:catamaran-scheduler`;
const NODES = 12;
const MIB = 1024 * 1024;

describe('the manifests, applied to a real API server', function () {
  this.timeout(900_000);
  let cluster: TestCluster;
  let tools: Binaries;
  let manifests: readonly Manifest[];
  let images: Awaited<ReturnType<typeof buildImages>>;

  before(async function () {
    const obstacle = obstacleToImages(process.env);
    if (obstacle !== undefined && process.env.CI !== 'true') {
      process.stderr.write(`skipped: ${obstacle}\n`);
      this.skip();
    }
    images = await buildImages({
      env: process.env,
      say: (text) => process.stderr.write(`images: ${text}\n`),
    });
    tools = await manifestTools();
    manifests = await kustomized(tools, 'overlays/metrics-server');
    cluster = await TestCluster.start(NODES);
    await cluster.plane.kubectl('apply', '--filename', CRDS);
    await cluster.plane.kubectl('wait', '--for=condition=Established', '--timeout=30s', '--filename', CRDS);
  });
  after(() => cluster?.stop());

  async function applied(
    name: string,
    objects: readonly Manifest[],
    ...flags: readonly string[]
  ): Promise<string> {
    const file = cluster.plane.file(`${name}.yaml`);
    await writeFile(file, objects.map((object) => stringify(object)).join('---\n'));
    return await cluster.plane.kubectl(
      'apply',
      '--server-side',
      '--force-conflicts',
      `--filename=${file}`,
      ...flags,
    );
  }

  it('every object of every overlay and of the chart is taken as it is', async () => {
    const rendered = [
      ...(await Promise.all(
        ['base', 'overlays/prometheus', 'overlays/metrics-server'].map(
          async (folder) => [folder, await kustomized(tools, folder)] as const,
        ),
      )),
      ['chart', await helmTemplate(tools)] as const,
      [
        'chart-prometheus',
        await helmTemplate(tools, `--values=${join(CHART, 'values-prometheus.yaml')}`),
      ] as const,
    ];
    for (const [name, objects] of rendered) {
      const said = await applied(name.replaceAll('/', '-'), objects, '--validate=strict');
      expect(said.trim().split('\n'), said).to.have.length(objects.length);
      expect(said).not.to.match(/warning/i);
    }
  });

  it('the namespace admits the pod, and no pod that Pod Security calls less than restricted', async () => {
    const { plane } = cluster;
    const root: RunnablePod = await createPodOf(plane, manifests, 'catamaran').then(async (pod) => {
      await bind(plane, pod, nodeName(0));
      return pod;
    });
    const refused = await plane.admin
      .create(`/api/v1/namespaces/${NAMESPACE}/pods`, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'unrestricted' },
        spec: { containers: [{ name: 'c', image: root.spec.containers[0]?.image }] },
      })
      .then(
        () => 'admitted',
        (error: Error) => error.message,
      );
    expect(refused).to.include('violates PodSecurity').and.to.include('restricted');
  });

  it('its containers run from the built images, pass their probes, place pods by load and stop in time', async () => {
    const { plane } = cluster;
    await cluster.startMetricsServer();
    const pod = await plane.admin.get<RunnablePod>(`/api/v1/namespaces/${NAMESPACE}/pods/catamaran-0`);
    const runner = await PodRunner.start(plane, pod, {
      'catamaran-scheduler': images.scheduler,
      'catamaran-load-watcher': images['load-watcher'],
    });
    await runner.ready();
    await runner.until(
      'figures of all nodes',
      async () => {
        const answer = await request('http://127.0.0.1:2020/watcher');
        const text = await answer.body.text();
        return answer.statusCode === 200 && text.split('"metrics":').length - 1 >= NODES;
      },
      120_000,
    );
    const port = new SchedulerPort();
    await runner.until('load figures in the scheduler', () => port.seesLoad(), 90_000);
    await createNamespace(plane.admin, 'placed');
    await cluster.createPods(
      plannedPods({ count: 60, seed: 1, namespace: 'placed', schedulerName: 'catamaran' }),
    );
    await allBound(plane.admin, 'placed');
    const pods = (await podsOf(plane.admin)).filter(({ metadata }) => metadata.namespace === 'placed');
    expect(placementProblems(await nodesOf(plane.admin), pods)).to.deep.equal([]);
    const decisions = await port.decisions('placed');
    expect(decisions).to.have.length(60);
    expect(decisions.filter((decision) => !choseTheBest(decision))).to.deep.equal([]);
    expect(
      decisions.filter((decision) => packingPoints(decision).every((points) => points === 0)),
    ).to.deep.equal([]);
    expect(await runner.alive()).to.equal(true);
    for (const name of ['scheduler', 'load-watcher']) {
      const mebibytes = Math.round((await runner.residentBytes(name)) / MIB);
      process.stderr.write(`images: ${name} of the pod, ${NODES} nodes: ${mebibytes} MiB resident\n`);
      expect(runner.log(name)).not.to.match(/EROFS|EACCES|"level":"?(error|50)/);
    }
    const refused = (await readAuditLog(plane.auditLog)).filter(
      ({ user, responseStatus }) => user.username === USER && responseStatus?.code === 403,
    );
    expect(refused.map(rightOf)).to.deep.equal([]);
    for (const [name, { code, tookMs }] of Object.entries(await runner.stop())) {
      expect(code, `${name}\n${runner.log(name).slice(-3000)}`).to.equal(0);
      expect(tookMs, name).to.be.below(5000);
    }
  });
});
