import type { KubernetesEvent, NodeMetricsObject, Pod } from '@catamaran/model';
import type { Clock } from '../../clock/clock.js';
import type { Logger } from '../../log/logger.js';
import type {
  BindRequest,
  ClusterApi,
  ListPage,
  ListQuery,
  PodStatusPatch,
  ResourceKind,
  ResourceTypes,
  WatchEvent,
  WatchQuery,
} from '../cluster-api.js';
import type { ClusterConnection } from '../connection/cluster-connection.js';

export interface HttpClusterApiOptions {
  readonly connection: ClusterConnection;
  /** Deadline of one call, all of it; 30 s. */
  readonly requestTimeoutMs?: number;
  /** Sockets for calls; watches have their own. 32. */
  readonly maxConnections?: number;
  readonly userAgent?: string;
}

export interface HttpClusterApiDeps {
  readonly clock: Clock;
  readonly log: Logger;
}

/** ClusterApi over HTTP/1.1. Close it when done: it holds sockets. */
export class HttpClusterApi implements ClusterApi {
  constructor(_options: HttpClusterApiOptions, _deps: HttpClusterApiDeps) {}

  list<K extends ResourceKind>(
    _kind: K,
    _query: ListQuery,
    _signal: AbortSignal,
  ): Promise<ListPage<ResourceTypes[K]>> {
    throw new Error('not built yet');
  }
  watch<K extends ResourceKind>(
    _kind: K,
    _query: WatchQuery,
    _signal: AbortSignal,
  ): AsyncIterable<WatchEvent<ResourceTypes[K]>> {
    throw new Error('not built yet');
  }
  getPod(_namespace: string, _name: string, _signal: AbortSignal): Promise<Pod | undefined> {
    throw new Error('not built yet');
  }
  bindPod(_request: BindRequest, _signal: AbortSignal): Promise<void> {
    throw new Error('not built yet');
  }
  patchPodCondition(_patch: PodStatusPatch, _signal: AbortSignal): Promise<void> {
    throw new Error('not built yet');
  }
  createEvent(_event: KubernetesEvent, _signal: AbortSignal): Promise<void> {
    throw new Error('not built yet');
  }
  patchEventSeries(
    _event: {
      readonly namespace: string;
      readonly name: string;
      readonly series: NonNullable<KubernetesEvent['series']>;
    },
    _signal: AbortSignal,
  ): Promise<void> {
    throw new Error('not built yet');
  }
  listNodeMetrics(_signal: AbortSignal): Promise<readonly NodeMetricsObject[]> {
    throw new Error('not built yet');
  }
  async close(): Promise<void> {}
}
