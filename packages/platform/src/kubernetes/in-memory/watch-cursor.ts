import type { KubernetesObject, Status } from '@catamaran/model';
import type { WatchEvent } from '../cluster-api.js';
import type { Change, ChangeLog } from './change-log.js';
import type { Predicate } from './selectors.js';
import { WatchAlarm, type WatchTimers } from './watch-alarm.js';

export interface WatchStart<T> {
  /** Changes after this version follow. */
  readonly position: number;
  /** Announced first, as ADDED. */
  readonly present: readonly T[];
  readonly matches: Predicate;
}

/**
 * The stream of one watch. It holds a position in the log instead of a buffer, so a slow reader costs nothing and is
 * told 410 when it falls behind the compaction. Changes that the selector hides are answered with a bookmark as soon
 * as the log is drained, so that the reader knows how far it is.
 */
export async function* followChanges<T extends KubernetesObject>(
  log: ChangeLog<T>,
  start: WatchStart<T>,
  end: { readonly timers: WatchTimers; readonly signal: AbortSignal },
): AsyncGenerator<WatchEvent<T>> {
  const { timers, signal } = end;
  signal.throwIfAborted();
  const alarm = new WatchAlarm(log, timers, signal);
  const cursor = new WatchCursor(log, start);
  try {
    for (;;) {
      for (const event of cursor.drain()) {
        yield event;
        signal.throwIfAborted();
      }
      if (cursor.isLost) return;
      const due = alarm.takeBookmarkDue();
      if (cursor.hasHidden || due || alarm.timedOut) yield cursor.bookmark();
      if (alarm.timedOut) return;
      await alarm.ring();
      signal.throwIfAborted();
    }
  } finally {
    alarm.close();
  }
}

/** How far one watch has read. */
class WatchCursor<T extends KubernetesObject> {
  readonly #log: ChangeLog<T>;
  readonly #start: WatchStart<T>;
  #position: number;
  #announced = false;
  #hasHidden = false;
  #isLost = false;

  constructor(log: ChangeLog<T>, start: WatchStart<T>) {
    this.#log = log;
    this.#start = start;
    this.#position = start.position;
  }

  /** The last thing that happened was hidden by the selector, and the reader has not been told. */
  get hasHidden(): boolean {
    return this.#hasHidden;
  }

  /** The position is not in the log: the watch is over. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** What the reader has not seen, including what happens while it reads. */
  *drain(): Generator<WatchEvent<T>> {
    if (!this.#announced) yield* this.#announce();
    for (;;) {
      const changes = this.#log.after(this.#position);
      this.#isLost = changes === undefined;
      if (changes === undefined) yield { type: 'ERROR', status: goneStatus(this.#position, this.#log) };
      if (changes === undefined || changes.length === 0) return;
      for (const change of changes) {
        this.#position = change.version;
        const event = asSeenThrough(this.#start.matches, change);
        this.#hasHidden = event === undefined;
        if (event !== undefined) yield event;
      }
    }
  }

  /** Only after a drain: nothing up to here is outstanding. */
  bookmark(): WatchEvent<T> {
    this.#hasHidden = false;
    this.#position = this.#log.currentVersion;
    return { type: 'BOOKMARK', resourceVersion: String(this.#position) };
  }

  *#announce(): Generator<WatchEvent<T>> {
    this.#announced = true;
    for (const object of this.#start.present) {
      if (this.#start.matches(object)) yield { type: 'ADDED', object };
    }
  }
}

/** An object that comes into a selector's view is ADDED, one that leaves it DELETED in its last state within. */
function asSeenThrough<T extends KubernetesObject>(
  matches: Predicate,
  change: Change<T>,
): WatchEvent<T> | undefined {
  const { previous, object } = change;
  const before = previous !== undefined && matches(previous);
  const after = change.type !== 'DELETED' && matches(object);
  if (after) return { type: before ? 'MODIFIED' : 'ADDED', object };
  if (!before) return undefined;
  const metadata = { ...previous.metadata, resourceVersion: String(change.version) };
  return { type: 'DELETED', object: { ...previous, metadata } };
}

function goneStatus(position: number, log: ChangeLog<unknown>): Status {
  const message =
    position > log.currentVersion
      ? `resource version ${position} is ahead of the store (${log.currentVersion})`
      : `too old resource version: ${position} (${log.compactedVersion})`;
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410, reason: 'Expired', message };
}
