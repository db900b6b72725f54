import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryCluster, SystemClock, silentLogger } from '@catamaran/platform';
import {
  type IoRates,
  LoadModel,
  type NodeLoadSpec,
  type RunningSimulatorServer,
  startSimulatorServer,
  steadyCurve,
} from '@catamaran/simulator';

const GIB = 1024 ** 3;

/** A node of 4 cores and 8 GiB that uses this much, and what it is for a test. */
export interface LiveNode {
  readonly name: string;
  readonly cpuPercent: number;
  readonly memoryPercent: number;
  /** None unless given. */
  readonly io?: IoRates;
}

/** An embedded cluster in real time behind its HTTP server, with a kubeconfig that leads there. */
export class LiveCluster {
  readonly cluster: InMemoryCluster;
  readonly server: RunningSimulatorServer;
  readonly folder: string;

  private constructor(parts: { cluster: InMemoryCluster; server: RunningSimulatorServer; folder: string }) {
    this.cluster = parts.cluster;
    this.server = parts.server;
    this.folder = parts.folder;
  }

  static async start(nodes: readonly LiveNode[]): Promise<LiveCluster> {
    const clock = new SystemClock();
    const model = new LoadModel(nodes.map(loadSpec), clock.nowMs());
    for (const node of nodes) {
      model.place({ uid: node.name, nodeName: node.name, load: steadyLoad(node) }, clock.nowMs());
    }
    const nodeUsage = (name: string, nowMs: number) => model.usage(name, nowMs);
    const cluster = new InMemoryCluster({}, { clock, nodeUsage });
    for (const { name } of nodes) {
      const resources = { cpu: '4', memory: '8Gi', pods: '110' };
      cluster.createNode({
        metadata: { name },
        status: { capacity: resources, allocatable: resources },
      });
    }
    const cpuTotals = (name: string, nowMs: number) => model.cpuTotals(name, nowMs);
    const ioTotals = (name: string, nowMs: number) => model.ioTotals(name, nowMs);
    const deps = { cluster, clock, log: silentLogger, cpuTotals, ioTotals };
    const server = await startSimulatorServer({ port: 0 }, deps);
    return new LiveCluster({ cluster, server, folder: await mkdtemp(join(tmpdir(), 'live-cluster-')) });
  }

  /** Writes a file into the test's folder and gives its path. */
  async file(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }

  kubeconfig(): Promise<string> {
    return this.file(
      'kubeconfig',
      `apiVersion: v1
kind: Config
clusters: [{name: live, cluster: {server: '${this.server.url}', insecure-skip-tls-verify: true}}]
contexts: [{name: live, context: {cluster: live, user: ''}}]
current-context: live
users: []
`,
    );
  }

  async close(): Promise<void> {
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function loadSpec({ name }: LiveNode): NodeLoadSpec {
  return {
    name,
    cpuCapacityMilli: 4000,
    memoryCapacityBytes: 8 * GIB,
    idleCpuMilli: 0,
    idleMemoryBytes: 0,
  };
}

function steadyLoad({ cpuPercent, memoryPercent, io }: LiveNode) {
  return {
    cpuRequestMilli: 4000,
    memoryRequestBytes: 8 * GIB,
    cpuCurve: steadyCurve(cpuPercent / 100),
    memoryCurve: steadyCurve(memoryPercent / 100),
    ...(io === undefined ? {} : { io }),
  };
}
