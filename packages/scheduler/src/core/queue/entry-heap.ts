import { BinaryHeap } from './binary-heap.js';
import type { Pending, QueueEntry } from './queue-entry.js';

/** An entry's place in the order, as it was when the entry was pushed: a heap must not see its keys change. */
export interface Ticket<T extends Pending> {
  readonly entry: QueueEntry<T>;
  readonly token: number;
  readonly priority: number;
  readonly sinceMs: number;
  readonly backoffUntilMs: number;
  readonly arrival: number;
}

export type TicketOrder = (a: Ticket<Pending>, b: Ticket<Pending>) => boolean;

/** kube-scheduler's PrioritySort: higher priority first, then who waits longer. */
export const isTriedBefore: TicketOrder = (a, b) => {
  if (a.priority !== b.priority) {
    return a.priority > b.priority;
  }
  return a.sinceMs === b.sinceMs ? a.arrival < b.arrival : a.sinceMs < b.sinceMs;
};

/** Whose back-off ends first; of those that end together, whom to try first. */
export const isDueBefore: TicketOrder = (a, b) =>
  a.backoffUntilMs === b.backoffUntilMs ? isTriedBefore(a, b) : a.backoffUntilMs < b.backoffUntilMs;

/** Stale tickets are swept out when they outnumber the live ones by more than this. */
const SLACK = 1024;

/** Orders entries of one state. An entry that has moved on since it was pushed is passed over. */
export class EntryHeap<T extends Pending> {
  readonly #order: TicketOrder;
  #heap: BinaryHeap<Ticket<T>>;

  constructor(order: TicketOrder) {
    this.#order = order;
    this.#heap = new BinaryHeap<Ticket<T>>(order);
  }

  /** @param live how many entries are in this heap's state. */
  push(entry: QueueEntry<T>, live: number): void {
    const { token, sinceMs, backoffUntilMs, arrival } = entry;
    this.#heap.push({ entry, token, priority: entry.item.priority, sinceMs, backoffUntilMs, arrival });
    if (this.#heap.size > 2 * live + SLACK) {
      this.#sweep();
    }
  }

  peek(): QueueEntry<T> | undefined {
    for (let top = this.#heap.peek(); top !== undefined; top = this.#heap.peek()) {
      if (isLive(top)) {
        return top.entry;
      }
      this.#heap.pop();
    }
    return undefined;
  }

  #sweep(): void {
    const old = this.#heap;
    this.#heap = new BinaryHeap<Ticket<T>>(this.#order);
    for (let ticket = old.pop(); ticket !== undefined; ticket = old.pop()) {
      if (isLive(ticket)) {
        this.#heap.push(ticket);
      }
    }
  }
}

function isLive(ticket: Ticket<Pending>): boolean {
  return ticket.token === ticket.entry.token;
}
