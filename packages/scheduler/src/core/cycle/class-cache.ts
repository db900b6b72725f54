import type { ClassColumns } from './class-columns.js';
import { ColumnFiller } from './column-filler.js';
import type { Decision } from './decision.js';
import { type NodeColumns, nodeColumns } from './node-columns.js';
import { StaticVerdicts } from './static-verdicts.js';

/** Columns cost some 60 bytes a node and class: this many nodes times classes take about 60 MB. */
const MAX_KEPT_SLOTS = 1_000_000;
const MAX_CLASSES = 1024;
const MAX_PLACEMENTS = 64;
/** Class names that are remembered without columns. */
const MAX_SEEN = 4096;

/** Columns of a class, and what they were made from. */
export interface KeptClass {
  readonly columns: ClassColumns;
  readonly inputsKey: string;
  version: number;
  /** Why no node will do, while that is so and nothing has changed since. */
  failure: Decision | undefined;
}

/** What a profile keeps between decisions. Bounded; dropping any of it costs time only. */
export class ClassCache {
  readonly filler = new ColumnFiller();
  readonly #classes = new Map<string, KeptClass>();
  readonly #placements = new Map<string, StaticVerdicts>();
  #seen = new Set<string>();
  #scratch = nodeColumns(0, 0);

  get(classKey: string): KeptClass | undefined {
    return touch(this.#classes, classKey);
  }

  put(classKey: string, kept: KeptClass, nodeCount: number): void {
    const limit = Math.min(MAX_CLASSES, Math.floor(MAX_KEPT_SLOTS / Math.max(1, nodeCount)));
    putBounded(this.#classes, classKey, { value: kept, limit: Math.max(1, limit) });
  }

  drop(classKey: string): void {
    this.#classes.delete(classKey);
  }

  /** True from the second time on: columns are worth their price only for a class that comes back. */
  comesBack(classKey: string): boolean {
    if (this.#seen.has(classKey)) return true;
    if (this.#seen.size >= MAX_SEEN) this.#seen = new Set();
    this.#seen.add(classKey);
    return false;
  }

  verdicts(placementKey: string): StaticVerdicts {
    const known = touch(this.#placements, placementKey);
    if (known !== undefined) return known;
    const fresh = new StaticVerdicts();
    putBounded(this.#placements, placementKey, { value: fresh, limit: MAX_PLACEMENTS });
    return fresh;
  }

  /** Columns that are overwritten by the next decision. */
  scratch(nodeCount: number, rawCount: number): NodeColumns {
    const { feasible, raws } = this.#scratch;
    if (feasible.length !== nodeCount || raws.length !== rawCount) {
      this.#scratch = nodeColumns(nodeCount, rawCount);
    }
    return this.#scratch;
  }
}

/** Makes the entry the youngest. */
function touch<T>(map: Map<string, T>, key: string): T | undefined {
  const value = map.get(key);
  if (value === undefined) return undefined;
  map.delete(key);
  map.set(key, value);
  return value;
}

function putBounded<T>(
  map: Map<string, T>,
  key: string,
  { value, limit }: { readonly value: T; readonly limit: number },
): void {
  map.set(key, value);
  for (const [oldest] of map) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}
