/**
 * The only source of time in the project. Real processes get a SystemClock, tests and the embedded cluster a
 * VirtualClock; nothing else reads the time or sets a timer.
 */
export interface Clock {
  /** Unix time in milliseconds. */
  nowMs(): number;
  /** Calls back once, `delayMs` from now. The returned function cancels it; calling that twice is harmless. */
  schedule(delayMs: number, callback: () => void): () => void;
  /**
   * Resolves after `delayMs`.
   * @throws the signal's reason, as soon as it aborts.
   */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}
