import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Pod } from '@catamaran/model';
import { type HttpClusterApi, Reflector, SystemClock, silentLogger } from '@catamaran/platform';
import { LoadModel, type PodLoad, steadyCurve } from '@catamaran/simulator';
import type { KeyPair } from '../control-plane/certificates.js';
import { CPU_SHARE_LABEL, type NodePlace, plannedNode } from './cluster-plan.js';
import { loadSpec, milliOf, NodePages, wholeOf } from './node-pages.js';

const MEMORY_SHARE = 0.6;

/**
 * One HTTPS listener for each node on an address of its own (127.0.1.1, …), serving `/metrics/resource` and, as
 * `/metrics`, the page of a node-exporter, both from the load model. Pods that get a node begin to use it at once.
 */
export class FakeKubelets {
  readonly model: LoadModel;
  readonly nodes: readonly ReturnType<typeof plannedNode>[];
  readonly #servers: readonly Server[];
  readonly #pods: Reflector<'pods'>;
  readonly #pages: NodePages;
  /** By how much the clocks of all nodes are ahead. */
  clockAheadMs = 0;
  /** Node name → what becomes of the page of its exporter. */
  readonly exporterEdits = new Map<string, (page: string) => string>();

  private constructor(parts: {
    readonly servers: readonly Server[];
    readonly nodes: FakeKubelets['nodes'];
    readonly model: LoadModel;
    readonly api: HttpClusterApi;
  }) {
    this.#servers = parts.servers;
    this.nodes = parts.nodes;
    this.model = parts.model;
    this.#pages = new NodePages(parts.nodes, parts.model);
    this.#pods = new Reflector(
      { kind: 'pods', fieldSelector: 'spec.nodeName!=' },
      { api: parts.api, clock: new SystemClock(), log: silentLogger, random: Math.random },
    );
    this.#pods.start({
      onReplace: (_items, { upserted, deleted }) => {
        for (const pod of deleted) this.#remove(pod);
        for (const pod of upserted) this.#place(pod);
      },
      onUpsert: (pod) => this.#place(pod),
      onDelete: (pod) => this.#remove(pod),
    });
  }

  /** Listens for `count` nodes; the node objects in `nodes` are not created yet. */
  static async start(
    count: number,
    deps: { readonly tls: KeyPair; readonly api: HttpClusterApi },
  ): Promise<FakeKubelets> {
    const nodes: ReturnType<typeof plannedNode>[] = [];
    const servers: Server[] = [];
    let kubelets: FakeKubelets | undefined;
    for (let index = 0; index < count; index += 1) {
      const name = () => nodes[index]?.metadata.name ?? '';
      const server = createServer({ cert: deps.tls.certPem, key: deps.tls.keyPem }, (incoming, response) => {
        response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' });
        response.end(kubelets?.page(name(), incoming.url ?? ''));
      });
      servers.push(server);
      nodes.push(plannedNode(index, await listen(server, ipOf(index))));
    }
    const model = new LoadModel(nodes.map(loadSpec), Date.now());
    kubelets = new FakeKubelets({ servers, nodes, model, api: deps.api });
    return kubelets;
  }

  page(nodeName: string, path: string): string {
    if (path.startsWith('/metrics/resource')) return this.#pages.resource(nodeName, this.clockAheadMs);
    const page = this.#pages.exporter(nodeName);
    return this.exporterEdits.get(nodeName)?.(page) ?? page;
  }

  async close(): Promise<void> {
    await this.#pods.close();
    await Promise.all(
      this.#servers.map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  }

  #place(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    this.model.place({ uid, nodeName: pod.spec.nodeName ?? '', load: loadOf(pod) }, Date.now());
  }

  #remove(pod: Pod): void {
    this.model.remove(pod.metadata.uid ?? '', Date.now());
  }
}

function ipOf(index: number): string {
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

function listen(server: Server, ip: string): Promise<NodePlace> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, ip, () => resolve({ ip, kubeletPort: (server.address() as AddressInfo).port }));
  });
}

function loadOf(pod: Pod): PodLoad {
  const requests = (pod.spec.containers ?? []).map(({ resources }) => resources?.requests);
  const sharePercent = Number(pod.metadata.labels?.[CPU_SHARE_LABEL] ?? 50);
  return {
    cpuRequestMilli: requests.reduce((sum, list) => sum + milliOf(list?.cpu), 0),
    memoryRequestBytes: requests.reduce((sum, list) => sum + wholeOf(list?.memory), 0),
    cpuCurve: steadyCurve(sharePercent / 100),
    memoryCurve: steadyCurve(sharePercent === 0 ? 0 : MEMORY_SHARE),
  };
}
