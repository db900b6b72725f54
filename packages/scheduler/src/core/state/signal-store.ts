import type { Node } from '@catamaran/model';
import type { SignalView } from './snapshot.js';

/** What one query said about the nodes, at one moment. */
export interface SignalReading {
  /** Which signal: see `signalKey`. */
  readonly key: string;
  /** When it was read, in Unix milliseconds. */
  readonly readMs: number;
  /** By node; finite and not negative, in the unit that the signal's readers expect. */
  readonly values: ReadonlyMap<string, number>;
  /** Why a node has no value, where more is known than that there was none. */
  readonly absences: ReadonlyMap<string, string>;
}

/** A node's values, in the order in which the store knows the signals. */
export type NodeSignals = readonly (number | undefined)[];

const NO_SIGNALS: NodeSignals = [];

/** The newest reading of each signal. */
export class SignalStore {
  readonly #index = new Map<string, number>();
  readonly #readings: SignalReading[] = [];

  set(reading: SignalReading): void {
    const index = this.#index.get(reading.key) ?? this.#index.size;
    this.#index.set(reading.key, index);
    this.#readings[index] = reading;
  }

  /**
   * A node's values; `before` itself when they are the same. What was read before the node was created is another
   * machine's.
   */
  of({ metadata }: Node, before: NodeSignals = NO_SIGNALS): NodeSignals {
    const createdMs = Date.parse(metadata.creationTimestamp ?? '');
    const signals = this.#readings.map(({ values, readMs }) =>
      readMs < createdMs ? undefined : values.get(metadata.name),
    );
    const same = signals.length === before.length && signals.every((value, index) => value === before[index]);
    return same ? before : signals;
  }

  /** @param signals of all nodes. */
  views(signals: readonly NodeSignals[]): ReadonlyMap<string, SignalView> {
    const views = new Map<string, SignalView>();
    for (const [key, index] of this.#index) {
      const reading = this.#readings[index];
      if (reading !== undefined) views.set(key, viewOf(reading, index, signals));
    }
    return views;
  }
}

function viewOf(reading: SignalReading, index: number, signals: readonly NodeSignals[]): SignalView {
  let measuredNodes = 0;
  let largest = 0;
  for (const { [index]: value } of signals) {
    if (value === undefined) continue;
    measuredNodes += 1;
    if (value > largest) largest = value;
  }
  return { index, readMs: reading.readMs, absences: reading.absences, measuredNodes, largest };
}
