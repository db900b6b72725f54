import { WINDOW_DURATIONS, type WindowDuration } from '@catamaran/model';
import NodeCache from 'node-cache';
import type { WindowFigures } from '../core/figures/figures.js';
import type { EncodedWindow } from './encoded-window.js';

/** What is kept of one window: its last good figures, ready to serve. */
export interface StoredWindow {
  readonly figures: WindowFigures;
  readonly encoded: EncodedWindow;
  /** By the stopwatch. */
  readonly storedAtMs: number;
}

/**
 * The last good figures of each window. Entries never expire by themselves: whoever reads them judges their age by
 * the service's own clock, so that data can't vanish between two fills.
 */
export class WindowStore {
  // Entries are immutable and shared: cloning megabytes at each read would block the process.
  readonly #cache = new NodeCache({ useClones: false, stdTTL: 0, checkperiod: 0 });

  set(duration: WindowDuration, entry: StoredWindow): void {
    this.#cache.set(duration, Object.freeze(entry));
  }

  get(duration: WindowDuration): StoredWindow | undefined {
    return this.#cache.get<StoredWindow>(duration);
  }

  /** Longest first. */
  all(): readonly StoredWindow[] {
    return WINDOW_DURATIONS.flatMap((duration) => this.get(duration) ?? []);
  }

  close(): void {
    this.#cache.close();
  }
}
