import type { KubernetesObject, Status } from '@catamaran/model';
import { ClusterApiError, type ListPage, type ListQuery, type WatchEvent } from '../cluster-api.js';
import { compileSelectors, type Predicate } from './selectors.js';
import { followChanges, type WatchTimers } from './watch-cursor.js';

/** The one counter from which every write of a store takes its resource version. */
export interface VersionCounter {
  current: number;
}

export interface ChangeRecord<T> {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
  readonly previous: T | undefined;
}

export interface CollectionOptions {
  readonly kind: string;
  /** Changes kept for watches; older ones are compacted away, half of them at a time. */
  readonly historyLimit: number;
}

/** Lists whose later pages can still be served; starting more of them expires the oldest. */
const MAX_OPEN_LISTS = 32;

/** One versioned collection: objects by key in key order, pages of a consistent list, and the log watches follow. */
export class Collection<T extends KubernetesObject> {
  readonly #options: CollectionOptions;
  readonly #counter: VersionCounter;
  readonly #objects = new Map<string, T>();
  readonly #listeners = new Set<() => void>();
  readonly #openLists = new Map<number, readonly (readonly [string, T])[]>();
  #sorted: readonly (readonly [string, T])[] | undefined;
  #log: ChangeRecord<T>[] = [];
  #compactedVersion: number;
  #latestVersion: number;

