import type { AbsenceReason } from './figures.js';

/**
 * Highest percentage of a node's capacity that is believed. Above 100 is legal: usage beyond allocatable, bursts
 * within a sample. Ten times the capacity is no load but a wrong unit, such as cores or percent taken for a ratio.
 */
const MAX_PLAUSIBLE_PERCENT = 1000;

export interface Implausible {
  readonly reason: AbsenceReason;
  readonly detail: string;
}

/** Undefined when a percentage may be served. */
export function judgePercent(percent: number): Implausible | undefined {
  if (!Number.isFinite(percent)) {
    return { reason: 'non-finite', detail: `the sample is ${percent}` };
  }
  if (percent < 0) {
    return { reason: 'negative', detail: `${percent} % is below 0` };
  }
  if (percent > MAX_PLAUSIBLE_PERCENT) {
    return {
      reason: 'implausible',
      detail: `${percent} % is above ${MAX_PLAUSIBLE_PERCENT} %: check the unit that is declared for the query`,
    };
  }
  return undefined;
}
