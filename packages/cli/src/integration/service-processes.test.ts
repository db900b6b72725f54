import type { PodSpec } from '@catamaran/model';
import { expect } from 'chai';
import { eventually } from './eventually.js';
import { LiveCluster } from './live-cluster.js';
import { builtMain, ObservedProcess } from './observed-process.js';
import { freePort } from './real-prometheus.js';

describe('load-watcher and scheduler, as processes on the embedded cluster', function () {
  this.timeout(60_000);
  let live: LiveCluster;
  let watcher: ObservedProcess;
  let scheduler: ObservedProcess;
  let watcherUrl: string;
  let schedulerPort: number;

  before(async () => {
    live = await LiveCluster.start([
      { name: 'busy-1', cpuPercent: 85, memoryPercent: 20 },
      { name: 'busy-2', cpuPercent: 85, memoryPercent: 20 },
      { name: 'calm', cpuPercent: 10, memoryPercent: 20 },
    ]);
    const kubeconfig = await live.kubeconfig();
    watcher = ObservedProcess.node([
      builtMain('load-watcher'),
      '--port=0',
      '--bind-address=127.0.0.1',
      `--kubeconfig=${kubeconfig}`,
      '--refresh-interval=1s',
    ]);
    const [, port] = await watcher.waitFor(/"server":"load-watcher".*"port":(\d+)/);
    watcherUrl = `http://127.0.0.1:${port}`;
    await eventually('the load-watcher being ready', 20_000, async () => {
      return (await fetch(`${watcherUrl}/readyz`)).status === 200 ? true : undefined;
    });
    schedulerPort = await freePort();
    const config = await live.file('config.yaml', schedulerConfig(watcherUrl));
    scheduler = ObservedProcess.node([
      builtMain('scheduler'),
      `--config=${config}`,
      `--kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${schedulerPort}`,
    ]);
    await scheduler.waitFor(/"msg":"scheduling"/);
  });

  after(async () => {
    await Promise.all([watcher?.kill(), scheduler?.kill()]);
    await live?.close();
  });

  it('serves what the nodes really use', async () => {
    const response = await fetch(`${watcherUrl}/watcher?host=busy-1`);
    const { data } = (await response.json()) as {
      data: { NodeMetricsMap: Record<string, { metrics: { type: string; value: number }[] }> };
    };
    const figures = data.NodeMetricsMap['busy-1']?.metrics.map(({ type, value }) => [
      type,
      Math.round(value),
    ]);
    expect(figures).to.deep.equal([
      ['CPU', 85],
      ['Memory', 20],
    ]);
  });

  it('binds every pod to the node with room by real load, which requests do not show, and writes events', async () => {
    const pods = ['a', 'b', 'c', 'd'];
    for (const name of pods) {
      live.cluster.createPod({
        metadata: { name, namespace: 'default' },
        spec: podSpec({ cpu: '100m', memory: '64Mi' }),
      });
    }
    const nodes = await eventually('binding all pods', 20_000, async () => {
      const placed = pods.map((name) => live.cluster.objects.get('pods', name, 'default').spec.nodeName);
      return placed.every((node) => node !== undefined) ? placed : undefined;
    });
    expect(nodes).to.deep.equal(['calm', 'calm', 'calm', 'calm']);
    const notes = await eventually('events of all pods', 10_000, async () => {
      const { items } = live.cluster.objects.list('events', {});
      return items.length < pods.length ? undefined : items.map(({ note }) => note ?? '');
    });
    expect(notes.sort((x, y) => (x < y ? -1 : 1))[0]).to.equal('Successfully assigned default/a to calm');
  });

  it('says why a pod can not be placed', async () => {
    live.cluster.createPod({
      metadata: { name: 'huge', namespace: 'default' },
      spec: podSpec({ cpu: '64' }),
    });
    const condition = await eventually('the condition', 10_000, async () => {
      const { status } = live.cluster.objects.get('pods', 'huge', 'default');
      return status?.conditions?.find(({ type }) => type === 'PodScheduled');
    });
    expect(condition).to.include({ status: 'False', reason: 'Unschedulable' });
    expect(condition.message).to.match(/^0\/3 nodes are available: 3 Insufficient cpu\./);
  });

  it('tell catamaran explain, over TLS, why a pod went where it is', async () => {
    const explain = ObservedProcess.node([
      builtMain('cli'),
      'explain',
      'default/a',
      `--scheduler=https://127.0.0.1:${schedulerPort}`,
    ]);
    const { code } = await explain.exited;
    expect({ code, stderr: explain.stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(explain.stdout).to.match(/^default\/a went to calm\n/);
    expect(explain.stdout).to.match(/^\* calm +10\.0 % .*towards-target$/m);
    expect(explain.stdout).to.match(/^ {2}busy-1 +85\.0 % .*past-target$/m);
  });

  it('end within five seconds of SIGTERM, with exit code 0', async () => {
    const ends = await Promise.all([scheduler.stop(), watcher.stop()]);
    for (const { code, tookMs } of ends) {
      expect(code).to.equal(0);
      expect(tookMs).to.be.below(5000);
    }
  });
});

function podSpec(requests: Readonly<Record<string, string>>): PodSpec {
  return {
    schedulerName: 'load-aware',
    containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests } }],
  };
}

function schedulerConfig(watcherAddress: string): string {
  return `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
profiles:
  - schedulerName: load-aware
    plugins:
      score:
        disabled: [{name: NodeResourcesFit}, {name: NodeResourcesBalancedAllocation}]
        enabled: [{name: TargetLoadPacking}]
    pluginConfig:
      - name: TargetLoadPacking
        args: {targetUtilization: 40, metricsMaxAge: 5m, watcherAddress: '${watcherAddress}'}
`;
}
