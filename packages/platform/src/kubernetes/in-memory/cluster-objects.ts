import type { KubernetesObject, Pod } from '@catamaran/model';
import type { Clock } from '../../clock/clock.js';
import type { ListPage, ListQuery, WatchEvent, WatchQuery } from '../cluster-api.js';
import { rfc3339Seconds } from '../node-usage.js';
import { ObjectStore, type StoredKind, type StoredTypes } from './object-store.js';
import { withPodDefaults } from './pod-lifecycle.js';
import { SeededIds } from './seeded-ids.js';
import { checkIdentity, checkReplace, checkWrite } from './write-rules.js';

export interface ClusterObjectsOptions {
  readonly seed: number;
  readonly firstVersion: number;
  readonly historyLimit: number;
  readonly bookmarkIntervalMs: number;
}

export interface StoredWatchQuery extends WatchQuery {
  /** Times the watch where objects live in scaled time; the cluster's clock unless given. */
  readonly clock?: Pick<Clock, 'schedule'>;
}

/**
 * The store as an API server fronts it: what it fills in at creation, keeps at an update, and marks at a deletion.
 * Objects that it hands out are shared and must not be changed.
 */
export class ClusterObjects {
  readonly #store: ObjectStore;
  readonly #ids: SeededIds;
  readonly #clock: Clock;
  readonly #bookmarkIntervalMs: number;

  constructor(options: ClusterObjectsOptions, clock: Clock) {
    this.#store = new ObjectStore(options);
    this.#ids = new SeededIds(options.seed);
    this.#clock = clock;
    this.#bookmarkIntervalMs = options.bookmarkIntervalMs;
  }

  find<K extends StoredKind>(kind: K, name: string, namespace?: string): StoredTypes[K] | undefined {
    return this.#store.find(kind, name, namespace);
  }

  /** @throws ClusterApiError 'not-found'. */
  get<K extends StoredKind>(kind: K, name: string, namespace?: string): StoredTypes[K] {
    return this.#store.get(kind, name, namespace);
  }

  /** @throws ClusterApiError 'rejected' for a query that can't be read, 'gone' for an expired token. */
  list<K extends StoredKind>(kind: K, query: ListQuery): ListPage<StoredTypes[K]> {
    return this.#store.collection(kind).list(query);
  }

  /** @throws ClusterApiError 'rejected' at once for a query that can't be read. */
  watch<K extends StoredKind>(
    kind: K,
    query: StoredWatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<StoredTypes[K]>> {
    const timers = {
      clock: query.clock ?? this.#clock,
      bookmarkIntervalMs: this.#bookmarkIntervalMs,
      timeoutMs: query.timeoutSeconds === undefined ? undefined : query.timeoutSeconds * 1000,
    };
    return this.#store.collection(kind).watch(query, timers, signal);
  }

  /** Version of the last change to a collection: a watcher at or beyond it has seen everything. */
  latestVersion(kind: StoredKind): string {
    return String(this.#store.collection(kind).latestVersion);
  }

  /** Forgets history: older watches and half-read lists get 410. */
  compact(): void {
    this.#store.compact();
  }

  /**
   * Stores a copy of the object with what the API server fills in. A pod's namespace is created with its first pod.
   * @throws ClusterApiError 'conflict' when the name is taken, 'rejected' for an event or lease that is not valid.
   */
  create<K extends StoredKind>(kind: K, object: StoredTypes[K]): StoredTypes[K] {
    checkWrite(kind, object);
    const copy = structuredClone(object) as StoredTypes[StoredKind];
    const completed = kind === 'pods' ? this.#completePod(copy as Pod) : this.#complete(copy);
    return this.#store.create(kind, completed as StoredTypes[K]);
  }

  createNamespace(name: string, labels: Readonly<Record<string, string>> = {}): KubernetesObject {
    const metadata = { name, labels: { 'kubernetes.io/metadata.name': name, ...labels } };
    return this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
  }

  /**
   * Stores a copy in place of the present object; its identity stays. A change that changes nothing makes no version.
   * @throws ClusterApiError 'not-found', 'conflict' when it carries an old resource version, or 'rejected'.
   */
  update<K extends StoredKind>(kind: K, object: StoredTypes[K]): StoredTypes[K] {
    const { name, namespace } = object.metadata;
    const { uid, creationTimestamp } = this.#store.get(kind, name, namespace).metadata;
    checkIdentity(kind, object, uid);
    const metadata = {
      ...object.metadata,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    };
    checkWrite(kind, object);
    checkReplace(kind, object);
    return this.#store.update(kind, structuredClone({ ...object, metadata }));
  }

  /** Removes at once; an object with finalizers is only marked as being deleted. */
  delete<K extends StoredKind>(kind: K, name: string, namespace?: string): StoredTypes[K] {
    const present = this.#store.get(kind, name, namespace);
    const { finalizers } = present.metadata as { readonly finalizers?: readonly string[] };
    if (finalizers === undefined || finalizers.length === 0) return this.#store.remove(kind, name, namespace);
    if (present.metadata.deletionTimestamp !== undefined) return present;
    const metadata = { ...present.metadata, deletionTimestamp: rfc3339Seconds(this.#clock.nowMs()) };
    return this.#store.update(kind, { ...present, metadata });
  }

  #completePod(pod: Pod): Pod {
    const namespace = pod.metadata.namespace ?? 'default';
    if (this.#store.find('namespaces', namespace) === undefined) this.createNamespace(namespace);
    return withPodDefaults(this.#complete(pod));
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
        creationTimestamp: metadata.creationTimestamp ?? rfc3339Seconds(this.#clock.nowMs()),
      },
    };
  }
}
