import type { Clock } from '@catamaran/platform';
import { withinDeadline } from './call-deadline.js';

export interface CallSlotsOptions {
  /** Calls that may be under way at once, not counting slow ones. */
  readonly limit: number;
  /** A call that has no answer for so long is slow: its slot goes to the next. */
  readonly slowAfterMs: number;
  /** Calls that may be under way at once, slow ones included. */
  readonly hardLimit: number;
  /** When a call is given up. */
  readonly deadlineMs: number;
}

/**
 * Bounds the calls to the API server, so that some that hang don't hold up the others: those wait no longer than
 * `slowAfterMs` for a slot, until `hardLimit` calls hang at once; each of these ends with its deadline.
 */
export class CallSlots {
  readonly #options: CallSlotsOptions;
  readonly #clock: Clock;
  readonly #onRoom: () => void;
  /** Whoever waits for a slot, and whether for a slow one. */
  readonly #waiting = new Map<() => void, boolean>();
  #quick = 0;
  #open = 0;

  /** @param onRoom called when a call could begin that could not before. */
  constructor(options: CallSlotsOptions, clock: Clock, onRoom: () => void = () => undefined) {
    this.#options = options;
    this.#clock = clock;
    this.#onRoom = onRoom;
  }

  /** Whether a call would begin at once. */
  get hasRoom(): boolean {
    return this.#waiting.size === 0 && this.#isFree(false);
  }

  /**
   * Makes a call as soon as there is room; those that wait are served in order.
   *
   * @param prepare done within the slot, however long it takes, such as the wait for a rate limit.
   * @param isSlow the same has hung before: it counts as slow from the start, and holds up no quick one.
   * @throws ClusterApiError `timeout` at the deadline; the signal's reason; whatever the call throws.
   */
  async during<T>(
    call: (signal: AbortSignal) => Promise<T>,
    { signal, prepare, isSlow = false }: CallManner,
  ): Promise<T> {
    const isFirst = isSlow || this.#waiting.size === 0;
    if (isFirst && this.#isFree(isSlow)) this.#take(isSlow);
    else await this.#turn(signal, isSlow);
    let cancel: () => void = () => undefined;
    let isQuick = !isSlow;
    const noLongerQuick = (): void => {
      if (!isQuick) return;
      isQuick = false;
      this.#quick -= 1;
      this.#next();
    };
    try {
      await prepare();
      cancel = this.#clock.schedule(this.#options.slowAfterMs, noLongerQuick);
      return await withinDeadline(call, { clock: this.#clock, limitMs: this.#options.deadlineMs, signal });
    } finally {
      cancel();
      this.#open -= 1;
      noLongerQuick();
      this.#next();
    }
  }

  #take(isSlow: boolean): void {
    if (!isSlow) this.#quick += 1;
    this.#open += 1;
  }

  #isFree(isSlow: boolean): boolean {
    const { limit, hardLimit } = this.#options;
    return (isSlow || this.#quick < limit) && this.#open < hardLimit;
  }

  /** Resolves with a slot taken. */
  #turn(signal: AbortSignal, isSlow: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = (): void => {
        this.#waiting.delete(onTurn);
        reject(signal.reason as Error);
      };
      const onTurn = (): void => {
        this.#waiting.delete(onTurn);
        this.#take(isSlow);
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(onTurn, isSlow);
    });
  }

  #next(): void {
    if (this.#waiting.size === 0) {
      if (this.#isFree(false)) this.#onRoom();
      return;
    }
    for (const [begin, isSlow] of this.#waiting) {
      if (!this.#isFree(isSlow)) continue;
      begin();
      return;
    }
  }
}

interface CallManner {
  readonly signal: AbortSignal;
  readonly prepare: () => Promise<void>;
  readonly isSlow?: boolean;
}
