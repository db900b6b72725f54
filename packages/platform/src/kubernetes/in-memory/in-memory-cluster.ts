import type {
  KubernetesEvent,
  KubernetesObject,
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
  type ListPage,
  type ListQuery,
  type PodStatusPatch,
  type ResourceKind,
  type ResourceTypes,
  type WatchEvent,
  type WatchQuery,
} from '../cluster-api.js';
import { type NodeUsage, nodeMetricsOf, rfc3339Seconds } from '../node-usage.js';
import { ObjectStore, type StoredKind, type StoredTypes } from './object-store.js';
import { bound, withCondition, withPodDefaults } from './pod-lifecycle.js';
import { SeededIds } from './seeded-ids.js';

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
  /** Time of the objects: creation, transitions, metrics. */
  readonly clock: Clock;
  /** Times watches (time-out, bookmarks); the same clock unless objects live in scaled time. */
  readonly transportClock?: Clock;
  /** Without it there is no metrics API. */
  readonly nodeUsage?: NodeUsage;
  /** Called before each ClusterApi call; what it throws or rejects with is the call's outcome. */
  readonly onCall?: (call: ClusterCall) => void | Promise<void>;
}

/**
 * A Kubernetes API server's store in memory, as far as a scheduler and a load-watcher can tell the difference.
 * Objects that it hands out are shared and must not be changed. A pod's namespace is created with its first pod.
 */
export class InMemoryCluster implements ClusterApi {
  readonly #store: ObjectStore;
  readonly #ids: SeededIds;
  readonly #deps: InMemoryClusterDeps;
  readonly #bookmarkIntervalMs: number;

