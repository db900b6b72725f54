import type { KubernetesEvent, Lease, NodeMetricsObject, Pod } from '@catamaran/model';
import type { Clock } from '../../clock/clock.js';
import type { Logger } from '../../log/logger.js';
import {
  type BindRequest,
  type ClusterApi,
  ClusterApiError,
  type EventSeriesPatch,
  type ListPage,
  type ListQuery,
  type PodStatusPatch,
  type ResourceKind,
  type ResourceTypes,
  type WatchEvent,
  type WatchQuery,
} from '../cluster-api.js';
import type { ClusterConnection } from '../connection/cluster-connection.js';
import { ApiTransport } from './api-transport.js';
import { LineSplitter } from './line-splitter.js';
import { readPage } from './list-page.js';
import { NamelessObjects } from './nameless-objects.js';
import {
  COLLECTION_PATHS,
  eventsPath,
  leasesPath,
  NODE_METRICS_PATH,
  podPath,
  queryString,
} from './resource-paths.js';
import { decodeWatchLine } from './watch-decoder.js';

const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_CONNECTIONS = 32;
/** Bookmarks come about each minute. */
const DEFAULT_WATCH_SILENCE_MS = 180_000;
/** etcd takes objects of 1.5 MB; JSON and managed fields may make more of them. */
const MAX_WATCH_LINE_BYTES = 32 * 1024 * 1024;
const STRATEGIC_MERGE = 'application/strategic-merge-patch+json';
const LEASE_TYPE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } as const;
const MERGE = 'application/merge-patch+json';

export interface HttpClusterApiOptions {
  readonly connection: ClusterConnection;
  /** Deadline of one call, all of it; 30 s. */
  readonly requestTimeoutMs?: number;
  /** A watch that carries nothing for so long is cut; 180 s. */
  readonly watchSilenceMs?: number;
  /** Sockets for calls; watches have their own. 32. */
  readonly maxConnections?: number;
  /** Longer answers to calls are refused; 64 MiB, ten times a page of 500 large pods. */
  readonly maxBodyBytes?: number;
  readonly userAgent?: string;
}

export interface HttpClusterApiDeps {
  /** The transport's clock: deadlines are real time, whatever time objects live in. */
  readonly clock: Clock;
  readonly log: Logger;
}

/** ClusterApi over HTTP/1.1 and JSON. Close it when done: it holds sockets. */
export class HttpClusterApi implements ClusterApi {
  readonly #transport: ApiTransport;
  readonly #nameless: NamelessObjects;

  constructor(options: HttpClusterApiOptions, deps: HttpClusterApiDeps) {
    this.#nameless = new NamelessObjects(deps.log);
    this.#transport = new ApiTransport(
      {
        connection: options.connection,
        requestTimeoutMs: options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
        watchSilenceMs: options.watchSilenceMs ?? DEFAULT_WATCH_SILENCE_MS,
        maxConnections: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
        ...(options.maxBodyBytes === undefined ? {} : { maxBodyBytes: options.maxBodyBytes }),
        userAgent: options.userAgent ?? 'catamaran',
      },
      deps,
    );
  }

  async list<K extends ResourceKind>(
    kind: K,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<ListPage<ResourceTypes[K]>> {
    const { limit, continueToken, fieldSelector, labelSelector } = query;
    const parameters = queryString({ limit, continue: continueToken, fieldSelector, labelSelector });
    const path = `${COLLECTION_PATHS[kind]}${parameters}`;
    const { json, sizeBytes } = await this.#transport.measuredCall({ method: 'GET', path }, signal);
    const page = readPage<ResourceTypes[K]>(json);
    return { ...page, items: this.#nameless.without(page.items, kind), sizeBytes };
  }

  async *watch<K extends ResourceKind>(
    kind: K,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<ResourceTypes[K]>> {
    const { onOpen, ...asked } = query;
    const path = `${COLLECTION_PATHS[kind]}${queryString({ watch: true, allowWatchBookmarks: true, ...asked })}`;
    const lines = new LineSplitter(MAX_WATCH_LINE_BYTES);
    for await (const chunk of this.#transport.stream({ method: 'GET', path }, signal, onOpen)) {
      for (const line of lines.push(chunk)) {
        const event = decodeWatchLine<ResourceTypes[K]>(line);
        if (event.type === 'NAMELESS') this.#nameless.leftOut(event.object, kind);
        else yield event;
      }
    }
    if (lines.pendingBytes > 0) throw new ClusterApiError('unavailable', 'the watch ended within an event');
  }

  async getPod(namespace: string, name: string, signal: AbortSignal): Promise<Pod | undefined> {
    return (await this.#find(podPath(namespace, name), signal)) as Pod | undefined;
  }

  /** The answer is a Status 201, not a Binding: nothing in it is of use. */
  async bindPod(request: BindRequest, signal: AbortSignal): Promise<void> {
    const { namespace, name, uid, nodeName } = request;
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
    };
    await this.#transport.call({ method: 'POST', path: `${podPath(namespace, name)}/binding`, body }, signal);
  }

  async patchPodCondition(patch: PodStatusPatch, signal: AbortSignal): Promise<void> {
    const path = `${podPath(patch.namespace, patch.name)}/status`;
    const body = { status: { conditions: [patch.condition] } };
    await this.#transport.call({ method: 'PATCH', path, body, contentType: STRATEGIC_MERGE }, signal);
  }

  async createEvent(event: KubernetesEvent, signal: AbortSignal): Promise<void> {
    const path = eventsPath(event.metadata.namespace ?? 'default');
    const body = { ...event, apiVersion: 'events.k8s.io/v1', kind: 'Event' };
    await this.#transport.call({ method: 'POST', path, body }, signal);
  }

  async patchEventSeries(event: EventSeriesPatch, signal: AbortSignal): Promise<void> {
    const path = `${eventsPath(event.namespace)}/${encodeURIComponent(event.name)}`;
    const body = { series: event.series };
    await this.#transport.call({ method: 'PATCH', path, body, contentType: MERGE }, signal);
  }

  async getLease(namespace: string, name: string, signal: AbortSignal): Promise<Lease | undefined> {
    const path = `${leasesPath(namespace)}/${encodeURIComponent(name)}`;
    return (await this.#find(path, signal)) as Lease | undefined;
  }

  async createLease(lease: Lease, signal: AbortSignal): Promise<Lease> {
    const path = leasesPath(lease.metadata.namespace ?? 'default');
    const body = { ...lease, ...LEASE_TYPE };
    return (await this.#transport.call({ method: 'POST', path, body }, signal)) as Lease;
  }

  async updateLease(lease: Lease, signal: AbortSignal): Promise<Lease> {
    const { namespace = 'default', name } = lease.metadata;
    const path = `${leasesPath(namespace)}/${encodeURIComponent(name)}`;
    const body = { ...lease, ...LEASE_TYPE };
    return (await this.#transport.call({ method: 'PUT', path, body }, signal)) as Lease;
  }

  async listNodeMetrics(signal: AbortSignal): Promise<readonly NodeMetricsObject[]> {
    const answer = await this.#transport.call({ method: 'GET', path: NODE_METRICS_PATH }, signal);
    return readPage<NodeMetricsObject>(answer).items;
  }

  /** Cuts what is under way. Idempotent. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** The object at a path; undefined when there is none, which a path that nobody serves is not. */
  async #find(path: string, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.#transport.call({ method: 'GET', path }, signal);
    } catch (error) {
      if (error instanceof ClusterApiError && error.code === 'not-found' && error.reason === 'NotFound') {
        return undefined;
      }
      throw error;
    }
  }
}
