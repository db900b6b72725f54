import type { Decision } from '../core/cycle/decision.js';
import type { CompiledProfile } from '../core/cycle/profile.js';
import type { PodInfo } from '../core/state/pod-info.js';
import type { Snapshot } from '../core/state/snapshot.js';

/** One decision as it was made. */
export interface DecisionRecord {
  readonly pod: PodInfo;
  readonly profile: CompiledProfile;
  readonly timeMs: number;
  readonly snapshotVersion: number;
  readonly decision: Decision;
  /** The cluster it was made on, so that details can be worked out again; undefined where it is no longer kept. */
  readonly snapshot: Snapshot | undefined;
}

export interface DecisionLogOptions {
  /** Decisions kept. */
  readonly capacity: number;
  /**
   * Snapshots share what did not change between them. The newest are kept as long as no more than so many changed
   * nodes lie between them; a node takes about half a kilobyte.
   */
  readonly changedNodes: number;
}

export const DEFAULT_DECISION_LOG: DecisionLogOptions = { capacity: 1000, changedNodes: 50_000 };

interface Slot {
  readonly record: DecisionRecord;
  /** Changed nodes before this decision, since the log began. */
  readonly changesBefore: number;
}

/** The last decisions, in bounded memory: a ring. */
export class DecisionLog {
  readonly #options: DecisionLogOptions;
  readonly #ring: (Slot | undefined)[] = [];
  #count = 0;
  /** Number of the oldest decision whose snapshot is kept. */
  #oldestWithSnapshot = 0;
  #changes = 0;
  #lastVersion: number | undefined;

  constructor(options: DecisionLogOptions = DEFAULT_DECISION_LOG) {
    this.#options = options;
  }

  /** Cost: the nodes that changed since the decision before. */
  append(record: DecisionRecord): void {
    if (record.snapshot !== undefined) {
      this.#changes += changedNodes(record.snapshot, this.#lastVersion);
      this.#lastVersion = record.snapshotVersion;
    }
    this.#ring[this.#count % this.#options.capacity] = { record, changesBefore: this.#changes };
    this.#count += 1;
    this.#dropSnapshots();
  }

  /** Newest first; of one pod (`namespace/name`) only, when it is given. */
  newest(podKey?: string): readonly DecisionRecord[] {
    const { capacity } = this.#options;
    const records: DecisionRecord[] = [];
    for (let at = this.#count - 1; at >= Math.max(0, this.#count - capacity); at--) {
      const record = this.#ring[at % capacity]?.record;
      if (record !== undefined && (podKey === undefined || record.pod.key === podKey)) {
        records.push(record);
      }
    }
    return records;
  }

  #dropSnapshots(): void {
    const { capacity, changedNodes: limit } = this.#options;
    const newest = this.#count - 1;
    this.#oldestWithSnapshot = Math.max(this.#oldestWithSnapshot, this.#count - capacity);
    for (let at = this.#oldestWithSnapshot; at < newest; at = this.#oldestWithSnapshot) {
      const slot = this.#ring[at % capacity];
      if (slot === undefined || this.#changes - slot.changesBefore <= limit) {
        return;
      }
      this.#ring[at % capacity] = { ...slot, record: { ...slot.record, snapshot: undefined } };
      this.#oldestWithSnapshot = at + 1;
    }
  }
}

function changedNodes(snapshot: Snapshot, since: number | undefined): number {
  return since === undefined ? 0 : (snapshot.changedSince(since)?.length ?? snapshot.nodeCount);
}
