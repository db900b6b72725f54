import type { KubernetesObject } from '@catamaran/model';
import type { Clock } from '../../clock/clock.js';
import type { WatchEvent } from '../cluster-api.js';
import { type ChangeRecord, type Collection, tooOldStatus } from './collection.js';
import type { Predicate } from './selectors.js';

export interface WatchTimers {
  readonly clock: Pick<Clock, 'schedule'>;
  /** A bookmark at least this often. */
  readonly bookmarkIntervalMs: number;
  /** The stream ends after this long; undefined = never by itself. */
  readonly timeoutMs?: number | undefined;
}

interface WatchStart {
  /** Undefined: announce the present objects first. */
  readonly from: number | undefined;
  readonly matches: Predicate;
}

/**
 * The stream of one watch. It holds a position in the collection's log instead of a buffer, so a slow reader costs
 * nothing and is told 410 when it falls behind the compaction. Changes that the selector hides are answered with a
 * bookmark as soon as the log is drained, so that the reader knows how far it is.
 */
export async function* followChanges<T extends KubernetesObject>(
  collection: Collection<T>,
  start: WatchStart,
  timers: WatchTimers,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>> {
  signal.throwIfAborted();
  const alarm = new WatchAlarm(collection, timers, signal);
  try {
    let position = start.from ?? collection.currentVersion;
    if (start.from === undefined) yield* announce(collection, start.matches);
    for (;;) {
      const changes = collection.changesAfter(position);
      if (changes === undefined) {
        yield { type: 'ERROR', status: tooOldStatus(position, collection.compactedVersion) };
        return;
      }
      let toldVersion = position;
      for (const change of changes) {
        position = change.version;
        const event = asSeenThrough(start.matches, change);
        if (event === undefined) continue;
        toldVersion = change.version;
        yield event;
        signal.throwIfAborted();
      }
      if (collection.latestVersion > position) continue;
      const bookmarkDue = alarm.takeBookmarkDue();
      if (position > toldVersion || bookmarkDue || alarm.timedOut) {
        position = Math.max(position, collection.currentVersion);
        yield { type: 'BOOKMARK', resourceVersion: String(position) };
        if (collection.latestVersion > position) continue;
      }
      if (alarm.timedOut) return;
      await alarm.ring();
      signal.throwIfAborted();
    }
  } finally {
    alarm.close();
  }
}

function* announce<T extends KubernetesObject>(
  collection: Collection<T>,
  matches: Predicate,
): Generator<WatchEvent<T>> {
  for (const object of collection.list({}).items) {
    if (matches(object)) yield { type: 'ADDED', object };
  }
}

/** An object that comes into a selector's view is ADDED, one that leaves it DELETED (last state in view), whatever really happened. */
function asSeenThrough<T extends KubernetesObject>(
  matches: Predicate,
  change: ChangeRecord<T>,
): WatchEvent<T> | undefined {
  const before = change.previous !== undefined && matches(change.previous);
  const after = change.type !== 'DELETED' && matches(change.object);
  if (after) return { type: before ? 'MODIFIED' : 'ADDED', object: change.object };
  if (!before || change.previous === undefined) return undefined;
  const { resourceVersion } = change.object.metadata;
  const metadata = {
    ...change.previous.metadata,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return { type: 'DELETED', object: { ...change.previous, metadata } };
}

/** Wakes a watch: on a change, an abort, a due bookmark or its time-out. */
class WatchAlarm {
  timedOut = false;
  readonly #undo: (() => void)[] = [];
  #wake: (() => void) | undefined;
  #rung = false;
  #bookmarkDue = false;

  constructor(
    collection: { onChange(listener: () => void): () => void },
    timers: WatchTimers,
    signal: AbortSignal,
  ) {
    const ring = (): void => this.#ring();
    this.#undo.push(collection.onChange(ring));
    signal.addEventListener('abort', ring, { once: true });
    this.#undo.push(() => signal.removeEventListener('abort', ring));
    this.#scheduleBookmark(timers);
    if (timers.timeoutMs !== undefined) {
      const end = (): void => {
        this.timedOut = true;
        this.#ring();
      };
      this.#undo.push(timers.clock.schedule(timers.timeoutMs, end));
    }
  }

  takeBookmarkDue(): boolean {
    const due = this.#bookmarkDue;
    this.#bookmarkDue = false;
    return due;
  }

  /** Resolves at the next ring, at once if there was one since the last. */
  async ring(): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#rung = false;
  }

  close(): void {
    for (const undo of this.#undo) undo();
    this.#cancelBookmark();
  }

  #cancelBookmark: () => void = () => undefined;

  #scheduleBookmark(timers: WatchTimers): void {
    this.#cancelBookmark = timers.clock.schedule(timers.bookmarkIntervalMs, () => {
      this.#bookmarkDue = true;
      this.#ring();
      this.#scheduleBookmark(timers);
    });
  }

  #ring(): void {
    this.#rung = true;
    this.#wake?.();
    this.#wake = undefined;
  }
}
