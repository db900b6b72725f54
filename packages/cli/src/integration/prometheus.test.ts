import { expect } from 'chai';
import { eventually } from './eventually.js';
import { LiveCluster, type LiveNode } from './live-cluster.js';
import { builtMain, ObservedProcess } from './observed-process.js';
import { missingPrograms, RealPrometheus } from './real-prometheus.js';

const NODES: readonly LiveNode[] = [
  { name: 'node-a', cpuPercent: 73, memoryPercent: 41 },
  { name: 'node-b', cpuPercent: 8, memoryPercent: 90 },
];

interface Figures {
  readonly cpu: number;
  readonly memory: number;
}

describe('load-watcher on a real Prometheus that scrapes the embedded cluster', function () {
  this.timeout(90_000);
  let live: LiveCluster;
  let prometheus: RealPrometheus | undefined;
  const running: ObservedProcess[] = [];

  before(async function () {
    if (missingPrograms(['prometheus']).length > 0) {
      if (process.env.CI === 'true')
        throw new Error('prometheus is not installed: apt-get install prometheus');
      this.skip();
    }
    live = await LiveCluster.start(NODES);
  });
  after(async () => {
    await Promise.all(running.map((child) => child.kill()));
    await prometheus?.close();
    await live?.close();
  });

  it('serves figures that equal the load model', async () => {
    const prometheusUrl = await startPrometheus();
    const watcher = ObservedProcess.node([
      builtMain('load-watcher'),
      '--port=0',
      '--bind-address=127.0.0.1',
      '--metrics-provider-name=Prometheus',
      `--metrics-provider-address=${prometheusUrl}`,
      `--kubeconfig=${await live.kubeconfig()}`,
      '--refresh-interval=1s',
    ]);
    running.push(watcher);
    const [, port] = await watcher.waitFor(/"server":"load-watcher".*"port":(\d+)/);
    const figures = await eventually('figures of both nodes', 60_000, () =>
      readFigures(`http://127.0.0.1:${port}/watcher`),
    );
    for (const { name, cpuPercent, memoryPercent } of NODES) {
      expect(figures.get(name)?.cpu, `CPU of ${name}`).to.be.closeTo(cpuPercent, 1);
      expect(figures.get(name)?.memory, `memory of ${name}`).to.be.closeTo(memoryPercent, 0.5);
    }
  });

  async function startPrometheus(): Promise<string> {
    const target = live.server.url.replace('http://', '');
    prometheus = await RealPrometheus.start(
      NODES.map(({ name }) => ({ node: name, target, path: `/nodes/${name}/metrics` })),
    );
    return prometheus.url;
  }
});

/** Undefined while a node or a figure is missing. */
async function readFigures(url: string): Promise<ReadonlyMap<string, Figures> | undefined> {
  const response = await fetch(url);
  if (response.status !== 200) return undefined;
  const { data } = (await response.json()) as {
    data: {
      NodeMetricsMap: Record<string, { metrics: { type: string; operator: string; value: number }[] }>;
    };
  };
  const found = new Map<string, Figures>();
  for (const { name } of NODES) {
    const metrics = data.NodeMetricsMap[name]?.metrics ?? [];
    const average = (type: string): number | undefined =>
      metrics.find((metric) => metric.type === type && metric.operator === 'AVG')?.value;
    const [cpu, memory] = [average('CPU'), average('Memory')];
    if (cpu === undefined || memory === undefined) return undefined;
    found.set(name, { cpu, memory });
  }
  return found;
}
