import type { DemoState } from '../run/demo-state.js';
import { clockText } from './bars.js';
import type { DemoView, TextSink } from './demo-view.js';
import { placementLines, summaryLines } from './frame.js';

const REPORT_EVERY_MS = 10 * 60_000;

/** Progress as plain lines, for pipes and logs: one block per ten simulated minutes. */
export class PlainView implements DemoView {
  readonly #sink: TextSink;
  #reportedMs = 0;
  #latest: (() => DemoState) | undefined;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  update(simulatedMs: number, state: () => DemoState): void {
    this.#latest = state;
    if (simulatedMs - this.#reportedMs >= REPORT_EVERY_MS) this.#report(state());
  }

  close(): void {
    const last = this.#latest?.();
    this.#latest = undefined;
    if (last !== undefined && last.simulatedMs > this.#reportedMs) this.#report(last);
  }

  #report(state: DemoState): void {
    this.#reportedMs = state.simulatedMs;
    const lines = [
      `${clockText(state.simulatedMs)} of ${clockText(state.totalMs)} simulated: ${state.arrived} of ${state.podCount} pods arrived, ${state.metricRefreshes} metric refreshes`,
      ...summaryLines(state).map((line) => `  ${line}`),
      ...placementLines(state.placements.slice(-1)).map((line) => `  ${line}`),
    ];
    this.#sink.write(`${lines.join('\n')}\n`);
  }
}
