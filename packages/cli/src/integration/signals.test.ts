import { readFile, statfs } from 'node:fs/promises';
import { MetricsRegistry, SystemClock, silentLogger } from '@catamaran/platform';
import {
  createSignalReaders,
  loadSchedulerConfig,
  type SchedulerConfig,
  SchedulerService,
  signalPoliciesOf,
  signalSources,
} from '@catamaran/scheduler';
import { nodeOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { eventually } from './eventually.js';
import { ExporterPages, type PageLines } from './exporter-page.js';
import { LiveCluster, type LiveNode } from './live-cluster.js';
import { builtMain, ObservedProcess } from './observed-process.js';
import { freePort, missingPrograms, RealPrometheus } from './real-prometheus.js';

const PROGRAMS = ['prometheus', 'prometheus-node-exporter'];
const MB = 1e6;
const TRAFFIC = ['CPUTraffic', 'MemoryTraffic', 'DiskTraffic', 'DiskSpaceTraffic', 'NetworkTraffic'];

/** What an exporter must have for each plugin. */
const OF_A_MACHINE: Readonly<Record<string, string>> = {
  CPUTraffic: 'node_cpu_seconds_total',
  MemoryTraffic: 'node_memory_MemAvailable_bytes',
  DiskTraffic: 'node_disk_read_bytes_total{device=~"vd[a-z]|sd[a-z]|nvme[0-9]+n[0-9]+"}',
  DiskSpaceTraffic: 'node_filesystem_avail_bytes{mountpoint="/", fstype=~"ext4|xfs|btrfs"}',
  NetworkTraffic: 'node_network_receive_bytes_total{device=~"eth.*|en.*"}',
};

/** Of the embedded cluster; each plugin likes another node best. */
const NODES: readonly LiveNode[] = [
  {
    name: 'node-a',
    cpuPercent: 75,
    memoryPercent: 20,
    io: { receive: 40 * MB, transmit: 0, read: 1 * MB, write: 1 * MB },
  },
  {
    name: 'node-b',
    cpuPercent: 20,
    memoryPercent: 80,
    io: { receive: 10 * MB, transmit: 0, read: 30 * MB, write: 10 * MB },
  },
];

const received = (device: string, bytes: number): string =>
  `node_network_receive_bytes_total{device="${device}"} ${bytes}`;

const QUEUES_FULL = ['queue_depth{host="node-a"} 95', 'queue_depth{host="node-b"} 81'];

/** Pages of nodes with what went wrong elsewhere. */
const PAGES: Readonly<Record<string, PageLines>> = {
  // C23: members of a bond, the bond, and what carries their traffic once more.
  bonded: (s) => [
    received('eth0', 10 * MB * s),
    received('eth1', 10 * MB * s),
    received('bond0', 20 * MB * s),
    received('veth12ab', 18 * MB * s),
    received('cni0', 9 * MB * s),
    received('lo', 50 * MB * s),
    received('eth0.100', 5 * MB * s),
  ],
  // C24: a share without a size beside the root, and the root as a container sees it.
  shared: () =>
    ['size 100e9 0 7e9', 'avail 40e9 0 7e9'].flatMap((text) => {
      const [what, root, share, overlay] = text.split(' ');
      return [
        `node_filesystem_${what}_bytes{device="/dev/sda1",fstype="ext4",mountpoint="/"} ${root}`,
        `node_filesystem_${what}_bytes{device="//nas/x",fstype="cifs",mountpoint="/"} ${share}`,
        `node_filesystem_${what}_bytes{device="overlay",fstype="overlay",mountpoint="/"} ${overlay}`,
      ];
    }),
  // C25: up for sixty days and calm; up for ten minutes and busy; restarted every three seconds.
  old: (s) => [received('eth0', 40e12 + 1 * MB * s)],
  young: (s) => [received('eth0', 3e9 + 90 * MB * s)],
  restarting: (s) => [received('eth0', 2 * MB * (s % 3))],
  queue: () => QUEUES_FULL,
  // Has all that the plugins ask for, until its exporter dies.
  mortal: (s) => [
    `node_cpu_seconds_total{cpu="0",mode="idle"} ${s}`,
    'node_memory_MemAvailable_bytes 1e9',
    'node_memory_MemTotal_bytes 2e9',
    'node_filesystem_avail_bytes{device="/dev/sda1",fstype="xfs",mountpoint="/"} 1e9',
    'node_filesystem_size_bytes{device="/dev/sda1",fstype="xfs",mountpoint="/"} 4e9',
    `node_disk_read_bytes_total{device="sda"} ${s}`,
    `node_disk_written_bytes_total{device="sda"} ${s}`,
    received('eth0', s),
  ],
  // C27
  idle: () => [received('eth0', 123)],
};

describe('signals of a real Prometheus', function () {
  this.timeout(120_000);
  let live: LiveCluster;
  let pages: ExporterPages;
  let exporter: ObservedProcess;
  let prometheus: RealPrometheus;

  before(async function () {
    const missing = missingPrograms(PROGRAMS);
    if (missing.length > 0) {
      if (process.env.CI === 'true')
        throw new Error(`not installed: ${missing.join(', ')}; apt-get install ${missing.join(' ')}`);
      this.skip();
    }
    live = await LiveCluster.start(NODES);
    pages = await ExporterPages.start(PAGES);
    const port = await freePort();
    exporter = new ObservedProcess('prometheus-node-exporter', [`--web.listen-address=127.0.0.1:${port}`]);
    const target = live.server.url.replace('http://', '');
    prometheus = await RealPrometheus.start([
      ...NODES.map(({ name }) => ({ node: name, target, path: `/nodes/${name}/metrics` })),
      ...Object.keys(PAGES).map((node) => ({ node, target: pages.target, path: `/${node}` })),
      { node: 'machine', target: `127.0.0.1:${port}` },
    ]);
    await eventually('twelve scrapes of every page', 60_000, async () => {
      const counts = await prometheus.query('count_over_time(up[5m]) and up == 1');
      const enough = counts.filter(({ value }) => value >= 12);
      return enough.length === NODES.length + Object.keys(PAGES).length + 1 ? true : undefined;
    });
  });

  after(async () => {
    await prometheus?.close();
    await exporter?.kill();
    await pages?.close();
    await live?.close();
  });

  /** What each plugin's one query says of each node. */
  async function read(args = ''): Promise<Readonly<Record<string, ReadonlyMap<string, number>>>> {
    const policies = configured(trafficConfig(prometheus.url, args)).profiles.flatMap(signalPoliciesOf);
    const readers = createSignalReaders(
      policies.map(({ source }) => source),
      { clock: new SystemClock(), random: Math.random },
    );
    const names = [...NODES.map(({ name }) => name), ...Object.keys(PAGES), 'machine', 'without-exporter'];
    const nodes = names.map((name) => nodeOf(name));
    const values = await Promise.all(
      policies.map(async ({ plugin, source, uses }) => {
        const queries = uses.map(({ spec: { promql } }) => ({ promql }));
        expect(queries, `queries of ${plugin}`).to.have.length(1);
        const [answer] =
          (await readers.get(source.key)?.read({ queries, nodes }, new AbortController().signal)) ?? [];
        if (answer?.ok !== true) throw new Error(`${plugin}: ${answer?.problem ?? 'no answer'}`);
        expect(answer.value.unmatched, `unmatched series of ${plugin}`).to.deep.equal([]);
        const samples = answer.value.samples.map(({ node, value }) => [node, value] as const);
        expect(new Set(samples.map(([node]) => node)).size, `one series a node, ${plugin}`).to.equal(
          samples.length,
        );
        return [plugin, new Map(samples)] as const;
      }),
    );
    await Promise.all([...readers.values()].map((reader) => reader.close()));
    return Object.fromEntries(values);
  }

  it("read the embedded cluster's pages as the load model has it, disks and network counted once", async () => {
    const values = await read();
    const of = (plugin: string) => NODES.map(({ name }) => values[plugin]?.get(name) ?? Number.NaN);
    const near = (plugin: string, expected: readonly number[], share: number): void => {
      of(plugin).forEach((value, index) => {
        const wanted = expected[index] ?? Number.NaN;
        expect(value, `${plugin} of ${NODES[index]?.name}`).to.be.closeTo(wanted, wanted * share);
      });
    };
    near('CPUTraffic', [25, 80], 0.02);
    near('MemoryTraffic', [80, 20], 0.02);
    near('NetworkTraffic', [40 * MB, 10 * MB], 0.05);
    near('DiskTraffic', [2 * MB, 40 * MB], 0.05);
    near('DiskSpaceTraffic', [50, 50], 0.05);
    const [calmer, busier] = of('DiskSpaceTraffic');
    expect(calmer).to.be.above(busier ?? Number.NaN);
  });

  it('C23: a bond, its members, bridges and tunnels are not summed; a named device is what it is', async () => {
    expect((await read()).NetworkTraffic?.get('bonded')).to.be.closeTo(20 * MB, 1 * MB);
    const named = await read('deviceName: bond0');
    expect(named.NetworkTraffic?.get('bonded')).to.be.closeTo(20 * MB, 1 * MB);
    expect((await read('deviceName: "cni0, eth1"')).NetworkTraffic?.get('bonded')).to.be.closeTo(
      19 * MB,
      1 * MB,
    );
  });

  it('C24: file systems without a size, and those of containers, say nothing about space', async () => {
    expect((await read()).DiskSpaceTraffic?.get('shared')).to.equal(40);
  });

  it('C25: rates count, not what counters have summed up; a restart is no traffic', async () => {
    const { NetworkTraffic } = await read();
    expect(NetworkTraffic?.get('old')).to.be.closeTo(1 * MB, 0.1 * MB);
    expect(NetworkTraffic?.get('young')).to.be.closeTo(90 * MB, 5 * MB);
    expect(NetworkTraffic?.get('restarting')).to.be.within(1 * MB, 3 * MB);
  });

  it('C26, C27: a node without an exporter has no value; an idle one has 0', async () => {
    const { NetworkTraffic } = await read();
    expect(NetworkTraffic?.has('without-exporter')).to.equal(false);
    expect(NetworkTraffic?.get('idle')).to.equal(0);
  });

  it('a node that is not scraped any more has no value, however far the range reaches back', async () => {
    const withValue = async (): Promise<readonly string[]> => {
      const values = await read();
      return TRAFFIC.filter((plugin) => values[plugin]?.has('mortal') === true);
    };
    expect(await withValue()).to.deep.equal(TRAFFIC);
    pages.remove('mortal');
    await eventually('the end of its values', 30_000, async () =>
      (await withValue()).length === 0 ? true : undefined,
    );
    expect(
      (await prometheus.query('rate(node_network_receive_bytes_total{node="mortal"}[5m])')).length,
    ).to.equal(1);
  });

  it('a real node-exporter gives every plugin a value, and the right one where this machine can tell', async () => {
    const values = await read();
    const has = async (plugin: string): Promise<boolean> =>
      (await prometheus.query(`${OF_A_MACHINE[plugin] ?? ''} and on (node) up{node="machine"}`)).length > 0;
    for (const plugin of TRAFFIC) {
      // In a container there may be neither disks nor a file system of its own.
      if (await has(plugin)) expect(values[plugin]?.get('machine'), plugin).to.be.at.least(0);
    }
    const meminfo = await readFile('/proc/meminfo', 'utf8');
    const kib = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(meminfo)?.[1]);
    const available = (100 * kib('MemAvailable')) / kib('MemTotal');
    expect(values.MemoryTraffic?.get('machine')).to.be.closeTo(available, 15);
    expect(values.CPUTraffic?.get('machine')).to.be.within(0, 100);
    const { bavail, blocks } = await statfs('/');
    if (await has('DiskSpaceTraffic')) {
      expect(values.DiskSpaceTraffic?.get('machine')).to.be.closeTo((100 * bavail) / blocks, 2);
    }
  });

  it('the published file and command line bind pods to the node that the plugins like best', async () => {
    const config = await live.file('published.yaml', await published(prometheus.url));
    const scheduler = ObservedProcess.node([
      builtMain('scheduler'),
      '--logtostderr=true',
      '--address=127.0.0.1',
      '--v=6',
      `--config=${config}`,
      `--kubeconfig=${await live.kubeconfig()}`,
      // The ports of this machine may be taken.
      '--port=0',
      '--secure-port=0',
    ]);
    try {
      await scheduler.waitFor(/"msg":"scheduling"/);
      for (const name of ['p1', 'p2', 'p3']) createPod(live, name, 'custom-scheduler');
      const nodes = await eventually('binding three pods', 20_000, () => nodesOf(live, ['p1', 'p2', 'p3']));
      // CPU 3 × 31, memory 4 × 100, space 3 × 100, network 2 × 0 against 3 × 100, 4 × 25, 3 × 99, 2 × 75.
      expect(new Set(nodes)).to.deep.equal(new Set(['node-b']));
    } finally {
      await scheduler.kill();
    }
  });

  it('a pod that every node is too loaded for waits, says why, and is placed when load falls', async () => {
    const config = configured(ceilingConfig(prometheus.url));
    const clock = new SystemClock();
    const signalReaders = createSignalReaders(signalSources(config), { clock, random: Math.random });
    const registry = new MetricsRegistry();
    const service = new SchedulerService(
      { config, pollIntervalMs: 300 },
      {
        api: live.cluster,
        watcherClients: new Map(),
        signalReaders,
        clock,
        log: silentLogger,
        metrics: registry,
      },
    );
    try {
      await service.start();
      createPod(live, 'waiting', 'ceiling');
      const message = await eventually('the refusal', 20_000, () => refusalOf(live, 'waiting'));
      expect(message).to.equal('0/2 nodes are available: 2 node(s) had signal queue above the ceiling.');
      const explained = service.explainer.recorded('default/waiting').at(-1);
      const inputs = explained?.nodes.map(({ inputs: each }) => each?.LoadCeiling?.ceilings);
      expect(inputs).to.have.length(2);
      expect(inputs?.[0]).to.have.nested.property('queue.percent', 95);
      expect(inputs?.[0]).to.have.nested.property('queue.ageSeconds');
      expect((await registry.render()).body).to.match(
        /^catamaran_scheduler_signal_age_seconds\{profile="ceiling",plugin="LoadCeiling",signal="queue"\} /m,
      );
      pages.set('queue', () => ['queue_depth{host="node-a"} 95', 'queue_depth{host="node-b"} 12']);
      expect(await eventually('the binding', 30_000, () => nodesOf(live, ['waiting']))).to.deep.equal([
        'node-b',
      ]);
    } finally {
      await service.close();
      await Promise.all([...signalReaders.values()].map((reader) => reader.close()));
    }
  });
});

