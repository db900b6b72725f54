import { type Int64, int64ToNumber } from '@catamaran/model';
import type { ResourceFigures } from './resource-figures.js';

const MEBIBYTE = 1_048_576;

/** CPU in milli, memory in MiB: the units in which Trimaran computes. */
export function mebibytes(bytes: Int64): number {
  return int64ToNumber(bytes) / MEBIBYTE;
}

/** One resource of a node, all in the same unit. */
export interface ResourceUse {
  readonly capacity: number;
  readonly used: number;
  readonly deviation: number;
}

/** Percentages applied to a capacity; Trimaran takes what is allocatable, whatever the percentages are of. */
export function resourceUse(figures: ResourceFigures, capacity: number): ResourceUse {
  return {
    capacity,
    used: (figures.averagePercent * capacity) / 100,
    deviation: (figures.deviationPercent * capacity) / 100,
  };
}

/** Mean and deviation as shares of the capacity, both 0..1. */
export interface Shares {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Shares of a node with `added` on top of what is in use; both 0 without capacity. The order of operations is
 * Trimaran's.
 */
export function sharesWith({ capacity, used, deviation }: ResourceUse, added: number): Shares {
  if (capacity <= 0) return { mean: 0, deviation: 0 };
  return { mean: clampedShare((used + added) / capacity), deviation: clampedShare(deviation / capacity) };
}

export function clampedShare(value: number): number {
  return Math.max(Math.min(value, 1), 0);
}