  constructor(options: InMemoryClusterOptions, deps: InMemoryClusterDeps) {
    this.#deps = deps;
    this.#ids = new SeededIds(options.seed ?? 1);
    this.#bookmarkIntervalMs = options.bookmarkIntervalMs ?? 30_000;
    this.#store = new ObjectStore({
      firstVersion: options.firstVersion ?? 1,
      historyLimit: options.historyLimit ?? 50_000,
    });
    for (const name of ['default', 'kube-system']) this.createNamespace(name);
  }

  /** Time of the objects, Unix milliseconds. */
  nowMs(): number {
    return this.#deps.clock.nowMs();
  }

  // What the ClusterApi port asks for.

  async list<K extends ResourceKind>(
    kind: K,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<ListPage<ResourceTypes[K]>> {
    await this.#admit({ operation: 'list', target: kind }, signal);
    return this.listStored(kind, query) as ListPage<ResourceTypes[K]>;
  }

  async *watch<K extends ResourceKind>(
    kind: K,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<ResourceTypes[K]>> {
    await this.#admit({ operation: 'watch', target: kind }, signal);
    yield* this.watchStored(kind, query, signal) as AsyncGenerator<WatchEvent<ResourceTypes[K]>>;
  }

  async getPod(namespace: string, name: string, signal: AbortSignal): Promise<Pod | undefined> {
    await this.#admit({ operation: 'getPod', target: `${namespace}/${name}` }, signal);
    return this.#store.find('pods', name, namespace);
  }

  async bindPod(request: BindRequest, signal: AbortSignal): Promise<void> {
    await this.#admit({ operation: 'bindPod', target: `${request.namespace}/${request.name}` }, signal);
    const pod = this.#store.get('pods', request.name, request.namespace);
    this.#store.update('pods', bound(pod, request, this.nowMs()));
  }

  async patchPodCondition(patch: PodStatusPatch, signal: AbortSignal): Promise<void> {
    await this.#admit({ operation: 'patchPodCondition', target: `${patch.namespace}/${patch.name}` }, signal);
    const pod = this.#store.get('pods', patch.name, patch.namespace);
    this.#store.update('pods', { ...pod, status: withCondition(pod.status ?? {}, patch.condition) });
  }

  async createEvent(event: KubernetesEvent, signal: AbortSignal): Promise<void> {
    const { name, namespace } = event.metadata;
    await this.#admit({ operation: 'createEvent', target: `${namespace ?? 'default'}/${name}` }, signal);
    this.createStored('events', event);
  }

  async patchEventSeries(
    event: {
      readonly namespace: string;
      readonly name: string;
      readonly series: NonNullable<KubernetesEvent['series']>;
    },
    signal: AbortSignal,
  ): Promise<void> {
    await this.#admit({ operation: 'patchEventSeries', target: `${event.namespace}/${event.name}` }, signal);
    const present = this.#store.get('events', event.name, event.namespace);
    this.#store.update('events', { ...present, series: event.series });
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
    for (const node of this.#store.collection('nodes').list({}).items) {
      const usage = this.nodeUsage(node.metadata.name);
      if (usage !== undefined) items.push(nodeMetricsOf(node, usage, nowMs));
    }
    return items;
  }

  // What tests, the simulator and a composition root do to the cluster.

  /** Real use of a node now. */
  nodeUsage(nodeName: string): ReturnType<NodeUsage> {
    return this.#deps.nodeUsage?.(nodeName, this.nowMs());
  }

  /** Version of the last change to a collection: a watcher at or beyond it has seen everything. */
  latestVersion(kind: StoredKind): string {
    return String(this.#store.collection(kind).latestVersion);
  }

  /** Forgets history: older watches and half-read lists get 410. */
  compact(): void {
    this.#store.compact();
  }

  createNode(node: Node): Node {
    return this.createStored('nodes', node);
  }

  updateNode(node: Node): Node {
    return this.updateStored('nodes', node);
  }

  deleteNode(name: string): void {
    this.deleteStored('nodes', name);
  }

  createNamespace(name: string, labels: Readonly<Record<string, string>> = {}): KubernetesObject {
    const metadata = { name, labels: { 'kubernetes.io/metadata.name': name, ...labels } };
    return this.createStored('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
  }

  createPod(pod: Pod): Pod {
    return this.createStored('pods', pod);
  }

  /** Merges top-level fields of the status, as a kubelet would. */
  updatePodStatus(namespace: string, name: string, status: PodStatus): Pod {
    const pod = this.#store.get('pods', name, namespace);
    return this.#store.update('pods', { ...pod, status: { ...pod.status, ...status } });
  }

  deletePod(namespace: string, name: string): void {
    this.deleteStored('pods', name, namespace);
  }

  getStored<K extends StoredKind>(kind: K, name: string, namespace?: string): StoredTypes[K] {
    return this.#store.get(kind, name, namespace);
  }

  listStored<K extends StoredKind>(kind: K, query: ListQuery): ListPage<StoredTypes[K]> {
    return this.#store.collection(kind).list(query);
  }

  watchStored<K extends StoredKind>(
    kind: K,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<StoredTypes[K]>> {
    const timers = {
      clock: this.#deps.transportClock ?? this.#deps.clock,
      bookmarkIntervalMs: this.#bookmarkIntervalMs,
      timeoutMs: query.timeoutSeconds === undefined ? undefined : query.timeoutSeconds * 1000,
    };
    return this.#store.collection(kind).watch(query, timers, signal);
  }

  /**
   * Creates a copy of the object with what the API server fills in.
   * @throws ClusterApiError 'conflict' when the name is taken.
   */
  createStored<K extends StoredKind>(kind: K, object: StoredTypes[K]): StoredTypes[K] {
    const copy = structuredClone(object) as StoredTypes[StoredKind];
    const completed = kind === 'pods' ? this.#completePod(copy as Pod) : this.#complete(copy);
    return this.#store.create(kind, completed as StoredTypes[K]);
  }

  /** @throws ClusterApiError 'not-found', or 'conflict' when it carries an old resource version. */
  updateStored<K extends StoredKind>(kind: K, object: StoredTypes[K]): StoredTypes[K] {
    const { name, namespace } = object.metadata;
    const { uid, creationTimestamp } = this.#store.get(kind, name, namespace).metadata;
    const metadata = {
      ...object.metadata,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    };
    return this.#store.update(kind, structuredClone({ ...object, metadata }));
  }

  /** Removes at once; an object with finalizers is only marked as being deleted. */
  deleteStored<K extends StoredKind>(kind: K, name: string, namespace?: string): StoredTypes[K] {
    const present = this.#store.get(kind, name, namespace);
    const { finalizers } = present.metadata as { readonly finalizers?: readonly string[] };
    if (finalizers === undefined || finalizers.length === 0) return this.#store.remove(kind, name, namespace);
    if (present.metadata.deletionTimestamp !== undefined) return present;
    const metadata = { ...present.metadata, deletionTimestamp: rfc3339Seconds(this.nowMs()) };
    return this.#store.update(kind, { ...present, metadata });
  }

  async #admit(call: ClusterCall, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#deps.onCall?.(call);
    signal.throwIfAborted();
  }

  #completePod(pod: Pod): Pod {
    const namespace = pod.metadata.namespace ?? 'default';
    if (this.#store.find('namespaces', namespace) === undefined) this.createNamespace(namespace);
    return withPodDefaults(this.#complete(pod), { uid: this.#ids.uid(), nowMs: this.nowMs() });
  }

  #complete<T extends KubernetesObject>(object: T): T {
    const { resourceVersion: _given, ...metadata } = object.metadata;
    const { generateName } = metadata as { readonly generateName?: string };
    return {
      ...object,
      metadata: {
        ...metadata,
        name: metadata.name ?? `${generateName ?? ''}${this.#ids.suffix()}`,
        uid: metadata.uid ?? this.#ids.uid(),
        creationTimestamp: metadata.creationTimestamp ?? rfc3339Seconds(this.nowMs()),
      },
    };
  }
}
