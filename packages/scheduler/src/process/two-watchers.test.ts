import { createLoadWatcherApp, LoadWatcher } from '@catamaran/load-watcher';
import type { WatcherClient } from '@catamaran/load-watcher/client';
import {
  InMemoryCluster,
  MetricsRegistry,
  silentLogger,
  startHttpServer,
  VirtualClock,
} from '@catamaran/platform';
import { InMemoryMetricsProvider, nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { loadSchedulerConfig } from '../config/load-scheduler-config.js';
import { loadSources } from '../service/load-source.js';
import { SchedulerService } from '../service/scheduler-service.js';
import { createWatcherClients } from './watcher-clients.js';

const START_MS = 1_800_000_000_000;

/** Two profiles of one process, each with a load-watcher, a target and a multiplier of its own. */
const configText = (addresses: readonly string[]): string => `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {qps: -1}
profiles:
${[
  ['low', '{targetUtilization: 40, defaultRequestsMultiplier: "1.5"'],
  ['high', '{targetUtilization: 80, defaultRequestsMultiplier: "3"'],
]
  .map(
    ([name, args], index) => `- schedulerName: ${name}
  plugins: {score: {disabled: [{name: "*"}], enabled: [{name: TargetLoadPacking}]}}
  pluginConfig: [{name: TargetLoadPacking, args: ${args}, watcherAddress: "${addresses[index]}"}}]
`,
  )
  .join('')}`;

describe('two TargetLoadPacking profiles', () => {
  const clock = new VirtualClock(START_MS);
  const running: { close(): Promise<unknown> }[] = [];
  let cluster: InMemoryCluster;
  let service: SchedulerService;

  async function startWatcher(percent: Readonly<Record<string, number>>): Promise<string> {
    const provider = new InMemoryMetricsProvider();
    for (const [node, cpu] of Object.entries(percent)) {
      provider.usage = { ...provider.usage, [node]: { cpu, memory: 50 } };
    }
    const metrics = new MetricsRegistry();
    const watcher = new LoadWatcher(
      { refreshIntervalMs: 60_000, maxAgeMs: 300_000 },
      { provider, clock, log: silentLogger, metrics },
    );
    const app = createLoadWatcherApp({ config: {} }, { watcher, clock, log: silentLogger, metrics });
    const server = await startHttpServer(
      { host: '127.0.0.1', port: 0, listener: app.listener, name: 'watcher' },
      { log: silentLogger },
    );
    running.push(watcher, server);
    watcher.start();
    await watcher.settled();
    return server.url;
  }

  before(async () => {
    cluster = new InMemoryCluster({}, { clock });
    for (const name of ['a', 'b']) cluster.createNode(nodeOf(name, { cpu: '4' }));
    const addresses = [await startWatcher({ a: 30, b: 10 }), await startWatcher({ a: 10, b: 50 })];
    const loaded = loadSchedulerConfig(configText(addresses), 'two.yaml');
    if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
    const metrics = new MetricsRegistry();
    const deps = { api: cluster, clock, log: silentLogger, metrics, random: () => 0.5 };
    const watcherClients: ReadonlyMap<string, WatcherClient> = createWatcherClients(
      loadSources(loaded.config),
      deps,
    );
    running.push(...watcherClients.values());
    for (const client of watcherClients.values()) await client.refresh(new AbortController().signal);
    service = new SchedulerService({ config: loaded.config, instance: 'test' }, { ...deps, watcherClients });
    running.push(service);
    await service.start();
  });
  after(() => Promise.all(running.map((part) => part.close())));

  async function place(name: string, schedulerName: string) {
    cluster.createPod(podOf(name, { schedulerName, requests: { cpu: '200m' } }));
    await service.settled({ pods: cluster.latestVersion('pods') });
    const [decision] = service.explainer.recorded(`default/${name}`);
    const { chosen, nodes = [] } = decision ?? {};
    return { chosen, totals: Object.fromEntries(nodes.map((node) => [node.name, node.total])) };
  }

  // 200m × 1.5 = 300m, 7.5 % of 4 cores, toward 40: a 37.5 % -> 96, b 17.5 % -> 66.
  // 200m × 3 = 600m, 15 %, toward 80, the first pod on a counting 15 % there too: a 40 % -> 90, b 65 % -> 96.
  it('stay apart: each goes by its own watcher, target and multiplier', async () => {
    expect(await place('first', 'low')).to.deep.equal({ chosen: 'a', totals: { a: 96, b: 66 } });
    expect(await place('second', 'high')).to.deep.equal({ chosen: 'b', totals: { a: 90, b: 96 } });
  });
});
