/** Distance between two samples of a curve: that of the public usage traces. */
export const SAMPLE_MS = 300_000;

/**
 * What a pod uses over time, as a share of its request (1 = all of it; more than 1 where the request is too low).
 *
 * Each sample is the mean of its five minutes and holds for all of them: the curve is stepped, not interpolated, so
 * that its integral is the trace's and peaks are not flattened. After the last sample it starts again.
 */
export interface UsageCurve {
  readonly samples: readonly number[];
  /** Sample in force at the start of the simulation. */
  readonly firstSample: number;
}

/** @param stepIndex whole samples since the start of the simulation. */
export function shareAt(curve: UsageCurve, stepIndex: number): number {
  const { samples, firstSample } = curve;
  const index = (((firstSample + stepIndex) % samples.length) + samples.length) % samples.length;
  return samples[index] ?? 0;
}

export function meanShare(curve: UsageCurve): number {
  return curve.samples.reduce((sum, share) => sum + share, 0) / curve.samples.length;
}

/** A trace's row: percent of the workload's own CPU or memory, one figure per five minutes. */
export function curveFromPercents(percents: readonly number[], firstSample = 0): UsageCurve {
  return { samples: percents.map((percent) => percent / 100), firstSample };
}

/** A pod that always uses the same share. */
export function steadyCurve(share: number): UsageCurve {
  return { samples: [share], firstSample: 0 };
}
