import { type Int64, int64ToNumber } from '@catamaran/model';

const MAX_NODE_SCORE = 100;

/** One resource of a node: what it has, and what is asked of it without and with the pod. */
export interface BalancedUse {
  readonly allocatable: Int64;
  readonly without: Int64;
  readonly withPod: Int64;
}

/**
 * How much more even the node's resources are used with the pod than without it (kube-scheduler 1.36 and later).
 * About 75 means no change.
 */
export function balancedScore(uses: readonly BalancedUse[]): number {
  const before = evenness(uses.map(({ allocatable, without }) => fraction(without, allocatable)));
  const after = evenness(uses.map(({ allocatable, withPod }) => fraction(withPod, allocatable)));
  const half = MAX_NODE_SCORE / 2;
  return half + Math.trunc((half + after - before) / 2);
}

function fraction(requested: Int64, allocatable: Int64): number {
  return Math.min(1, int64ToNumber(requested) / int64ToNumber(allocatable));
}

/** 100 when all fractions are the same; whole number, truncated. */
function evenness(fractions: readonly number[]): number {
  return Math.trunc((1 - deviation(fractions)) * MAX_NODE_SCORE);
}

function deviation(fractions: readonly number[]): number {
  const [first = 0, second = 0] = fractions;
  if (fractions.length < 2) return 0;
  if (fractions.length === 2) return Math.abs((first - second) / 2);
  let total = 0;
  for (const value of fractions) total += value;
  const mean = total / fractions.length;
  let squares = 0;
  for (const value of fractions) squares += (value - mean) * (value - mean);
  return Math.sqrt(squares / fractions.length);
}
