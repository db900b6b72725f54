import type { Pod } from '@catamaran/model';
import type { Clock } from '@catamaran/platform';
import type { PodInfo } from '../core/state/pod-info.js';
import type { Activity } from './activity.js';

export interface ConfirmationsDeps {
  readonly activity: Activity;
  readonly clock: Clock;
  readonly isAssumed: (uid: string) => boolean;
  /** Whether the watch is up to date: while it is not, it may still have the pod to tell. */
  readonly isWatchFresh: () => boolean;
  readonly read: (pod: PodInfo, signal: AbortSignal) => Promise<Pod | undefined>;
  /** What a read has found out about a pod that the watch would not show. */
  readonly onTruth: (assumed: PodInfo, found: Pod | undefined) => void;
}

interface Unconfirmed {
  readonly info: PodInfo;
  readonly sinceMs: number;
  readonly end: () => void;
}

/** A watch shows a bound pod within milliseconds. */
const OVERDUE_MS = 60_000;

/**
 * Bound pods that the watch has not shown on their node yet. They stay assumed, however long that takes; one that is
 * overdue though the watch is fresh is read, and what the API server says about it holds.
 */
export class Confirmations {
  readonly #deps: ConfirmationsDeps;
  /** By uid, the longest waiting first. */
  readonly #waiting = new Map<string, Unconfirmed>();
  readonly #stop = new AbortController();
  #cancelTimer: (() => void) | undefined;

  constructor(deps: ConfirmationsDeps) {
    this.#deps = deps;
  }

  await(info: PodInfo): void {
    const { activity, clock, isAssumed } = this.#deps;
    if (!isAssumed(info.uid) || this.#stop.signal.aborted) return;
    this.#waiting.set(info.uid, { info, sinceMs: clock.nowMs(), end: activity.begin() });
    this.#arm();
  }

  /** The watch shows the pod on a node, or gone. */
  settled(uid: string): void {
    this.#waiting.get(uid)?.end();
    this.#waiting.delete(uid);
  }

  close(): void {
    this.#stop.abort(new DOMException('closed', 'AbortError'));
    this.#cancelTimer?.();
    for (const { end } of this.#waiting.values()) end();
    this.#waiting.clear();
  }

  #arm(): void {
    if (this.#cancelTimer !== undefined || this.#waiting.size === 0 || this.#stop.signal.aborted) return;
    this.#cancelTimer = this.#deps.clock.schedule(OVERDUE_MS, () => {
      this.#cancelTimer = undefined;
      void this.#check().finally(() => this.#arm());
    });
  }

  async #check(): Promise<void> {
    const { clock, isWatchFresh, read, onTruth } = this.#deps;
    const limitMs = clock.nowMs() - OVERDUE_MS;
    for (const { info, sinceMs } of this.#waiting.values()) {
      if (sinceMs > limitMs || !isWatchFresh()) return;
      let found: Pod | undefined;
      try {
        found = await read(info, this.#stop.signal);
      } catch {
        return;
      }
      if (this.#waiting.has(info.uid)) onTruth(info, found);
    }
  }
}
