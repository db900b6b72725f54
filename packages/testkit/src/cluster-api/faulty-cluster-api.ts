import type { KubernetesEvent, Lease, NodeMetricsObject, Pod, Status } from '@catamaran/model';
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
} from '@catamaran/platform';

/**
 * How one call goes wrong. `reset`, `500`, `403`, `410`: it rejects. `close`: a watch ends cleanly at once.
 * `errorEvent410`: a watch ends with 410 as an ERROR event. `silence`: it never answers until it is aborted.
 */
export type Fault = 'none' | 'reset' | '500' | '403' | '410' | 'close' | 'errorEvent410' | 'silence';

export interface RecordedCall {
  readonly operation: keyof ClusterApi;
  readonly query?: ListQuery | WatchQuery;
  readonly fault: Fault;
}

const ERRORS = {
  reset: () => new ClusterApiError('unavailable', 'the connection was reset'),
  '500': () => new ClusterApiError('unavailable', 'etcdserver: leader changed', { httpStatus: 500 }),
  '403': () => new ClusterApiError('forbidden', 'watch is forbidden', { httpStatus: 403 }),
  '410': () =>
    new ClusterApiError('gone', 'too old resource version', { httpStatus: 410, reason: 'Expired' }),
} as const;

const GONE: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code: 410,
  reason: 'Expired',
  message: 'too old resource version',
};

/** A ClusterApi whose calls go wrong on cue. Queue faults with `plan`; a call without one passes through. */
export class FaultyClusterApi implements ClusterApi {
  /** Every call so far, in order. */
  readonly calls: RecordedCall[] = [];
  readonly #inner: ClusterApi;
  readonly #plans = new Map<string, Fault[]>();
  readonly #cuts = new Set<(fault: Fault) => void>();

  constructor(inner: ClusterApi) {
    this.#inner = inner;
  }

  /** Faults of the next calls of an operation, one each; `none` lets one pass. */
  plan(operation: keyof ClusterApi, ...faults: Fault[]): void {
    this.#plans.set(operation, [...(this.#plans.get(operation) ?? []), ...faults]);
  }

  /** Breaks every open watch now. */
  cutWatches(fault: Exclude<Fault, 'none'>): void {
    for (const cut of this.#cuts) cut(fault);
  }

  /** Watches that are open at this moment. */
  get openWatches(): number {
    return this.#cuts.size;
  }

  list<K extends ResourceKind>(
    kind: K,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<ListPage<ResourceTypes[K]>> {
    return this.#call({ operation: 'list', signal, query }, () => this.#inner.list(kind, query, signal));
  }

  async *watch<K extends ResourceKind>(
    kind: K,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<ResourceTypes[K]>> {
    const { onOpen: _, ...asked } = query;
    const fault = this.#take('watch', asked);
    if (fault !== 'none') {
      yield* broken<ResourceTypes[K]>(fault, signal);
      return;
    }
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    let cutBy: Fault | undefined;
    const cut = (planned: Fault): void => {
      cutBy = planned;
      stop.abort(new Error('cut'));
    };
    this.#cuts.add(cut);
    try {
      yield* this.#inner.watch(kind, query, stop.signal);
    } catch (error) {
      if (cutBy === undefined) throw error;
    } finally {
      this.#cuts.delete(cut);
      signal.removeEventListener('abort', onAbort);
    }
    if (cutBy !== undefined) yield* broken<ResourceTypes[K]>(cutBy, signal);
  }

  getPod(namespace: string, name: string, signal: AbortSignal): Promise<Pod | undefined> {
    return this.#call({ operation: 'getPod', signal }, () => this.#inner.getPod(namespace, name, signal));
  }

  bindPod(request: BindRequest, signal: AbortSignal): Promise<void> {
    return this.#call({ operation: 'bindPod', signal }, () => this.#inner.bindPod(request, signal));
  }

  patchPodCondition(patch: PodStatusPatch, signal: AbortSignal): Promise<void> {
    return this.#call({ operation: 'patchPodCondition', signal }, () =>
      this.#inner.patchPodCondition(patch, signal),
    );
  }

  createEvent(event: KubernetesEvent, signal: AbortSignal): Promise<void> {
    return this.#call({ operation: 'createEvent', signal }, () => this.#inner.createEvent(event, signal));
  }

  patchEventSeries(event: EventSeriesPatch, signal: AbortSignal): Promise<void> {
    return this.#call({ operation: 'patchEventSeries', signal }, () =>
      this.#inner.patchEventSeries(event, signal),
    );
  }

  getLease(namespace: string, name: string, signal: AbortSignal): Promise<Lease | undefined> {
    return this.#call({ operation: 'getLease', signal }, () => this.#inner.getLease(namespace, name, signal));
  }

  createLease(lease: Lease, signal: AbortSignal): Promise<Lease> {
    return this.#call({ operation: 'createLease', signal }, () => this.#inner.createLease(lease, signal));
  }

  updateLease(lease: Lease, signal: AbortSignal): Promise<Lease> {
    return this.#call({ operation: 'updateLease', signal }, () => this.#inner.updateLease(lease, signal));
  }

  listNodeMetrics(signal: AbortSignal): Promise<readonly NodeMetricsObject[]> {
    return this.#call({ operation: 'listNodeMetrics', signal }, () => this.#inner.listNodeMetrics(signal));
  }

  async #call<T>(
    call: { readonly operation: keyof ClusterApi; readonly signal: AbortSignal; readonly query?: ListQuery },
    proceed: () => Promise<T>,
  ): Promise<T> {
    const fault = this.#take(call.operation, call.query);
    if (fault === 'none') return await proceed();
    if (fault === 'silence') return await untilAborted(call.signal);
    if (fault === 'close' || fault === 'errorEvent410') throw new Error(`${fault} is a fault of watches`);
    throw ERRORS[fault]();
  }

  #take(operation: keyof ClusterApi, query?: ListQuery | WatchQuery): Fault {
    const fault = this.#plans.get(operation)?.shift() ?? 'none';
    this.calls.push({ operation, fault, ...(query === undefined ? {} : { query }) });
    return fault;
  }
}

async function* broken<T>(fault: Fault, signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
  if (fault === 'close' || fault === 'none') return;
  if (fault === 'silence') await untilAborted(signal);
  else if (fault === 'errorEvent410') yield { type: 'ERROR', status: GONE };
  else throw ERRORS[fault]();
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
