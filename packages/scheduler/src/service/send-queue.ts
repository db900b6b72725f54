import { setMaxListeners } from 'node:events';
import type { Logger } from '@catamaran/platform';
import type { Activity } from './activity.js';
import type { RateLimiter } from './rate-limiter.js';

export interface SendQueueOptions {
  /** What is sent, for log lines. */
  readonly name: string;
  /** Waiting items; more are dropped. */
  readonly capacity: number;
  readonly parallelism: number;
}

export interface SendQueueDeps {
  readonly limiter: RateLimiter;
  readonly activity: Activity;
  readonly log: Logger;
  readonly onDropped?: () => void;
}

type Send = (signal: AbortSignal) => Promise<void>;

/**
 * Sends things to the API server that nobody waits for. Scheduling is never held up: when too much waits, new things
 * are dropped. A newer thing of the same key takes the place of one that still waits.
 */
export class SendQueue {
  readonly #options: SendQueueOptions;
  readonly #deps: SendQueueDeps;
  readonly #waiting = new Map<string, Send>();
  readonly #stop = new AbortController();
  #busy = 0;
  #isDropping = false;
  #isFailing = false;

  constructor(options: SendQueueOptions, deps: SendQueueDeps) {
    this.#options = options;
    this.#deps = deps;
    // Every call under way listens to it.
    setMaxListeners(0, this.#stop.signal);
  }

  /** False: dropped. */
  offer(key: string, send: Send): boolean {
    if (this.#stop.signal.aborted) {
      return false;
    }
    if (!this.#waiting.has(key) && this.#waiting.size >= this.#options.capacity) {
      this.#dropped();
      return false;
    }
    this.#waiting.set(key, send);
    if (this.#busy < this.#options.parallelism) {
      this.#busy += 1;
      void this.#deps.activity.during(() => this.#work());
    }
    return true;
  }

  /** Ends what is under way; what waits is dropped. */
  close(): void {
    this.#stop.abort(new DOMException('closed', 'AbortError'));
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      try {
        await this.#deps.limiter.take(signal);
        await next(signal);
        this.#isDropping = false;
        this.#isFailing = false;
      } catch (error) {
        if (!signal.aborted) {
          this.#failed(error);
        }
      }
    }
    this.#busy -= 1;
  }

  #take(): Send | undefined {
    const first = this.#waiting.entries().next().value;
    if (first !== undefined) {
      this.#waiting.delete(first[0]);
    }
    return first?.[1];
  }

  /** One line when trouble begins; its repetitions only at debug. */
  #failed(error: unknown): void {
    const { log } = this.#deps;
    const fields = { what: this.#options.name, error };
    if (this.#isFailing) {
      log.debug('could not be sent', fields);
    } else {
      log.warn('could not be sent', fields);
    }
    this.#isFailing = true;
  }

  #dropped(): void {
    this.#deps.onDropped?.();
    if (!this.#isDropping) {
      this.#isDropping = true;
      this.#deps.log.warn('the API server is too slow; dropping', {
        what: this.#options.name,
        waiting: this.#waiting.size,
      });
    }
  }
}