function configured(text: string): SchedulerConfig {
  const loaded = loadSchedulerConfig(text, 'test.yaml');
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

function trafficConfig(url: string, args: string): string {
  const each = (line: (plugin: string) => string): string => TRAFFIC.map(line).join('\n');
  return `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
profiles:
- schedulerName: traffic
  plugins:
    score:
      enabled:
${each((name) => `      - name: ${name}`)}
  pluginConfig:
${each((name) => `  - name: ${name}\n    args: {ip: '${url}', timeRange: 5${args === '' ? '' : `, ${args}`}}`)}
`;
}

/** As published, but for the address of Prometheus. */
async function published(url: string): Promise<string> {
  const text = await readFile(
    new URL('../../../../packages/scheduler/src/config/testdata/traffic-v1beta1.yaml', import.meta.url),
    'utf8',
  );
  return text.replaceAll('http://172.19.32.140:9090', url);
}

function ceilingConfig(url: string): string {
  return `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
profiles:
- schedulerName: ceiling
  plugins:
    filter:
      enabled: [{name: LoadCeiling}]
  pluginConfig:
  - name: LoadCeiling
    args:
      prometheus: {address: '${url}'}
      ceilings: {queue: 80}
      signals: [{name: queue, promQL: queue_depth, unit: percent, nodeLabel: host}]
`;
}

function createPod(live: LiveCluster, name: string, schedulerName: string): void {
  const resources = { requests: { cpu: '10m', memory: '16Mi' } };
  live.cluster.createPod({
    metadata: { name, namespace: 'default' },
    spec: { schedulerName, containers: [{ name: 'main', image: 'registry.example/app:1', resources }] },
  });
}

/** Undefined while one of the pods has none. */
async function nodesOf(live: LiveCluster, pods: readonly string[]): Promise<readonly string[] | undefined> {
  const nodes = pods.flatMap((name) => live.cluster.objects.get('pods', name, 'default').spec.nodeName ?? []);
  return nodes.length === pods.length ? nodes : undefined;
}

/** Why the pod is not placed; undefined while nobody has said so. */
async function refusalOf(live: LiveCluster, pod: string): Promise<string | undefined> {
  const { status } = live.cluster.objects.get('pods', pod, 'default');
  return status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
}
