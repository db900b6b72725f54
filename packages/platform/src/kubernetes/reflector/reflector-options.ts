import type { Clock } from '../../clock/clock.js';
import type { Logger } from '../../log/logger.js';
import type { ClusterApi, ResourceKind, ResourceTypes } from '../cluster-api.js';
import type { SharedRecovery } from './shared-recovery.js';

export interface ReflectorOptions<K extends ResourceKind> {
  readonly kind: K;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Items per page of a list; 500. */
  readonly pageSize?: number;
  /** Cuts an object down to what is needed, before it is kept; without it only managedFields are dropped. */
  readonly project?: (object: ResourceTypes[K]) => ResourceTypes[K];
  /** A watch that says nothing for so long, bookmarks included, is opened anew: it may be dead; 150 s. */
  readonly inactivityMs?: number;
}

export interface ReflectorDeps {
  readonly api: ClusterApi;
  /** The transport's clock, also where objects live in scaled time. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Uniform in [0, 1); jitter only. */
  readonly random: () => number;
  /** Shared by reflectors that should not lag behind each other after the server was away. */
  readonly recovery?: SharedRecovery;
}

/** What differs between what was known and a new list. */
export interface CollectionDiff<T> {
  /** New or changed. */
  readonly upserted: readonly T[];
  /** Gone, in their last known state; also the older one of two that share a name but not a uid. */
  readonly deleted: readonly T[];
}

/** Called synchronously and in order. What they throw is logged and does not stop the reflector. */
export interface ReflectorHandlers<T> {
  /** After each complete list: the whole collection, and the difference to what was known before. */
  onReplace(items: readonly T[], diff: CollectionDiff<T>): void;
  onUpsert(object: T): void;
  /** The last known state. */
  onDelete(object: T): void;
}
