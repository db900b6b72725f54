import { type ClusterEvent, mayHelp } from './cluster-event.js';
import type { Pending, QueueEntry } from './queue-entry.js';

/** Pods that wait for an event, grouped by the plugins that refused them: an event is judged once a group. */
export class UnschedulablePods<T extends Pending> {
  /** In the order in which they came. */
  readonly #entries = new Set<QueueEntry<T>>();
  readonly #groups = new Map<string, Set<QueueEntry<T>>>();

  get size(): number {
    return this.#entries.size;
  }

  oldest(): QueueEntry<T> | undefined {
    return this.#entries.values().next().value;
  }

  add(entry: QueueEntry<T>): void {
    this.#entries.add(entry);
    this.#join(entry);
  }

  /** Events that concern these plugins may help the pod too from now on; its place in the order stays. */
  alsoRejectedBy(entry: QueueEntry<T>, plugins: readonly string[]): void {
    if (plugins.every((plugin) => entry.rejectedBy.has(plugin))) return;
    this.#part(entry);
    entry.rejectedBy = new Set([...entry.rejectedBy, ...plugins]);
    this.#join(entry);
  }

  #join(entry: QueueEntry<T>): void {
    const key = groupKey(entry);
    const group = this.#groups.get(key) ?? new Set();
    group.add(entry);
    this.#groups.set(key, group);
  }

  delete(entry: QueueEntry<T>): void {
    this.#entries.delete(entry);
    this.#part(entry);
  }

  #part(entry: QueueEntry<T>): void {
    const key = groupKey(entry);
    const group = this.#groups.get(key);
    group?.delete(entry);
    if (group?.size === 0) {
      this.#groups.delete(key);
    }
  }

  helpedBy(event: ClusterEvent): readonly QueueEntry<T>[] {
    const helped: QueueEntry<T>[] = [];
    for (const group of this.#groups.values()) {
      const [first] = group;
      if (first !== undefined && mayHelp(event, first.rejectedBy)) {
        helped.push(...group);
      }
    }
    return helped;
  }
}

function groupKey(entry: QueueEntry<Pending>): string {
  return [...entry.rejectedBy].sort().join();
}
