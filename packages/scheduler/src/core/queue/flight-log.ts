import type { ClusterEvent } from './cluster-event.js';

/**
 * The events of late, for pods that are being tried while they happen: such a pod may fail for a reason that is gone
 * by then. Bounded: whoever asks for more than is kept gets an `unknown` event, which helps everyone.
 */
export class FlightLog {
  readonly #capacity: number;
  #events: ClusterEvent[] = [];
  #firstSequence = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** What the next event will be numbered. */
  get sequence(): number {
    return this.#firstSequence + this.#events.length;
  }

  append(event: ClusterEvent): void {
    this.#events.push(event);
    if (this.#events.length > this.#capacity) {
      const dropped = this.#events.length >> 1;
      this.#events = this.#events.slice(dropped);
      this.#firstSequence += dropped;
    }
  }

  since(sequence: number): readonly ClusterEvent[] {
    return sequence < this.#firstSequence
      ? [{ kind: 'unknown' }]
      : this.#events.slice(sequence - this.#firstSequence);
  }

  clear(): void {
    this.#firstSequence = this.sequence;
    this.#events = [];
  }
}
