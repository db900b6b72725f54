import { clampedShare } from '../../node-statistics/resource-use.js';
import { goPow } from '../../numerics/go-pow.js';

/**
 * What the deviation of a resource counts for: its root, times the margin, 0..1.
 *
 * @param deviation share of the capacity, 0..1.
 */
export function weightedDeviation(
  deviation: number,
  { margin, sensitivity }: { readonly margin: number; readonly sensitivity: number },
): number {
  return clampedShare(goPow(deviation, 1 / sensitivity) * margin);
}

/**
 * Score of one resource, not rounded, 0..100: the less of it is used and the steadier, the higher.
 *
 * @param mean share of the capacity in use with the pod, 0..1.
 * @param deviation as weighted, 0..1.
 */
export function resourceScore(mean: number, deviation: number): number {
  return (1 - (mean + deviation) / 2) * 100;
}

/** The lower of the resources that were measured; NaN when none was. Halves are rounded up. */
export function balancingScore(cpuScore: number, memoryScore: number): number {
  if (Number.isNaN(cpuScore)) return Math.round(memoryScore);
  return Math.round(Number.isNaN(memoryScore) ? cpuScore : Math.min(cpuScore, memoryScore));
}
