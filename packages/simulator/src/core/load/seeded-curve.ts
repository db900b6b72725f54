import type { SeededRandom } from './seeded-random.js';
import type { UsageCurve } from './usage-curve.js';

const SAMPLES_PER_DAY = 288;
const FLOOR = 0.02;

export interface CurveShape {
  /** Mean share of the request. */
  readonly level: number;
  /** Height of the rhythm, as a part of the level: 0.3 swings between 0.7 and 1.3 times the level. */
  readonly swing: number;
  /** Length of the rhythm in samples of five minutes. */
  readonly periodSamples: number;
  /** Size of the wandering around the rhythm, as a part of the level. */
  readonly noise: number;
}

/** A day of a made-up workload: a rhythm, and a wandering that remembers four fifths of its last step. */
export function seededCurve(shape: CurveShape, random: SeededRandom): UsageCurve {
  const phase = random.next();
  let wander = 0;
  const samples = Array.from({ length: SAMPLES_PER_DAY }, (_, index) => {
    wander = 0.8 * wander + 0.6 * random.between(-1.732, 1.732);
    const rhythm = shape.swing * triangle(phase + index / shape.periodSamples);
    return Math.max(FLOOR, shape.level * (1 + rhythm + shape.noise * wander));
  });
  return { samples, firstSample: 0 };
}

/** The same rhythm at another height: what a replica of a workload does. */
export function scaledCurve(curve: UsageCurve, factor: number): UsageCurve {
  return { samples: curve.samples.map((share) => share * factor), firstSample: curve.firstSample };
}

/** Between -1 and 1, period 1. Exact on every machine, which a sine is not promised to be. */
function triangle(turns: number): number {
  const part = turns - Math.floor(turns);
  return part < 0.5 ? 4 * part - 1 : 3 - 4 * part;
}
