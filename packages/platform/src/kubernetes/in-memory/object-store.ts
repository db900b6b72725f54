import type { KubernetesEvent, KubernetesObject, Lease, Node, Pod } from '@catamaran/model';
import { ClusterApiError } from '../cluster-api.js';
import type { VersionCounter } from './change-log.js';
import { Collection } from './collection.js';

export interface StoredTypes {
  nodes: Node;
  pods: Pod;
  namespaces: KubernetesObject;
  services: KubernetesObject;
  events: KubernetesEvent;
  leases: Lease;
}

export type StoredKind = keyof StoredTypes;

/** Real API servers drop events after an hour; here the oldest make way. */
const MAX_EVENTS = 10_000;

/** Every collection of one cluster, with the API server's answers to a missing or a second object. */
export class ObjectStore {
  readonly #collections: { readonly [K in StoredKind]: Collection<StoredTypes[K]> };

  constructor(options: { readonly firstVersion: number; readonly historyLimit: number }) {
    const counter: VersionCounter = { current: options.firstVersion };
    const open = <T extends KubernetesObject>(kind: StoredKind): Collection<T> =>
      new Collection<T>({ kind, historyLimit: options.historyLimit }, counter);
    this.#collections = {
      nodes: open('nodes'),
      pods: open('pods'),
      namespaces: open('namespaces'),
      services: open('services'),
      events: open('events'),
      leases: open('leases'),
    };
  }

  collection<K extends StoredKind>(kind: K): Collection<StoredTypes[K]> {
    return this.#collections[kind] as Collection<StoredTypes[K]>;
  }

  find<K extends StoredKind>(kind: K, name: string, namespace?: string): StoredTypes[K] | undefined {
    return this.collection(kind).get(keyOf(name, namespace));
  }

  /** @throws ClusterApiError 'not-found'. */
  get<K extends StoredKind>(kind: K, name: string, namespace?: string): StoredTypes[K] {
    const found = this.find(kind, name, namespace);
    if (found !== undefined) return found;
    throw new ClusterApiError('not-found', `${kind} "${name}" not found`, {
      httpStatus: 404,
      reason: 'NotFound',
    });
  }

  /** @throws ClusterApiError 'conflict' when the name is taken. */
  create<K extends StoredKind>(kind: K, object: StoredTypes[K]): StoredTypes[K] {
    const { name, namespace } = object.metadata;
    if (this.find(kind, name, namespace) !== undefined) {
      throw new ClusterApiError('conflict', `${kind} "${name}" already exists`, {
        httpStatus: 409,
        reason: 'AlreadyExists',
      });
    }
    const stored = this.collection(kind).put(keyOf(name, namespace), object);
    if (kind === 'events') this.#dropOldEvents();
    return stored;
  }

  /**
   * Replaces an object. When it carries a resource version, that must be the present one.
   * A change that changes nothing makes no new version.
   * @throws ClusterApiError 'not-found', 'conflict'.
   */
  update<K extends StoredKind>(kind: K, object: StoredTypes[K]): StoredTypes[K] {
    const { name, namespace, resourceVersion } = object.metadata;
    const present = this.get(kind, name, namespace);
    const current = present.metadata.resourceVersion;
    if (resourceVersion !== undefined && resourceVersion !== current) {
      throw new ClusterApiError(
        'conflict',
        `Operation cannot be fulfilled on ${kind} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
        { httpStatus: 409, reason: 'Conflict' },
      );
    }
    const metadata = { ...object.metadata, ...(current === undefined ? {} : { resourceVersion: current }) };
    const next = { ...object, metadata };
    if (JSON.stringify(next) === JSON.stringify(present)) return present;
    return this.collection(kind).put(keyOf(name, namespace), next);
  }

  /** @throws ClusterApiError 'not-found'. */
  remove<K extends StoredKind>(kind: K, name: string, namespace?: string): StoredTypes[K] {
    const present = this.get(kind, name, namespace);
    this.collection(kind).remove(keyOf(name, namespace));
    return present;
  }

  compact(): void {
    for (const collection of Object.values(this.#collections)) collection.compact();
  }

  #dropOldEvents(): void {
    const events = this.collection('events');
    if (events.size <= MAX_EVENTS) return;
    const [oldest] = events.keys();
    if (oldest !== undefined) events.remove(oldest);
  }
}

function keyOf(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
