import type { KubernetesObject } from '@catamaran/model';
import { ClusterApiError, type ListPage, type ListQuery, type WatchEvent } from '../cluster-api.js';
import { ChangeLog, type VersionCounter } from './change-log.js';
import { readContinueToken, writeContinueToken } from './continue-token.js';
import { compileSelectors, type Predicate } from './selectors.js';
import type { WatchTimers } from './watch-alarm.js';
import { followChanges } from './watch-cursor.js';

export interface CollectionOptions {
  readonly kind: string;
  /** Changes kept for watches; beyond, the older half is compacted away. */
  readonly historyLimit: number;
}

/** Lists whose later pages can still be served; starting more of them expires the oldest. */
const MAX_OPEN_LISTS = 32;

type Entry<T> = readonly [key: string, object: T];

/** One versioned collection: objects by key, pages of a consistent list in key order, and watches. */
export class Collection<T extends KubernetesObject> {
  readonly #kind: string;
  readonly #counter: VersionCounter;
  readonly #log: ChangeLog<T>;
  readonly #objects = new Map<string, T>();
  readonly #openLists = new Map<number, readonly Entry<T>[]>();
  #sorted: readonly Entry<T>[] | undefined;

  constructor(options: CollectionOptions, counter: VersionCounter) {
    this.#kind = options.kind;
    this.#counter = counter;
    this.#log = new ChangeLog(options.historyLimit, counter);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Version of the last change in this collection. */
  get latestVersion(): number {
    return this.#log.latestVersion;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** In order of creation. */
  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  /** Adds or replaces an object; the stored one carries the new resource version. */
  put(key: string, object: T): T {
    const previous = this.#objects.get(key);
    const version = ++this.#counter.current;
    const stored = withVersion(object, version);
    this.#objects.set(key, stored);
    this.#sorted = undefined;
    this.#log.append({
      version,
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      object: stored,
      previous,
    });
    return stored;
  }

  /** Removes an object; watchers see its last state under the version of the removal. */
  remove(key: string): void {
    const previous = this.#objects.get(key);
    if (previous === undefined) return;
    this.#objects.delete(key);
    this.#sorted = undefined;
    const version = ++this.#counter.current;
    this.#log.append({ version, type: 'DELETED', object: withVersion(previous, version), previous });
  }

  /** Forgets the changes so far: watches from older versions and pages of older lists get 410. */
  compact(): void {
    this.#log.compact();
    this.#expireLists();
  }

  /** @throws ClusterApiError 'rejected' for a selector or token that can't be read, 'gone' for an expired token. */
  list(query: ListQuery): ListPage<T> {
    const matches = compileSelectors(this.#kind, query);
    const position = readContinueToken(query.continueToken);
    this.#expireLists();
    const version = position?.version ?? this.#counter.current;
    const entries = position === undefined ? this.#entries() : this.#openLists.get(version);
    if (entries === undefined) {
      throw new ClusterApiError('gone', 'The provided continue parameter is too old: start the list again', {
        httpStatus: 410,
        reason: 'Expired',
      });
    }
    return this.#page({ entries, version, after: position?.after, limit: query.limit ?? 0, matches });
  }

  /**
   * Follows the changes after `resourceVersion`; with an empty one or 0, first announces what is there as ADDED.
   * A version that is compacted away, or not reached yet, gives an ERROR event with 410 and the end.
   * @throws ClusterApiError 'rejected' at once for a selector or version that can't be read.
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
    const matches = compileSelectors(this.#kind, query);
    const from = readVersion(query.resourceVersion);
    const position = from ?? this.#counter.current;
    const present = from === undefined ? this.#entries().map(([, object]) => object) : [];
    return followChanges(this.#log, { position, present, matches }, { timers, signal });
  }

  #page(from: {
    readonly entries: readonly Entry<T>[];
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
      const [key, object] = entries[index] as Entry<T>;
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

  #entries(): readonly Entry<T>[] {
    this.#sorted ??= [...this.#objects].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return this.#sorted;
  }

  /** A list can be read on as long as a watch could start from its version. */
  #expireLists(): void {
    for (const version of this.#openLists.keys()) {
      if (version < this.#log.compactedVersion) this.#openLists.delete(version);
    }
  }

  #keepOpen(version: number, entries: readonly Entry<T>[]): void {
    this.#openLists.delete(version);
    this.#openLists.set(version, entries);
    const [oldest] = this.#openLists.keys();
    if (this.#openLists.size > MAX_OPEN_LISTS && oldest !== undefined) this.#openLists.delete(oldest);
  }
}

function withVersion<T extends KubernetesObject>(object: T, version: number): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

function firstAfter(entries: readonly Entry<unknown>[], after: string | undefined): number {
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

function readVersion(text: string): number | undefined {
  if (text === '' || text === '0') return undefined;
  const version = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(version)) return version;
  const message = `resourceVersion: Invalid value: "${text}": expected a whole number`;
  throw new ClusterApiError('rejected', message, { httpStatus: 400, reason: 'BadRequest' });
}
