import type { ClusterEvent } from './cluster-event.js';
import type { Pending, QueueState } from './queue-entry.js';

export interface QueueOptions<T extends Pending> {
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  /** After so long an unschedulable pod is tried again though nothing happened. */
  readonly unschedulableFlushMs: number;
  /** Events kept for pods that are being tried; 1,000. */
  readonly flightLogCapacity?: number;
  /**
   * A closer look at an event that concerns a plugin which refused the pod: undefined where it may help; else who
   * refuses the pod there now, so that what helps against those will wake it.
   */
  readonly refusedThereBy?: (
    item: T,
    event: ClusterEvent,
    rejectedBy: ReadonlySet<string>,
  ) => readonly string[] | undefined;
}

/** A pod taken from the queue to be tried. */
export interface Attempt<T> {
  readonly item: T;
  /** 1 for the first. */
  readonly attempt: number;
  readonly arrivedMs: number;
}

export type FailedAttempt =
  | { readonly kind: 'unschedulable'; readonly rejectedBy: ReadonlySet<string> }
  | { readonly kind: 'error' };

export type QueueCounts = Readonly<Record<QueueState, number>>;
