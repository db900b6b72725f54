import type { ResourceReading } from './source-reader.js';

/** So long the time may stand still before it is told. */
const TOLD_AFTER_MS = 60_000;

/** Tells answers of now from those that a cache on the way gives again and again: the time of their evaluation moves. */
export class EvaluationTime {
  #evaluatedMs = Number.NaN;
  #movedAtMs = Number.NaN;

  /**
   * When the answers of a refresh were made at the latest: by our clock, whatever the server's says.
   *
   * @param nowMs when the refresh began.
   */
  asOfMs(readings: readonly ResourceReading[], nowMs: number): number {
    const evaluatedMs = newestMs(readings);
    if (Number.isNaN(evaluatedMs)) return nowMs;
    if (evaluatedMs !== this.#evaluatedMs) {
      this.#evaluatedMs = evaluatedMs;
      this.#movedAtMs = nowMs;
    }
    return Math.min(this.#movedAtMs, nowMs);
  }
}

/** Undefined while the time moves. */
export function standingStill(asOfMs: number, nowMs: number): string | undefined {
  if (nowMs - asOfMs <= TOLD_AFTER_MS) return undefined;
  const seconds = Math.round((nowMs - asOfMs) / 1000);
  return `the answers are those of ${seconds} s ago, evaluated at the same time each: does a cache in front of Prometheus keep them?`;
}

/** NaN while no answer has a sample. */
function newestMs(readings: readonly ResourceReading[]): number {
  let newest = Number.NaN;
  for (const { averages } of readings) {
    for (const answer of averages.values()) {
      if (!answer.ok || Number.isNaN(answer.value.evaluatedMs)) continue;
      newest = Number.isNaN(newest) ? answer.value.evaluatedMs : Math.max(newest, answer.value.evaluatedMs);
    }
  }
  return newest;
}
