import type { Pod } from '@catamaran/model';
import { HttpClusterApi, SystemClock, silentLogger } from '@catamaran/platform';
import { podOf } from '@catamaran/testkit';
import { inParallel } from '../control-plane/admin-client.js';
import { certificateAuthority, certificateFrom } from '../control-plane/certificates.js';
import { ControlPlane } from '../control-plane/control-plane.js';
import { createNamespace } from '../control-plane/kube-scheduler.js';
import { startMetricsServer } from '../control-plane/metrics-server.js';
import { type PrometheusProcess, startPrometheus } from '../control-plane/prometheus.js';
import {
  accountKubeconfig,
  applyShippedRoles,
  LOAD_WATCHER_ACCOUNT,
  SCHEDULER_ACCOUNT,
} from '../control-plane/service-account.js';
import { CPU_SHARE_LABEL } from '../nodes/cluster-plan.js';
import { FakeKubelets } from '../nodes/fake-kubelets.js';
import type { Program } from '../process/program.js';
import { Teardown } from '../process/teardown.js';
import { type LoadWatcherProcess, startLoadWatcher } from '../services/load-watcher-process.js';
import { type SchedulerProcess, startScheduler } from '../services/scheduler-process.js';

const AT_ONCE = 16;

/** A control plane with nodes that report their use, real metrics-server, and both services under their own accounts. */
export class TestCluster {
  readonly plane: ControlPlane;
  readonly kubelets: FakeKubelets;
  readonly #teardown: Teardown;

  private constructor(plane: ControlPlane, kubelets: FakeKubelets, teardown: Teardown) {
    this.plane = plane;
    this.kubelets = kubelets;
    this.#teardown = teardown;
  }

  /** A control plane and nodes; nothing else runs yet. */
  static async start(nodeCount: number): Promise<TestCluster> {
    const teardown = new Teardown();
    try {
      const plane = await ControlPlane.start(teardown);
      await applyShippedRoles(plane);
      const tls = await certificateFrom(await certificateAuthority('kubelets'), { commonName: 'kubelet' });
      const api = new HttpClusterApi(
        { connection: plane.connectionFor(plane.credentials.adminToken) },
        { clock: new SystemClock(), log: silentLogger },
      );
      teardown.add(() => api.close());
      const kubelets = await FakeKubelets.start(nodeCount, { tls, api });
      teardown.add(() => kubelets.close());
      await inParallel(kubelets.nodes, AT_ONCE, (node) => plane.admin.create('/api/v1/nodes', node));
      return new TestCluster(plane, kubelets, teardown);
    } catch (error) {
      await teardown.run();
      throw error;
    }
  }

  startMetricsServer(): Promise<Program> {
    return startMetricsServer(this.plane, this.kubelets.nodes.length);
  }

  startPrometheus(): Promise<PrometheusProcess> {
    return startPrometheus(this.plane, this.kubelets.nodes);
  }

  /** One pod on each node, bound by nobody, of which each uses another share of its request. */
  async createDaemons(namespace: string): Promise<void> {
    await createNamespace(this.plane.admin, namespace);
    const daemons = this.kubelets.nodes.map(({ metadata }, index) =>
      podOf(`daemon-${index}`, {
        namespace,
        nodeName: metadata.name,
        requests: { cpu: '2', memory: '2Gi' },
        labels: { [CPU_SHARE_LABEL]: String(index % 100) },
        spec: { tolerations: [{ operator: 'Exists' }] },
      }),
    );
    await this.createPods(daemons);
  }

  /** Under its shipped account. */
  async startLoadWatcher(
    options: { readonly refreshInterval?: string; readonly args?: readonly string[] } = {},
  ): Promise<LoadWatcherProcess> {
    const { kubeconfig } = await accountKubeconfig(this.plane, LOAD_WATCHER_ACCOUNT);
    return await startLoadWatcher(this.plane, { kubeconfig, ...options });
  }

  /** Under its shipped account, with the figures of that load-watcher; through a proxy where `server` says so. */
  async startScheduler(
    watcher: Pick<LoadWatcherProcess, 'url'>,
    server?: string,
  ): Promise<SchedulerProcess & { readonly tokenFile: string }> {
    const { kubeconfig, tokenFile } = await accountKubeconfig(this.plane, SCHEDULER_ACCOUNT, server);
    const packingArgs = ['targetUtilization: 60', `watcherAddress: ${watcher.url}`, 'metricsMaxAge: 5m'];
    // Unschedulable pods are tried again soon, so that failures repeat within a test.
    const args = ['--pod-max-in-unschedulable-pods-duration=10s'];
    return { ...(await startScheduler(this.plane, { kubeconfig, packingArgs, args })), tokenFile };
  }

  async createPods(pods: readonly Pod[]): Promise<void> {
    await inParallel(pods, AT_ONCE, (pod) =>
      this.plane.admin.create(`/api/v1/namespaces/${pod.metadata.namespace}/pods`, pod),
    );
  }

  stop(): Promise<void> {
    return this.#teardown.run();
  }
}
