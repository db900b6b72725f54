import type { DemoState } from '../run/demo-state.js';

/** Where a run is shown while it goes on. */
export interface DemoView {
  /** Called at every simulated instant; the state is worked out only when it is shown. */
  update(simulatedMs: number, state: () => DemoState): void;
  /** Shows the last state and gives the screen back. Idempotent. */
  close(): void;
}

/** Anything that takes text: stdout, stderr, or a test's list. */
export interface TextSink {
  write(text: string): unknown;
}
