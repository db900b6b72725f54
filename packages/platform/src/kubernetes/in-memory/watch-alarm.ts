import type { Clock } from '../../clock/clock.js';

export interface WatchTimers {
  readonly clock: Pick<Clock, 'schedule'>;
  /** A bookmark at least this often. */
  readonly bookmarkIntervalMs: number;
  /** The stream ends after this long; undefined = never by itself. */
  readonly timeoutMs?: number | undefined;
}

/** Wakes a watch: on a change, an abort, a due bookmark or its time-out. */
export class WatchAlarm {
  #timedOut = false;
  #bookmarkDue = false;
  #rung = false;
  #wake: (() => void) | undefined;
  #cancelBookmark: () => void = () => undefined;
  readonly #undo: (() => void)[] = [];

  constructor(
    source: { onChange(listener: () => void): () => void },
    timers: WatchTimers,
    signal: AbortSignal,
  ) {
    const ring = (): void => this.#ring();
    this.#undo.push(source.onChange(ring));
    signal.addEventListener('abort', ring, { once: true });
    this.#undo.push(() => signal.removeEventListener('abort', ring));
    this.#scheduleBookmark(timers);
    if (timers.timeoutMs === undefined) return;
    const end = (): void => {
      this.#timedOut = true;
      this.#ring();
    };
    this.#undo.push(timers.clock.schedule(timers.timeoutMs, end));
  }

  get timedOut(): boolean {
    return this.#timedOut;
  }

  takeBookmarkDue(): boolean {
    const due = this.#bookmarkDue;
    this.#bookmarkDue = false;
    return due;
  }

  /** Resolves at the next ring, at once if there was one since the last. */
  async ring(): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#rung = false;
  }

  close(): void {
    for (const undo of this.#undo) undo();
    this.#cancelBookmark();
  }

  #scheduleBookmark(timers: WatchTimers): void {
    this.#cancelBookmark = timers.clock.schedule(timers.bookmarkIntervalMs, () => {
      this.#bookmarkDue = true;
      this.#ring();
      this.#scheduleBookmark(timers);
    });
  }

  #ring(): void {
    this.#rung = true;
    this.#wake?.();
    this.#wake = undefined;
  }
}
