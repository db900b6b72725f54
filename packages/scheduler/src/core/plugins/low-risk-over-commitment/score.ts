import { clampedShare, type Shares } from '../../node-statistics/resource-use.js';
import { incompleteBeta } from '../../numerics/incomplete-beta.js';

/** What pods claim of one resource of a node, all in the same unit. */
export interface Claims {
  readonly capacity: number;
  /** At most the capacity. */
  readonly requests: number;
  /** At least the requests, and as far above the capacity as they go. */
  readonly limits: number;
}

/** Limits beyond the capacity as a share of what the pods may use beyond their requests, 0..1. */
export function limitRisk({ capacity, requests, limits }: Claims): number {
  return limits > capacity ? (limits - capacity) / (limits - requests) : 0;
}

/**
 * Probability, 0..1, that the pods on a node use more than they request, given that they use no more than their
 * limits. Use is taken to be beta-distributed with the measured mean and deviation.
 *
 * @param use shares of the capacity, 0..1.
 * @param claims of the pods that are there, without the one to be placed.
 * @param windowSize factor of the variance.
 */
export function loadRisk({ mean, deviation }: Shares, claims: Claims, windowSize: number): number {
  const spread = Math.min(deviation * Math.sqrt(windowSize), Math.sqrt(largestVariance(mean) * 0.99));
  const { capacity, requests, limits } = claims;
  const { probability, beta } = distribution(mean, spread, clampedShare(requests / capacity));
  if (limits >= capacity || requests > limits) return 1 - probability;
  const limit = limits / capacity;
  if (limit === 0) return 0;
  const withinLimit = beta === undefined ? 0 : distributionFunction(beta, limit);
  return 1 - (withinLimit > 0 ? clampedShare(probability / withinLimit) : probability);
}

/** Of any distribution on 0..1 with this mean. */
export function largestVariance(mean: number): number {
  return mean > 0 && mean < 1 ? mean * (1 - mean) : 0;
}

/** Parameters of a beta distribution. */
export interface Beta {
  readonly alpha: number;
  readonly beta: number;
}

/** The probability of a value up to `threshold`, and the distribution where there is a proper one. */
function distribution(
  mean: number,
  deviation: number,
  threshold: number,
): { readonly probability: number; readonly beta: Beta | undefined } {
  if (mean === 0) return { probability: 1, beta: undefined };
  const variance = deviation * deviation + mean * mean - mean * mean;
  if (deviation === 0 || variance === 0) return { probability: mean <= threshold ? 1 : 0, beta: undefined };
  const beta = matchingBeta(mean, variance);
  return { probability: beta === undefined ? 0 : distributionFunction(beta, threshold), beta };
}

/** The beta distribution with this mean and variance; undefined when there is none. */
export function matchingBeta(mean: number, variance: number): Beta | undefined {
  const largest = mean * (1 - mean);
  if (!(mean >= 0 && mean <= 1 && variance >= 0 && variance < largest)) return undefined;
  const sum = Math.max(largest / variance - 1, Number.MIN_VALUE);
  return { alpha: mean * sum, beta: (1 - mean) * sum };
}

/** Probability of a value up to x; 0 where it can't be computed. */
export function distributionFunction({ alpha, beta }: Beta, x: number): number {
  const value = incompleteBeta(alpha, beta, x);
  return value >= 0 && value <= 1 ? value : 0;
}

/** @param weight of the risk from limits, 0..1. */
export function combinedRisk(fromLimits: number, fromLoad: number, weight: number): number {
  return clampedShare(weight * fromLimits + (1 - weight) * fromLoad);
}

/** 100 without any risk, 0 at certainty; the worse resource counts. Halves are rounded up. */
export function overCommitmentScore(cpuRisk: number, memoryRisk: number): number {
  return Math.round((1 - Math.max(cpuRisk, memoryRisk)) * 100);
}
