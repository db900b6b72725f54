import type { Clock } from '@catamaran/platform';
import type { DemoState } from '../run/demo-state.js';
import type { DemoView, TextSink } from './demo-view.js';
import { renderFrame } from './frame.js';

export interface TerminalSink extends TextSink {
  readonly columns?: number;
  readonly rows?: number;
}

const FRAME_INTERVAL_MS = 100;
const FALLBACK_SIZE = { columns: 80, rows: 24 };
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_BELOW = '\u001b[J';

/** Draws one frame over the last, at most ten times a second. */
export class TerminalView implements DemoView {
  readonly #sink: TerminalSink;
  readonly #clock: Pick<Clock, 'nowMs'>;
  #drawnLines = 0;
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  #latest: (() => DemoState) | undefined;
  #closed = false;

  /** @param clock the machine's, not the simulation's. */
  constructor(sink: TerminalSink, clock: Pick<Clock, 'nowMs'>) {
    this.#sink = sink;
    this.#clock = clock;
  }

  update(_simulatedMs: number, state: () => DemoState): void {
    if (this.#closed) return;
    this.#latest = state;
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#drawnAtMs < FRAME_INTERVAL_MS) return;
    this.#drawnAtMs = nowMs;
    this.#draw(state());
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#latest === undefined) return;
    this.#draw(this.#latest());
    this.#sink.write(SHOW_CURSOR);
  }

  #draw(state: DemoState): void {
    const lines = renderFrame(state, {
      columns: this.#sink.columns ?? FALLBACK_SIZE.columns,
      rows: this.#sink.rows ?? FALLBACK_SIZE.rows,
    });
    const back = this.#drawnLines === 0 ? HIDE_CURSOR : `\u001b[${this.#drawnLines}A\r`;
    this.#sink.write(`${back}${CLEAR_BELOW}${lines.join('\n')}\n`);
    this.#drawnLines = lines.length;
  }
}
