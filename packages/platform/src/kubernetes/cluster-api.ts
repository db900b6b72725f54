import type {
  KubernetesEvent,
  KubernetesObject,
  Lease,
  Node,
  NodeMetricsObject,
  Pod,
  PodCondition,
  Status,
} from '@catamaran/model';

/** The collections we list and watch, with the item type of each. */
export interface ResourceTypes {
  nodes: Node;
  pods: Pod;
  namespaces: KubernetesObject;
  services: KubernetesObject;
}

export type ResourceKind = keyof ResourceTypes;

export interface ListQuery {
  readonly limit?: number;
  readonly continueToken?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Version of the collection that all pages of one list share; a watch goes on from here. */
  readonly resourceVersion: string;
  readonly continueToken?: string;
  /** Length of the answer, where there was one: decoding takes the process about 10 ms for each MB. */
  readonly sizeBytes?: number;
}

export interface WatchQuery {
  readonly resourceVersion: string;
  readonly timeoutSeconds?: number;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Called once, when the server has accepted the watch; the first event may be long in coming. */
  readonly onOpen?: () => void;
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  | { readonly type: 'ERROR'; readonly status: Status };

export interface BindRequest {
  readonly namespace: string;
  readonly name: string;
  /** Precondition: the server refuses to bind another pod of the same name. */
  readonly uid: string;
  readonly nodeName: string;
}

export interface PodStatusPatch {
  readonly namespace: string;
  readonly name: string;
  readonly condition: PodCondition;
}

export interface EventSeriesPatch {
  readonly namespace: string;
  readonly name: string;
  readonly series: NonNullable<KubernetesEvent['series']>;
}

/**
 * What the services need of a Kubernetes API server.
 *
 * Implementations: HttpClusterApi (a real API server, or the embedded cluster, over HTTP) and InMemoryCluster. Both
 * pass one conformance suite in testkit. Every call rejects with a ClusterApiError, or with the signal's reason once
 * it aborts; none waits for ever.
 */
export interface ClusterApi {
  list<K extends ResourceKind>(
    kind: K,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<ListPage<ResourceTypes[K]>>;
  /** Ends normally when the server closes the stream; bookmarks are always asked for. */
  watch<K extends ResourceKind>(
    kind: K,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<ResourceTypes[K]>>;
  /** Undefined when the pod does not exist. */
  getPod(namespace: string, name: string, signal: AbortSignal): Promise<Pod | undefined>;
  /** `POST pods/{name}/binding`. Not idempotent: after a time-out read the pod before trying again. */
  bindPod(request: BindRequest, signal: AbortSignal): Promise<void>;
  /** Strategic-merge patch of one condition in `pods/status`. */
  patchPodCondition(patch: PodStatusPatch, signal: AbortSignal): Promise<void>;
  createEvent(event: KubernetesEvent, signal: AbortSignal): Promise<void>;
  /** Replaces the series of an existing event. */
  patchEventSeries(event: EventSeriesPatch, signal: AbortSignal): Promise<void>;
  /** Undefined when the lease does not exist. */
  getLease(namespace: string, name: string, signal: AbortSignal): Promise<Lease | undefined>;
  /** Rejects with 'conflict' (reason AlreadyExists) when another was faster. */
  createLease(lease: Lease, signal: AbortSignal): Promise<Lease>;
  /** Replaces the lease whose resource version it carries; rejects with 'conflict' when that is no longer the present one. */
  updateLease(lease: Lease, signal: AbortSignal): Promise<Lease>;
  /** `GET /apis/metrics.k8s.io/v1beta1/nodes`. */
  listNodeMetrics(signal: AbortSignal): Promise<readonly NodeMetricsObject[]>;
}

/**
 * Why a call failed, in the terms a caller acts on.
 * `gone`: relist. `conflict`: read again. `unauthorized`: credentials expired. `throttled`, `unavailable`, `timeout`:
 * try later. `invalid-answer`: the peer is not an API server.
 */
export type ClusterApiErrorCode =
  | 'gone'
  | 'conflict'
  | 'not-found'
  | 'unauthorized'
  | 'forbidden'
  | 'rejected'
  | 'throttled'
  | 'unavailable'
  | 'timeout'
  | 'invalid-answer';

export interface ClusterApiErrorDetails {
  readonly httpStatus?: number;
  readonly retryAfterMs?: number;
  readonly reason?: string;
  readonly cause?: unknown;
}

export class ClusterApiError extends Error {
  override readonly name = 'ClusterApiError';
  readonly code: ClusterApiErrorCode;
  /** HTTP status, 0 when there was no answer. */
  readonly httpStatus: number;
  /** From `Retry-After` or the Status details. */
  readonly retryAfterMs: number | undefined;
  /** Kubernetes' own word (`AlreadyExists`, `Expired`, …) when the answer was a Status; ANSWER_TOO_LARGE is ours. */
  readonly reason: string | undefined;

  constructor(code: ClusterApiErrorCode, message: string, details: ClusterApiErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.httpStatus = details.httpStatus ?? 0;
    this.retryAfterMs = details.retryAfterMs;
    this.reason = details.reason;
  }
}

/** Reason of an 'invalid-answer' that is longer than we read: less may be asked for at once. */
export const ANSWER_TOO_LARGE = 'AnswerTooLarge';

/** By name, so that an error of another copy of this module counts too. */
export function isClusterApiError(error: unknown): error is ClusterApiError {
  return error instanceof Error && error.name === 'ClusterApiError';
}
