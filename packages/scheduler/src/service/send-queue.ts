import { setMaxListeners } from 'node:events';
import { type Clock, isClusterApiError, type Logger } from '@catamaran/platform';
import { BinaryHeap } from '../core/queue/binary-heap.js';
import type { Activity } from './activity.js';
import type { CallSlots } from './call-slots.js';
import type { RateLimiter } from './rate-limiter.js';
import { isWorthRepeating, retryDelayMs } from './send-retry.js';

export interface SendQueueOptions {
  /** What is sent, for log lines. */
  readonly name: string;
  /** Waiting items; more are dropped. */
  readonly capacity: number;
  /** An item that failed so often is dropped. */
  readonly maxTries: number;
}

export interface SendQueueDeps {
  readonly limiter: RateLimiter;
  /** @param onRoom as `CallSlots` takes it. */
  readonly slots: (onRoom: () => void) => CallSlots;
  /** The transport's clock. */
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly activity: Activity;
  readonly log: Logger;
  readonly onDropped?: () => void;
}

type Send = (signal: AbortSignal) => Promise<void>;

interface Item {
  readonly key: string;
  readonly send: Send;
  tries: number;
  notBeforeMs: number;
  /** Unique; equal times are served in this order. */
  readonly sequence: number;
}

/**
 * Sends things to the API server that nobody waits for. Scheduling is never held up: when too much waits, new things
 * are dropped. A newer thing of the same key takes the place of one that still waits. What fails because of the server
 * is tried again, ever less often, and as late as the server asks.
 */
export class SendQueue {
  readonly #options: SendQueueOptions;
  readonly #deps: SendQueueDeps;
  readonly #slots: CallSlots;
  readonly #ready = new Map<string, Item>();
  readonly #delayed = new Map<string, Item>();
  /** The delayed by their time; items that are no longer delayed are passed over. */
  readonly #times = new BinaryHeap<Item>(
    (a, b) => a.notBeforeMs < b.notBeforeMs || (a.notBeforeMs === b.notBeforeMs && a.sequence < b.sequence),
  );
  readonly #stop = new AbortController();
  #cancelTimer: () => void = () => undefined;
  #sequence = 0;
  /** Keys of what is being sent: a newer thing of the same key must not overtake it. */
  readonly #inFlight = new Set<string>();
  #isClosing = false;
  #isDropping = false;
  #isFailing = false;
  #onEmpty: () => void = () => undefined;

  constructor(options: SendQueueOptions, deps: SendQueueDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#slots = deps.slots(() => this.#pump());
    // Every call under way listens to it.
    setMaxListeners(0, this.#stop.signal);
  }

  /** Items that wait for their turn, or for their next try. */
  get waiting(): number {
    return this.#ready.size + this.#delayed.size;
  }

  /** False: dropped. */
  offer(key: string, send: Send): boolean {
    if (this.#isClosing) return false;
    const isNew = !this.#ready.has(key) && !this.#delayed.has(key);
    if (isNew && this.waiting >= this.#options.capacity) {
      this.#overflow();
      return false;
    }
    this.#delayed.delete(key);
    this.#ready.set(key, { key, send, tries: 0, notBeforeMs: 0, sequence: this.#sequence++ });
    this.#pump();
    return true;
  }

  /** Whatever waits under the key is no longer of use. */
  drop(key: string): void {
    this.#ready.delete(key);
    this.#delayed.delete(key);
  }

  /** Sends what waits, each thing once more, until `patience` aborts; says how much was left then. Idempotent. */
  async close(patience: AbortSignal): Promise<void> {
    this.#isClosing = true;
    this.#cancelTimer();
    for (const [key, item] of this.#delayed) this.#ready.set(key, item);
    this.#delayed.clear();
    const emptied = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      if (patience.aborted) resolve();
      patience.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#pump();
    await emptied;
    const left = this.#ready.size + this.#inFlight.size;
    this.#ready.clear();
    this.#stop.abort(new DOMException('closed', 'AbortError'));
    if (left === 0) return;
    for (let index = 0; index < left; index += 1) this.#deps.onDropped?.();
    this.#deps.log.warn('not everything could be sent before the end', { what: this.#options.name, left });
  }

  #pump(): void {
    this.#wakeDue();
    while (this.#slots.hasRoom && !this.#stop.signal.aborted) {
      const next = this.#next();
      if (next === undefined) break;
      this.#ready.delete(next.key);
      this.#inFlight.add(next.key);
      void this.#deps.activity.during(() => this.#send(next));
    }
    if (this.#isClosing && this.#inFlight.size === 0 && this.#ready.size === 0) this.#onEmpty();
  }

  #next(): Item | undefined {
    for (const item of this.#ready.values()) if (!this.#inFlight.has(item.key)) return item;
    return undefined;
  }

  async #send(item: Item): Promise<void> {
    const { signal } = this.#stop;
    item.tries += 1;
    try {
      await this.#slots.during(item.send, { signal, prepare: () => this.#deps.limiter.take(signal) });
      this.#isDropping = false;
      this.#isFailing = false;
    } catch (error) {
      if (!signal.aborted) this.#failed(item, error);
    }
    this.#inFlight.delete(item.key);
    this.#pump();
  }

  #failed(item: Item, error: unknown): void {
    const isLast = this.#isClosing || item.tries >= this.#options.maxTries || !isWorthRepeating(error);
    this.#announceFailure(error);
    if (this.#ready.has(item.key) || this.#delayed.has(item.key)) return;
    if (isLast) {
      this.#deps.onDropped?.();
      return;
    }
    const askedMs = isClusterApiError(error) ? error.retryAfterMs : undefined;
    const delayMs = retryDelayMs(item.tries, { askedMs, random: this.#deps.random });
    item.notBeforeMs = this.#deps.clock.nowMs() + delayMs;
    this.#delayed.set(item.key, item);
    this.#times.push(item);
    this.#arm();
  }

  #wakeDue(): void {
    const nowMs = this.#deps.clock.nowMs();
    for (let top = this.#times.peek(); top !== undefined; top = this.#times.peek()) {
      const isCurrent = this.#delayed.get(top.key) === top;
      if (isCurrent && top.notBeforeMs > nowMs) return;
      this.#times.pop();
      if (!isCurrent) continue;
      this.#delayed.delete(top.key);
      this.#ready.set(top.key, top);
    }
  }

  #arm(): void {
    this.#cancelTimer();
    const next = this.#times.peek();
    if (next === undefined || this.#isClosing) return;
    const { clock } = this.#deps;
    this.#cancelTimer = clock.schedule(Math.max(0, next.notBeforeMs - clock.nowMs()), () => {
      this.#pump();
      this.#arm();
    });
  }

  /** One line when trouble begins; its repetitions only at debug. */
  #announceFailure(error: unknown): void {
    const { log } = this.#deps;
    const fields = { what: this.#options.name, error };
    if (this.#isFailing) {
      log.debug('could not be sent', fields);
    } else {
      log.warn('could not be sent', fields);
    }
    this.#isFailing = true;
  }

  #overflow(): void {
    this.#deps.onDropped?.();
    if (!this.#isDropping) {
      this.#isDropping = true;
      this.#deps.log.warn('the API server is too slow; dropping', {
        what: this.#options.name,
        waiting: this.waiting,
      });
    }
  }
}
