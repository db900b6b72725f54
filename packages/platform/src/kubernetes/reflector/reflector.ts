import { isClusterApiError, type ResourceKind, type ResourceTypes, type WatchEvent } from '../cluster-api.js';
import { compareResourceVersions } from '../resource-version.js';
import { statusError } from '../status-error.js';
import { Backoff } from './backoff.js';
import { CaughtUpWaiters } from './caught-up-waiters.js';
import { listAll, projected, watchQueryOf } from './collection-queries.js';
import { FailureReport } from './failure-report.js';
import { liveEvents } from './live-events.js';
import { ReflectedCollection } from './reflected-collection.js';
import type { ReflectorDeps, ReflectorHandlers, ReflectorOptions } from './reflector-options.js';

const DEFAULT_INACTIVITY_MS = 150_000;
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** A server that asks us to wait longer is asked again all the same. */
const MAX_RETRY_AFTER_MS = 60_000;
/** A watch that lived so long ends a series of failures. */
const HEALTHY_AFTER_MS = 5_000;
/** After so many failed watches in a row the version itself is suspected (a restored server): list again. */
const SUSPECT_AFTER_FAILURES = 6;

/**
 * Keeps up with one collection: lists it in pages, watches from there, and goes on through every failure until it is
 * closed. One stream at a time; after `close()` no handler is called any more.
 */
