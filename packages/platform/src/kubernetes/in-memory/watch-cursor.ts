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
  timers: WatchTimers,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>> {
  signal.throwIfAborted();
  const alarm = new WatchAlarm(log, timers, signal);
  let { position } = start;
  try {
    for (const object of start.present) {
      if (start.matches(object)) yield { type: 'ADDED', object };
    }
    let hidden = false;
    for (;;) {
      signal.throwIfAborted();
      const changes = log.after(position);
      if (changes === undefined) {
        yield { type: 'ERROR', status: goneStatus(position, log) };
        return;
      }
      for (const change of changes) {
        position = change.version;
        const event = asSeenThrough(start.matches, change);
        hidden = event === undefined;
        if (event !== undefined) yield event;
      }
      if (changes.length > 0) continue;
      const due = alarm.takeBookmarkDue();
      if (hidden || due || alarm.timedOut) {
        hidden = false;
        position = log.currentVersion;
        yield { type: 'BOOKMARK', resourceVersion: String(position) };
      }
      if (alarm.timedOut) return;
      await alarm.ring();
    }
  } finally {
    alarm.close();
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
