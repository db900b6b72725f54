import { type ClusterEvent, mayHelp } from './cluster-event.js';
import { EntryHeap, isDueBefore, isTriedBefore } from './entry-heap.js';
import { FlightLog } from './flight-log.js';
import { countFailure, newEntry, type Pending, type QueueEntry, type QueueState } from './queue-entry.js';
import type { Attempt, FailedAttempt, QueueCounts, QueueOptions } from './queue-options.js';
import { UnschedulablePods } from './unschedulable-pods.js';

const DEFAULT_FLIGHT_LOG = 1000;

/**
 * The pods that wait for a node, by kube-scheduler's rules: those to try now by priority and age; failed ones wait for
 * an event that may help them, and at least until their back-off (doubling from the initial to the longest) is over.
 *
 * A pod is in one state at any time, known by its uid. Every operation takes the present time in milliseconds.
 */
export class SchedulingQueue<T extends Pending> {
  readonly #options: QueueOptions<T>;
  readonly #entries = new Map<string, QueueEntry<T>>();
  readonly #active = new EntryHeap<T>(isTriedBefore);
  readonly #backoff = new EntryHeap<T>(isDueBefore);
  readonly #errorBackoff = new EntryHeap<T>(isDueBefore);
  readonly #unschedulable = new UnschedulablePods<T>();
  readonly #flightLog: FlightLog;
  readonly #counts: Record<QueueState, number> = {
    active: 0,
    backoff: 0,
    'error-backoff': 0,
    unschedulable: 0,
    gated: 0,
    'in-flight': 0,
  };
  #arrivals = 0;

  constructor(options: QueueOptions<T>) {
    this.#options = options;
    this.#flightLog = new FlightLog(options.flightLogCapacity ?? DEFAULT_FLIGHT_LOG);
  }

  counts(): QueueCounts {
    return { ...this.#counts };
  }

  state(uid: string): QueueState | undefined {
    return this.#entries.get(uid)?.state;
  }

  item(uid: string): T | undefined {
    return this.#entries.get(uid)?.item;
  }

  /** Adds a pod, or takes over its new form. `improved`: what changed may make it schedulable. */
  upsert(item: T, nowMs: number, improved = true): void {
    const entry = this.#entries.get(item.uid);
    if (entry === undefined) {
      const added = newEntry(item, this.#arrivals++, nowMs);
      this.#entries.set(item.uid, added);
      this.#enter(added);
      return;
    }
    entry.item = item;
    if (entry.state === 'gated' && !item.gated) {
      this.#move(entry, 'active', nowMs);
    } else if (entry.state === 'unschedulable' && improved) {
      this.#retry(entry, nowMs);
    } else if (entry.state === 'in-flight') {
      entry.improvedInFlight ||= improved;
    }
  }

  /** Harmless for a pod that is not here. */
  remove(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) {
      return;
    }
    this.#leave(entry);
    this.#entries.delete(uid);
    this.#trimFlightLog();
  }

  /** The next pod to try. It is in flight until `failed` or `remove` says how it went. */
  pop(nowMs: number): Attempt<T> | undefined {
    this.flush(nowMs);
    const entry = this.#active.peek() ?? this.#backoff.peek();
    if (entry === undefined) {
      return undefined;
    }
    entry.flightSequence = this.#flightLog.sequence;
    entry.improvedInFlight = false;
    entry.attempts += 1;
    this.#move(entry, 'in-flight', nowMs);
    return { item: entry.item, attempt: entry.attempts, arrivedMs: entry.arrivedMs };
  }

  /** Puts a pod back that was in flight; harmless when it has been removed meanwhile. */
  failed(uid: string, result: FailedAttempt, nowMs: number): void {
    const entry = this.#entries.get(uid);
    if (entry?.state !== 'in-flight') {
      return;
    }
    const missed = this.#flightLog.since(entry.flightSequence);
    const failures = countFailure(entry, result.kind);
    entry.backoffUntilMs = this.#backoffEnd(failures, nowMs);
    if (result.kind === 'error') {
      this.#move(entry, 'error-backoff', nowMs);
    } else {
      entry.rejectedBy = result.rejectedBy;
      this.#move(entry, 'unschedulable', nowMs);
      if (entry.improvedInFlight || missed.some((event) => this.#helps(entry, event))) {
        this.#retry(entry, nowMs);
      }
    }
    this.#trimFlightLog();
  }

  /** Wakes the pods that the event may help. */
  onEvent(event: ClusterEvent, nowMs: number): void {
    if (this.#counts['in-flight'] > 0) {
      this.#flightLog.append(event);
    }
    for (const entry of this.#unschedulable.helpedBy(event)) {
      if (this.#helps(entry, event)) {
        this.#retry(entry, nowMs);
      }
    }
  }

  /** Moves what has waited long enough. */
  flush(nowMs: number): void {
    for (const heap of [this.#backoff, this.#errorBackoff]) {
      for (let top = heap.peek(); top !== undefined && top.backoffUntilMs <= nowMs; top = heap.peek()) {
        this.#move(top, 'active', nowMs);
      }
    }
    const limitMs = nowMs - this.#options.unschedulableFlushMs;
    for (let old = this.#unschedulable.oldest(); old !== undefined && old.sinceMs <= limitMs; ) {
      this.#retry(old, nowMs);
      old = this.#unschedulable.oldest();
    }
  }

  /** When `pop` will have something to give unless something happens before; undefined: never. */
  nextWakeMs(): number | undefined {
    if (this.#counts.active + this.#counts.backoff > 0) {
      return Number.NEGATIVE_INFINITY;
    }
    const oldest = this.#unschedulable.oldest();
    const times = [
      this.#errorBackoff.peek()?.backoffUntilMs,
      oldest === undefined ? undefined : oldest.sinceMs + this.#options.unschedulableFlushMs,
    ].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #retry(entry: QueueEntry<T>, nowMs: number): void {
    this.#move(entry, entry.backoffUntilMs <= nowMs ? 'active' : 'backoff', nowMs);
  }

  #helps(entry: QueueEntry<T>, event: ClusterEvent): boolean {
    if (('uid' in event && event.uid === entry.item.uid) || !mayHelp(event, entry.rejectedBy)) {
      return false;
    }
    const refusing = this.#options.refusedThereBy?.(entry.item, event, entry.rejectedBy);
    if (refusing !== undefined) {
      this.#unschedulable.alsoRejectedBy(entry, refusing);
    }
    return refusing === undefined;
  }

  #move(entry: QueueEntry<T>, state: QueueState, sinceMs: number): void {
    this.#leave(entry);
    entry.state = state;
    entry.sinceMs = sinceMs;
    this.#enter(entry);
  }

  #leave(entry: QueueEntry<T>): void {
    this.#counts[entry.state] -= 1;
    entry.token += 1;
    if (entry.state === 'unschedulable') {
      this.#unschedulable.delete(entry);
    }
  }

  #enter(entry: QueueEntry<T>): void {
    this.#counts[entry.state] += 1;
    switch (entry.state) {
      case 'active':
        this.#active.push(entry, this.#counts.active);
        break;
      case 'backoff':
        this.#backoff.push(entry, this.#counts.backoff);
        break;
      case 'error-backoff':
        this.#errorBackoff.push(entry, this.#counts['error-backoff']);
        break;
      case 'unschedulable':
        this.#unschedulable.add(entry);
        break;
      case 'gated':
      case 'in-flight':
        break;
    }
  }

  /** kube-scheduler cuts the end to whole seconds, so that pods which fail together come back together. */
  #backoffEnd(failures: number, nowMs: number): number {
    const { initialBackoffMs, maxBackoffMs } = this.#options;
    const delayMs = Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.min(failures - 1, 30));
    return Math.floor((nowMs + delayMs) / 1000) * 1000;
  }

  #trimFlightLog(): void {
    if (this.#counts['in-flight'] === 0) {
      this.#flightLog.clear();
    }
  }
}
