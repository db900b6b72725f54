import type {
  KubernetesEvent,
  KubernetesObject,
  Lease,
  Node,
  NodeMetricsObject,
  Pod,
  PodStatus,
} from '@catamaran/model';
import type { Clock } from '../../clock/clock.js';
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
import { type NodeUsage, nodeMetricsOf } from '../node-usage.js';
import { ClusterObjects } from './cluster-objects.js';
import type { StoredKind } from './object-store.js';
import { bound, withCondition } from './pod-lifecycle.js';

const INITIAL_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** A call as the fault hook sees it, before it does anything. */
export interface ClusterCall {
  readonly operation:
    | 'list'
    | 'watch'
    | 'getPod'
    | 'bindPod'
    | 'patchPodCondition'
    | 'createEvent'
    | 'patchEventSeries'
    | 'getLease'
    | 'createLease'
    | 'updateLease'
    | 'listNodeMetrics';
  /** Collection, or `namespace/name` of the object. */
  readonly target: string;
}

export interface InMemoryClusterOptions {
  /** Seeds uids and generated names. */
  readonly seed?: number;
  readonly firstVersion?: number;
  /** Changes kept per collection for watches; older ones are compacted away. */
  readonly historyLimit?: number;
  readonly bookmarkIntervalMs?: number;
}

export interface InMemoryClusterDeps {
  /** Time of the objects (creation, transitions, metrics), and of the watches. */
  readonly clock: Clock;
  /** Without it there is no metrics API. */
  readonly nodeUsage?: NodeUsage;
  /** Called before each ClusterApi call; what it throws or rejects with is the call's outcome. */
  readonly onCall?: (call: ClusterCall) => void | Promise<void>;
}

/**
 * A Kubernetes API server in memory, as far as a scheduler and a load-watcher can tell the difference. Objects that
 * it hands out are shared and must not be changed. A pod's namespace is created with its first pod.
 */
export class InMemoryCluster implements ClusterApi {
  /** The store itself, for what the ClusterApi port does not cover. */
  readonly objects: ClusterObjects;
  readonly #deps: InMemoryClusterDeps;

  constructor(options: InMemoryClusterOptions, deps: InMemoryClusterDeps) {
    this.#deps = deps;
    this.objects = new ClusterObjects(
      {
        seed: options.seed ?? 1,
        firstVersion: options.firstVersion ?? 1,
        historyLimit: options.historyLimit ?? 50_000,
        bookmarkIntervalMs: options.bookmarkIntervalMs ?? 30_000,
      },
      deps.clock,
    );
    for (const name of INITIAL_NAMESPACES) this.objects.createNamespace(name);
  }

  /** Time of the objects, Unix milliseconds. */
  nowMs(): number {
    return this.#deps.clock.nowMs();
  }

  async list<K extends ResourceKind>(
    kind: K,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<ListPage<ResourceTypes[K]>> {
    await this.#admit({ operation: 'list', target: kind }, signal);
    return this.objects.list(kind, query);
  }

  async *watch<K extends ResourceKind>(
    kind: K,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<ResourceTypes[K]>> {
    await this.#admit({ operation: 'watch', target: kind }, signal);
    query.onOpen?.();
    yield* this.objects.watch(kind, query, signal);
  }

  async getPod(namespace: string, name: string, signal: AbortSignal): Promise<Pod | undefined> {
    await this.#admit({ operation: 'getPod', target: `${namespace}/${name}` }, signal);
    return this.objects.find('pods', name, namespace);
  }

  async bindPod(request: BindRequest, signal: AbortSignal): Promise<void> {
    await this.#admit({ operation: 'bindPod', target: `${request.namespace}/${request.name}` }, signal);
    const pod = this.objects.get('pods', request.name, request.namespace);
    this.objects.update('pods', bound(pod, request, this.nowMs()));
  }

  async patchPodCondition(patch: PodStatusPatch, signal: AbortSignal): Promise<void> {
    await this.#admit({ operation: 'patchPodCondition', target: `${patch.namespace}/${patch.name}` }, signal);
    const pod = this.objects.get('pods', patch.name, patch.namespace);
    this.objects.update('pods', { ...pod, status: withCondition(pod.status ?? {}, patch.condition) });
  }

  async createEvent(event: KubernetesEvent, signal: AbortSignal): Promise<void> {
    await this.#admit({ operation: 'createEvent', target: keyOf(event) }, signal);
    this.objects.create('events', event);
  }

  async patchEventSeries(event: EventSeriesPatch, signal: AbortSignal): Promise<void> {
    await this.#admit({ operation: 'patchEventSeries', target: `${event.namespace}/${event.name}` }, signal);
    const present = this.objects.get('events', event.name, event.namespace);
    this.objects.update('events', { ...present, series: event.series });
  }

  async getLease(namespace: string, name: string, signal: AbortSignal): Promise<Lease | undefined> {
    await this.#admit({ operation: 'getLease', target: `${namespace}/${name}` }, signal);
    return this.objects.find('leases', name, namespace);
  }

  async createLease(lease: Lease, signal: AbortSignal): Promise<Lease> {
    await this.#admit({ operation: 'createLease', target: keyOf(lease) }, signal);
    return this.objects.create('leases', lease);
  }

  async updateLease(lease: Lease, signal: AbortSignal): Promise<Lease> {
    await this.#admit({ operation: 'updateLease', target: keyOf(lease) }, signal);
    return this.objects.update('leases', lease);
  }

  async listNodeMetrics(signal: AbortSignal): Promise<readonly NodeMetricsObject[]> {
    await this.#admit({ operation: 'listNodeMetrics', target: 'nodes' }, signal);
    if (this.#deps.nodeUsage === undefined) {
      throw new ClusterApiError('not-found', 'the server could not find the requested resource', {
        httpStatus: 404,
        reason: 'NotFound',
      });
    }
    const nowMs = this.nowMs();
    const items: NodeMetricsObject[] = [];
    for (const node of this.objects.list('nodes', {}).items) {
      const usage = this.nodeUsage(node.metadata.name);
      if (usage !== undefined) items.push(nodeMetricsOf(node, usage, nowMs));
    }
    return items;
  }

  /** Real use of a node now. */
  nodeUsage(nodeName: string): ReturnType<NodeUsage> {
    return this.#deps.nodeUsage?.(nodeName, this.nowMs());
  }

  /** Version of the last change to a collection: a watcher at or beyond it has seen everything. */
  latestVersion(kind: StoredKind): string {
    return this.objects.latestVersion(kind);
  }

  /** Forgets history: older watches and half-read lists get 410. */
  compact(): void {
    this.objects.compact();
  }

  createNode(node: Node): Node {
    return this.objects.create('nodes', node);
  }

  updateNode(node: Node): Node {
    return this.objects.update('nodes', node);
  }

  deleteNode(name: string): void {
    this.objects.delete('nodes', name);
  }

  createNamespace(name: string, labels?: Readonly<Record<string, string>>): KubernetesObject {
    return this.objects.createNamespace(name, labels);
  }

  createPod(pod: Pod): Pod {
    return this.objects.create('pods', pod);
  }

  /** Merges top-level fields of the status, as a kubelet would. */
  updatePodStatus(namespace: string, name: string, status: PodStatus): Pod {
    const pod = this.objects.get('pods', name, namespace);
    return this.objects.update('pods', { ...pod, status: { ...pod.status, ...status } });
  }

  deletePod(namespace: string, name: string): void {
    this.objects.delete('pods', name, namespace);
  }

  async #admit(call: ClusterCall, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#deps.onCall?.(call);
    signal.throwIfAborted();
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`;
}
