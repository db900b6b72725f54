/** The one counter from which every write of a store takes its resource version. */
export interface VersionCounter {
  current: number;
}

export interface Change<T> {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
  readonly previous: T | undefined;
}

/** The changes of one collection in order, as far back as they are kept. */
export class ChangeLog<T> {
  readonly #limit: number;
  readonly #counter: VersionCounter;
  readonly #listeners = new Set<() => void>();
  #changes: Change<T>[] = [];
  #compactedVersion: number;
  #latestVersion: number;

  /** Above `limit` changes the older half is dropped. */
  constructor(limit: number, counter: VersionCounter) {
    this.#limit = limit;
    this.#counter = counter;
    this.#compactedVersion = counter.current;
    this.#latestVersion = counter.current;
  }

  /** Version of the last change. */
  get latestVersion(): number {
    return this.#latestVersion;
  }

  /** Version of the last change of any collection: this log is complete up to it. */
  get currentVersion(): number {
    return this.#counter.current;
  }

  /** The oldest version from which all changes are still there. */
  get compactedVersion(): number {
    return this.#compactedVersion;
  }

  append(change: Change<T>): void {
    this.#latestVersion = change.version;
    this.#changes.push(change);
    if (this.#changes.length > this.#limit) {
      const dropped = this.#changes.splice(0, Math.ceil(this.#changes.length / 2));
      this.#compactedVersion = dropped.at(-1)?.version ?? this.#compactedVersion;
    }
    for (const listener of this.#listeners) listener();
  }

  compact(): void {
    this.#changes = [];
    this.#compactedVersion = this.#counter.current;
  }

  /** Changes after a version, oldest first; undefined when it is compacted away or lies in the future. */
  after(version: number): readonly Change<T>[] | undefined {
    if (version < this.#compactedVersion || version > this.#counter.current) return undefined;
    const changes = this.#changes;
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((changes[middle]?.version ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return low === changes.length ? [] : changes.slice(low);
  }

  /** Calls back after each change until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