  constructor(options: CollectionOptions, counter: VersionCounter) {
    this.#options = options;
    this.#counter = counter;
    this.#compactedVersion = counter.current;
    this.#latestVersion = counter.current;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Version of the last change in this collection. */
  get latestVersion(): number {
    return this.#latestVersion;
  }

  /** Version up to which every change has been made, in this collection or another. */
  get currentVersion(): number {
    return this.#counter.current;
  }

  /** Watches from below this version are refused. */
  get compactedVersion(): number {
    return this.#compactedVersion;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  /** Adds or replaces an object; the stored one carries the new resource version. */
  put(key: string, object: T): T {
    const previous = this.#objects.get(key);
    const version = ++this.#counter.current;
    const stored = withVersion(object, version);
    this.#objects.set(key, stored);
    this.#record({ version, type: previous === undefined ? 'ADDED' : 'MODIFIED', object: stored, previous });
    return stored;
  }

  /** Removes an object; watchers see its last state under the version of the removal. */
  remove(key: string): T | undefined {
    const previous = this.#objects.get(key);
    if (previous === undefined) return undefined;
    this.#objects.delete(key);
    const version = ++this.#counter.current;
    this.#record({ version, type: 'DELETED', object: withVersion(previous, version), previous });
    return previous;
  }

  /** Forgets the changes so far: watches from older versions and pages of older lists get 410. */
  compact(): void {
    this.#log = [];
    this.#compactedVersion = this.#counter.current;
    for (const version of this.#openLists.keys()) {
      if (version < this.#compactedVersion) this.#openLists.delete(version);
    }
  }

  list(query: ListQuery): ListPage<T> {
    const matches = compileSelectors(this.#options.kind, query);
    const at = readContinueToken(query.continueToken);
    const entries = at === undefined ? this.#entries() : this.#openLists.get(at.version);
    const version = at?.version ?? this.#counter.current;
    if (entries === undefined)
      throw expired('The provided continue parameter is too old to serve a list; start it again');
    return this.#page({ entries, version, after: at?.after, limit: query.limit ?? 0, matches });
  }

  #page(from: {
    readonly entries: readonly (readonly [string, T])[];
    readonly version: number;
    readonly after: string | undefined;
    readonly limit: number;
    readonly matches: Predicate;
  }): ListPage<T> {
    const { entries, version, limit, matches } = from;
    const resourceVersion = String(version);
    const items: T[] = [];
    let last = '';
    for (let index = firstAfter(entries, from.after); index < entries.length; index += 1) {
      const [key, object] = entries[index] as readonly [string, T];
      if (!matches(object)) continue;
      if (limit > 0 && items.length === limit) {
        this.#keepOpen(version, entries);
        return { items, resourceVersion, continueToken: writeContinueToken({ version, after: last }) };
      }
      items.push(object);
      last = key;
    }
    return { items, resourceVersion };
  }

  /**
   * Follows the changes after `resourceVersion`; with an empty one or 0, first announces what is there as ADDED.
   * A version that has been compacted away gives an ERROR event with 410, then the end.
   */
  watch(
    query: {
      readonly resourceVersion: string;
      readonly fieldSelector?: string;
      readonly labelSelector?: string;
    },
    timers: WatchTimers,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    const matches = compileSelectors(this.#options.kind, query);
    return followChanges(this, { from: readVersion(query.resourceVersion), matches }, timers, signal);
  }

  /** Changes after a version, oldest first; undefined when it is compacted away or lies in the future. */
  changesAfter(version: number): readonly ChangeRecord<T>[] | undefined {
    if (version < this.#compactedVersion || version > this.#counter.current) return undefined;
    const log = this.#log;
    let low = 0;
    let high = log.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((log[middle] as ChangeRecord<T>).version <= version) low = middle + 1;
      else high = middle;
    }
    return log.slice(low);
  }

  /** Calls back after each change until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #record(change: ChangeRecord<T>): void {
    this.#latestVersion = change.version;
    this.#sorted = undefined;
    this.#log.push(change);
    if (this.#log.length > this.#options.historyLimit) this.#trim();
    for (const listener of this.#listeners) listener();
  }

  #trim(): void {
    const dropped = this.#log.splice(0, Math.ceil(this.#log.length / 2));
    this.#compactedVersion = dropped.at(-1)?.version ?? this.#compactedVersion;
  }

  #entries(): readonly (readonly [string, T])[] {
    this.#sorted ??= [...this.#objects].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return this.#sorted;
  }

  #keepOpen(version: number, entries: readonly (readonly [string, T])[]): void {
    this.#openLists.delete(version);
    this.#openLists.set(version, entries);
    const [oldest] = this.#openLists.keys();
    if (this.#openLists.size > MAX_OPEN_LISTS && oldest !== undefined) this.#openLists.delete(oldest);
  }
}

function withVersion<T extends KubernetesObject>(object: T, version: number): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

function firstAfter(entries: readonly (readonly [string, unknown])[], after: string | undefined): number {
  if (after === undefined) return 0;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.[0] ?? '') <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface ContinuePosition {
  readonly version: number;
  readonly after: string;
}

function writeContinueToken(position: ContinuePosition): string {
  return Buffer.from(JSON.stringify([position.version, position.after])).toString('base64url');
}

function readContinueToken(token: string | undefined): ContinuePosition | undefined {
  if (token === undefined || token === '') return undefined;
  try {
    const [version, after] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
    if (typeof version === 'number' && typeof after === 'string') return { version, after };
  } catch {
    // Falls through: whatever was wrong with it, the caller gets one answer.
  }
  throw new ClusterApiError('rejected', 'continue key is not valid', {
    httpStatus: 400,
    reason: 'BadRequest',
  });
}

function readVersion(text: string): number | undefined {
  if (text === '' || text === '0') return undefined;
  const version = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(version)) {
    throw new ClusterApiError('rejected', `Invalid value: "${text}": resourceVersion is not a whole number`, {
      httpStatus: 400,
      reason: 'BadRequest',
    });
  }
  return version;
}

function expired(message: string): ClusterApiError {
  return new ClusterApiError('gone', message, { httpStatus: 410, reason: 'Expired' });
}

/** The status a watch from a compacted version ends with. */
export function tooOldStatus(version: number, oldest: number): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: 410,
    reason: 'Expired',
    message: `too old resource version: ${version} (${oldest})`,
  };
}
