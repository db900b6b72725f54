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
  /** The cluster it was made on: kept for the newest decisions only, so that details can be worked out again. */
  readonly snapshot: Snapshot | undefined;
}

export interface DecisionLogOptions {
  readonly capacity: number;
  /** How many of the newest keep their snapshot. */
  readonly withSnapshot: number;
}

export const DEFAULT_DECISION_LOG: DecisionLogOptions = { capacity: 1000, withSnapshot: 100 };

/** The last decisions, in bounded memory: a ring. */
export class DecisionLog {
  readonly #options: DecisionLogOptions;
  readonly #ring: (DecisionRecord | undefined)[] = [];
  #count = 0;

  constructor(options: DecisionLogOptions = DEFAULT_DECISION_LOG) {
    this.#options = options;
  }

  append(record: DecisionRecord): void {
    const { capacity, withSnapshot } = this.#options;
    this.#ring[this.#count % capacity] = record;
    this.#count += 1;
    const fading = (this.#count - 1 - withSnapshot) % capacity;
    const old = fading < 0 ? undefined : this.#ring[fading];
    if (old !== undefined && withSnapshot < capacity) {
      this.#ring[fading] = { ...old, snapshot: undefined };
    }
  }

  /** Newest first; of one pod (`namespace/name`) only, when it is given. */
  newest(podKey?: string): readonly DecisionRecord[] {
    const { capacity } = this.#options;
    const records: DecisionRecord[] = [];
    for (let at = this.#count - 1; at >= Math.max(0, this.#count - capacity); at--) {
      const record = this.#ring[at % capacity];
      if (record !== undefined && (podKey === undefined || record.pod.key === podKey)) {
        records.push(record);
      }
    }
    return records;
  }
}
