import type { PlannedPod, WorldPlan } from '../plan/world-plan.js';

/** A moment at which the driver has something to do. */
export interface Instant {
  readonly offsetMs: number;
  readonly arrivals: readonly PlannedPod[];
  /** A simulated minute ends here. */
  readonly minuteEnds: boolean;
}

const MINUTE_MS = 60_000;

/** Arrivals and ends of minutes in order of time; pods that arrive together come together. */
export function instantsOf(plan: WorldPlan): Instant[] {
  const arrivals = new Map<number, PlannedPod[]>();
  for (const pod of plan.pods) {
    const together = arrivals.get(pod.arrivalOffsetMs);
    if (together === undefined) arrivals.set(pod.arrivalOffsetMs, [pod]);
    else together.push(pod);
  }
  const minutes = Array.from({ length: plan.simulatedMinutes }, (_, index) => (index + 1) * MINUTE_MS);
  const offsets = [...new Set([...arrivals.keys(), ...minutes])].sort((a, b) => a - b);
  return offsets.map((offsetMs) => ({
    offsetMs,
    arrivals: arrivals.get(offsetMs) ?? [],
    minuteEnds: offsetMs % MINUTE_MS === 0,
  }));
}
