import type { Clock } from './clock.js';
import { sleepOn } from './sleep.js';

/** Longest delay a Node.js timer can hold; longer ones are split. */
const MAX_TIMER_MS = 2_147_483_647;

/** The machine's clock. */
export class SystemClock implements Clock {
  nowMs(): number {
    return Date.now();
  }

  schedule(delayMs: number, callback: () => void): () => void {
    let timer: NodeJS.Timeout;
    const arm = (remainingMs: number): void => {
      const step = Math.min(remainingMs, MAX_TIMER_MS);
      timer = setTimeout(() => (remainingMs > step ? arm(remainingMs - step) : callback()), step);
    };
    arm(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }
}
