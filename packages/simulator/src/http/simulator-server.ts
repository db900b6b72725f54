import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Clock,
  type InMemoryCluster,
  type Logger,
  nodeMetricsOf,
  startHttpServer,
} from '@catamaran/platform';
import { discoveryDocument, SERVER_VERSION } from '../core/api/discovery.js';
import { type ApiRoute, routeOf } from '../core/api/route.js';
import { badRequest, methodNotAllowed, pathNotFound } from '../core/api/status.js';
import { internalError, sendJson, sendLargeJson, sendText, statusOf } from './json-response.js';
import { type CpuTotals, type IoTotals, NodePages } from './node-page.js';
import { ResourceHandler } from './resource-handler.js';

export interface SimulatorServerOptions {
  /** Loopback by default: the server asks nobody who they are. */
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Larger bodies are refused with 413; 3 MiB, as with a real server. */
  readonly bodyLimitBytes?: number;
}

export interface SimulatorServerDeps {
  readonly cluster: InMemoryCluster;
  /** The transport's clock. Objects and metrics carry the cluster's own time. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Exact CPU counters for the node-exporter pages; without it they are integrated from the readings. */
  readonly cpuTotals?: CpuTotals;
  /** Bytes over the network and to disk, for the same pages; without it they hold none. */
  readonly ioTotals?: IoTotals;
}

export interface RunningSimulatorServer {
  /** `http://127.0.0.1:PORT`: what a kubeconfig or HttpClusterApi takes as the API server. */
  readonly url: string;
  readonly port: number;
  /** Ends open watches and takes no new request. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_BODY_LIMIT_BYTES = 3 * 1024 * 1024;

/**
 * Serves a cluster as a Kubernetes API server would, and a node-exporter page per node at `/nodes/NAME/metrics`.
 * @throws ListenError when the address can't be had.
 */
export async function startSimulatorServer(
  options: SimulatorServerOptions,
  deps: SimulatorServerDeps,
): Promise<RunningSimulatorServer> {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const front = new ApiFront(options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES, deps, stop.signal);
  const server = await startHttpServer(
    {
      host: options.host ?? '127.0.0.1',
      port: options.port,
      name: 'embedded cluster',
      listener: (request, response) => void front.answer(request, response),
    },
    { log: deps.log },
  );
  const close = async (): Promise<void> => {
    stop.abort(new DOMException('the server is closing', 'AbortError'));
    await server.close();
  };
  return { url: server.url, port: server.port, close };
}

/** Finds who answers a request, and turns every failure into a Status. */
class ApiFront {
  readonly #deps: SimulatorServerDeps;
  readonly #stop: AbortSignal;
  readonly #resources: ResourceHandler;
  readonly #nodePages: NodePages;

  constructor(bodyLimitBytes: number, deps: SimulatorServerDeps, stop: AbortSignal) {
    this.#deps = deps;
    this.#stop = stop;
    this.#resources = new ResourceHandler({ cluster: deps.cluster, clock: deps.clock, bodyLimitBytes });
    this.#nodePages = new NodePages(deps.cluster, deps);
  }

  /** Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const onStop = (): void => gone.abort(this.#stop.reason);
    this.#stop.addEventListener('abort', onStop, { once: true });
    response.once('close', () => gone.abort(new DOMException('the client is gone', 'AbortError')));
    response.on('error', () => gone.abort());
    try {
      await this.#dispatch(request, response, gone.signal);
    } catch (error) {
      if (gone.signal.aborted) response.destroy();
      else this.#refuse(request, response, error);
    } finally {
      this.#stop.removeEventListener('abort', onStop);
    }
  }

  async #dispatch(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const url = parseTarget(request.url ?? '/');
    const route = routeOf(url.pathname);
    if (route.type === 'resource') {
      await this.#resources.handle({ route, query: url.searchParams, request, response, signal });
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    await this.#fixed(route, response, signal);
  }

  async #fixed(
    route: Exclude<ApiRoute, { type: 'resource' }>,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    switch (route.type) {
      case 'health':
        return sendText(response, 200, 'ok');
      case 'version':
        return sendJson(response, 200, SERVER_VERSION);
      case 'discovery':
        return sendJson(response, 200, discoveryDocument(route.path) ?? raise(pathNotFound()));
      case 'nodeMetrics':
        return await this.#nodeMetrics(route.name, response, signal);
      case 'nodePage': {
        const page = this.#nodePages.render(route.nodeName) ?? raise(pathNotFound());
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
        response.end(page);
      }
    }
  }

  async #nodeMetrics(name: string | undefined, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { cluster } = this.#deps;
    const type = { kind: 'NodeMetrics', apiVersion: 'metrics.k8s.io/v1beta1' };
    if (name === undefined) {
      const items = (await cluster.listNodeMetrics(signal)).map((item) => ({ ...type, ...item }));
      return await sendLargeJson(response, 200, {
        ...type,
        kind: 'NodeMetricsList',
        metadata: {},
        items,
      });
    }
    const node = cluster.objects.get('nodes', name);
    const usage = cluster.nodeUsage(name) ?? raise(pathNotFound());
    sendJson(response, 200, { ...type, ...nodeMetricsOf(node, usage, cluster.nowMs()) });
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const known = statusOf(error);
    if (known === undefined) {
      this.#deps.log.error('request failed', { method: request.method, url: request.url, error });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const status = known ?? internalError();
    // A body that was not read to its end would be taken for the next request.
    if (!request.complete) response.setHeader('connection', 'close');
    const seconds = status.details?.retryAfterSeconds;
    if (seconds !== undefined) response.setHeader('retry-after', seconds);
    sendJson(response, status.code, status);
  }
}

function parseTarget(target: string): URL {
  const base = 'http://server';
  if (!target.startsWith('/') || !URL.canParse(`${base}${target}`))
    throw badRequest('the request target is not a path');
  return new URL(`${base}${target}`);
}

function raise(error: Error): never {
  throw error;
}
