/** What the queue must know of a pod. */
export interface Pending {
  readonly uid: string;
  readonly priority: number;
  /** It has scheduling gates: it waits until they are taken away. */
  readonly gated: boolean;
}

export type QueueState =
  | 'active'
  | 'backoff'
  /** Backing off after an error: never tried early. */
  | 'error-backoff'
  | 'unschedulable'
  | 'gated'
  | 'in-flight';

/** A pod in the queue. Only the queue changes it. */
export interface QueueEntry<T extends Pending> {
  item: T;
  state: QueueState;
  /** When it came into the queue first. */
  readonly arrivedMs: number;
  /** Unique; equal pods are tried in this order. */
  readonly arrival: number;
  /** When it came into its present state. */
  sinceMs: number;
  /** When it may be tried again; set by each failure. */
  backoffUntilMs: number;
  /** Attempts so far, the one under way included. */
  attempts: number;
  /** What the back-off doubles with; errors are counted in a row. */
  unschedulableResults: number;
  errors: number;
  rejectedBy: ReadonlySet<string>;
  /** Number of the first event that the attempt under way may not have seen. */
  flightSequence: number;
  /** The pod itself changed, during the attempt under way, in a way that may help. */
  improvedInFlight: boolean;
  /** Raised with each change of state, so that heaps know their stale tickets. */
  token: number;
}

export function newEntry<T extends Pending>(item: T, arrival: number, nowMs: number): QueueEntry<T> {
  return {
    item,
    state: item.gated ? 'gated' : 'active',
    arrivedMs: nowMs,
    arrival,
    sinceMs: nowMs,
    backoffUntilMs: Number.NEGATIVE_INFINITY,
    attempts: 0,
    unschedulableResults: 0,
    errors: 0,
    rejectedBy: new Set(),
    flightSequence: 0,
    improvedInFlight: false,
    token: 0,
  };
}

/** @returns how many failures of this kind the back-off counts. */
export function countFailure(entry: QueueEntry<Pending>, kind: 'unschedulable' | 'error'): number {
  if (kind === 'error') {
    entry.errors += 1;
    return entry.errors;
  }
  entry.errors = 0;
  entry.unschedulableResults += 1;
  return entry.unschedulableResults;
}