export class Reflector<K extends ResourceKind> {
  /** Resolves after the first complete list has been handed over; rejects when closed before. */
  readonly synced: Promise<void>;
  readonly #options: ReflectorOptions<K>;
  readonly #deps: ReflectorDeps;
  readonly #known = new ReflectedCollection<ResourceTypes[K]>();
  readonly #waiters = new CaughtUpWaiters();
  readonly #stop = new AbortController();
  readonly #backoff: Backoff;
  readonly #report: FailureReport;
  #markSynced: () => void = () => undefined;
  #failSynced: (reason: Error) => void = () => undefined;
  #isSynced = false;
  #resourceVersion = '';
  #lastContactMs: number | undefined;
  #failedWatches = 0;
  /** The server has said nothing since a failure. */
  #isCutOff = false;
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions<K>, deps: ReflectorDeps) {
    this.#options = options;
    this.#deps = { ...deps, log: deps.log.with({ collection: options.kind }) };
    this.#report = new FailureReport(this.#deps.log);
    this.#backoff = new Backoff({ minMs: MIN_DELAY_MS, maxMs: MAX_DELAY_MS, random: deps.random });
    this.synced = new Promise((resolve, reject) => {
      this.#markSynced = resolve;
      this.#failSynced = reject;
    });
    this.synced.catch(() => undefined);
  }

  /** True once the first list is complete; it stays so while the server is away. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Version up to which the handlers have been told everything; empty before the first list. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** When the server last said anything, Unix milliseconds of the given clock. */
  get lastContactMs(): number | undefined {
    return this.#lastContactMs;
  }

  /** What is known, by `namespace/name` or name; a live view. */
  get objects(): ReadonlyMap<string, ResourceTypes[K]> {
    return this.#known.objects;
  }

  start(handlers: ReflectorHandlers<ResourceTypes[K]>): void {
    if (this.#running !== undefined) throw new Error('a reflector is started once');
    this.#running = this.#run(handlers);
  }

  /** Resolves once the handlers have been told everything up to that version; rejects when closed before. */
  async caughtUp(version: string, signal?: AbortSignal): Promise<void> {
    if (this.#isSynced && compareResourceVersions(this.#resourceVersion, version) >= 0) return;
    this.#stop.signal.throwIfAborted();
    await this.#waiters.wait(version, signal);
  }

  /** Idempotent; resolves when the loop has ended. */
  async close(): Promise<void> {
    const reason = new DOMException('the reflector was closed', 'AbortError');
    this.#stop.abort(reason);
    this.#failSynced(reason);
    this.#waiters.rejectAll(reason);
    await this.#running;
  }

  async #run(handlers: ReflectorHandlers<ResourceTypes[K]>): Promise<void> {
    const { signal } = this.#stop;
    let mustList = true;
    let wasGone = false;
    while (!signal.aborted) {
      let failure: unknown;
      try {
        if (mustList) await this.#list(handlers, signal);
        mustList = false;
        await this.#watch(handlers, signal);
      } catch (error) {
        failure = error;
      }
      if (signal.aborted) return;
      // A server that answers is back: the wait for the list does not count the failures before.
      if (isGone(failure) && !wasGone) this.#backoff.reset();
      wasGone = isGone(failure);
      if (wasGone || this.#failedWatches >= SUSPECT_AFTER_FAILURES) mustList = true;
      await this.#pause(failure, signal);
    }
  }

  async #list(handlers: ReflectorHandlers<ResourceTypes[K]>, signal: AbortSignal): Promise<void> {
    const { items, resourceVersion } = await listAll(this.#options, this.#deps.api, {
      signal,
      onPage: () => this.#onContact(),
    });
    const diff = this.#known.replace(items);
    this.#failedWatches = 0;
    this.#guarded(() => handlers.onReplace(items, diff));
    this.#isSynced = true;
    this.#advanceTo(resourceVersion);
    this.#markSynced();
  }

  async #watch(handlers: ReflectorHandlers<ResourceTypes[K]>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const openedMs = clock.nowMs();
    const { kind, inactivityMs = DEFAULT_INACTIVITY_MS } = this.#options;
    const query = {
      ...watchQueryOf(this.#options, this.#resourceVersion, this.#deps.random),
      onOpen: () => this.#onContact(),
    };
    const open = (attempt: AbortSignal) => this.#deps.api.watch(kind, query, attempt);
    this.#failedWatches += 1;
    try {
      for await (const event of liveEvents(open, { clock, inactivityMs, signal })) {
        this.#onContact();
        this.#apply(event, handlers);
        this.#failedWatches = 0;
        if (this.#report.isFailing && clock.nowMs() - openedMs >= HEALTHY_AFTER_MS) this.#healthy();
      }
      this.#failedWatches = 0;
    } finally {
      if (clock.nowMs() - openedMs >= HEALTHY_AFTER_MS) this.#healthy();
    }
  }

  #onContact(): void {
    this.#lastContactMs = this.#deps.clock.nowMs();
    if (!this.#isCutOff) return;
    this.#isCutOff = false;
    this.#deps.recovery?.announce();
  }

  #apply(event: WatchEvent<ResourceTypes[K]>, handlers: ReflectorHandlers<ResourceTypes[K]>): void {
    if (event.type === 'ERROR') throw statusError(event.status);
    if (event.type === 'BOOKMARK') {
      this.#advanceTo(event.resourceVersion);
      return;
    }
    const object = projected(this.#options, event.object);
    if (event.type === 'DELETED') {
      this.#known.delete(object);
      this.#guarded(() => handlers.onDelete(object));
    } else {
      this.#known.upsert(object);
      this.#guarded(() => handlers.onUpsert(object));
    }
    this.#advanceTo(object.metadata.resourceVersion ?? this.#resourceVersion);
  }

  #advanceTo(version: string): void {
    this.#resourceVersion = version;
    this.#waiters.reached(version);
  }

  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#deps.log.error('a handler of cluster changes failed', { error });
    }
  }

  #healthy(): void {
    this.#backoff.reset();
    this.#report.healthy();
  }

  async #pause(failure: unknown, signal: AbortSignal): Promise<void> {
    const askedMs = isClusterApiError(failure) ? (failure.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(this.#backoff.nextMs(), Math.min(askedMs, MAX_RETRY_AFTER_MS));
    if (failure !== undefined) {
      this.#report.failed(failure, { retryInMs: delayMs, failures: this.#backoff.failures });
      this.#isCutOff = true;
    }
    const early = new AbortController();
    const wake = (): void => early.abort();
    signal.addEventListener('abort', wake, { once: true });
    const leave = this.#deps.recovery?.join(wake);
    await this.#deps.clock.sleep(delayMs, early.signal).catch(() => undefined);
    leave?.();
    signal.removeEventListener('abort', wake);
  }
}

function isGone(failure: unknown): boolean {
  return isClusterApiError(failure) && failure.code === 'gone';
}
