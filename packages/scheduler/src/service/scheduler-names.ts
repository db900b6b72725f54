import { type Logger, nearestName } from '@catamaran/platform';

/** A pod of a scheduler that lives needs less. */
const WAIT_MS = 5 * 60_000;
/** Long enough for a first pod to come. */
const UNUSED_MS = 10 * 60_000;

/**
 * Notices names that don't meet: pods of a scheduler that nobody serves wait for ever without a word, and a profile
 * that no pod names does nothing. Each is said once.
 */
export class SchedulerNames {
  readonly #served: readonly string[];
  readonly #startedMs: number;
  readonly #log: Logger;
  readonly #unused: Set<string>;
  readonly #said = new Set<string>();
  /** Pods of other schedulers that have no node, by uid. */
  readonly #waiting = new Map<string, { readonly name: string; readonly sinceMs: number }>();

  constructor(served: Iterable<string>, startedMs: number, log: Logger) {
    this.#served = [...served];
    this.#unused = new Set(this.#served);
    this.#startedMs = startedMs;
    this.#log = log;
  }

  /** A pod without a node names this scheduler. */
  heard(uid: string, name: string, nowMs: number): void {
    this.#unused.delete(name);
    if (this.#served.includes(name) || this.#waiting.has(uid)) return;
    this.#waiting.set(uid, { name, sinceMs: nowMs });
    const nearest = nearestName(name, this.#served);
    if (nearest !== undefined) this.#sayUnserved(name, nearest);
  }

  /** The pod has a node, or is gone. */
  settled(uid: string): void {
    this.#waiting.delete(uid);
  }

  /** Says what has not been said. Cost: the pods of other schedulers that wait. */
  report(nowMs: number): void {
    for (const { name, sinceMs } of this.#waiting.values()) {
      if (nowMs - sinceMs >= WAIT_MS) this.#sayUnserved(name, undefined);
    }
    if (nowMs - this.#startedMs < UNUSED_MS) return;
    for (const name of this.#unused) {
      this.#once(`unused ${name}`, 'no pod has named the scheduler of this profile', { schedulerName: name });
    }
  }

  #sayUnserved(name: string, nearest: string | undefined): void {
    this.#once(`unserved ${name}`, 'pods wait for a scheduler that is none of the profiles here', {
      schedulerName: name,
      ...(nearest === undefined ? {} : { didYouMean: nearest }),
      profiles: this.#served,
    });
  }

  #once(key: string, message: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#log.warn(message, fields);
  }
}
