import type { Implausible } from './plausibility.js';

export interface SampleTimeLimits {
  /** Older samples tell nothing about now. */
  readonly maxAgeMs: number;
  /** How far the source's clock may be ahead of ours. */
  readonly maxAheadMs: number;
}

export const DEFAULT_SAMPLE_TIME_LIMITS: SampleTimeLimits = { maxAgeMs: 300_000, maxAheadMs: 120_000 };

/** Undefined when a sample of that time may be used now; else whether it is stale or from the future. */
export function judgeSampleTime(
  sampleUnixMs: number,
  nowMs: number,
  limits: SampleTimeLimits,
): Implausible | undefined {
  const ageMs = nowMs - sampleUnixMs;
  if (ageMs > limits.maxAgeMs) {
    return {
      reason: 'stale-sample',
      detail: `the sample is ${seconds(ageMs)} old, at most ${seconds(limits.maxAgeMs)} is used: the source stopped measuring the node, or clocks differ`,
    };
  }
  if (-ageMs > limits.maxAheadMs) {
    return {
      reason: 'future-sample',
      detail: `the sample is ${seconds(-ageMs)} ahead of this clock, at most ${seconds(limits.maxAheadMs)} is used: set the clocks`,
    };
  }
  return undefined;
}

function seconds(durationMs: number): string {
  return `${Math.round(durationMs / 1000)} s`;
}
