import type { Clock } from '@catamaran/platform';
import type { Attempt } from '../core/queue/queue-options.js';
import type { SchedulingQueue } from '../core/queue/scheduling-queue.js';
import type { Activity } from './activity.js';
import type { PendingPod } from './pending-pod.js';

export interface SchedulingLoopDeps {
  readonly queue: SchedulingQueue<PendingPod>;
  readonly clock: Clock;
  readonly activity: Activity;
  /** One attempt, up to the start of the binding. */
  readonly attempt: (attempt: Attempt<PendingPod>) => void;
  /** False while as many bindings as allowed are under way. */
  readonly hasRoom: () => boolean;
}

/**
 * Takes pods off the queue one by one for as long as there are any. Every attempt gives the event loop a turn, so that
 * watches, probes and bindings go on meanwhile. `kick` it whenever there may be something to do.
 */
export class SchedulingLoop {
  readonly #deps: SchedulingLoopDeps;
  #isRunning = false;
  #isStarted = false;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;

  constructor(deps: SchedulingLoopDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isStarted = true;
    this.kick();
  }

  kick(): void {
    if (this.#isRunning || this.#isClosed || !this.#isStarted) {
      return;
    }
    this.#cancelTimer();
    const wakeMs = this.#deps.queue.nextWakeMs();
    const nowMs = this.#deps.clock.nowMs();
    if (wakeMs !== undefined && wakeMs > nowMs) {
      this.#cancelTimer = this.#deps.clock.schedule(wakeMs - nowMs, () => this.kick());
    } else if (wakeMs !== undefined && this.#deps.hasRoom()) {
      this.#isRunning = true;
      void this.#deps.activity.during(() => this.#run());
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }

  async #run(): Promise<void> {
    const { queue, clock, attempt, hasRoom } = this.#deps;
    await turn();
    while (!this.#isClosed && hasRoom()) {
      const next = queue.pop(clock.nowMs());
      if (next === undefined) {
        break;
      }
      attempt(next);
      await turn();
    }
    this.#isRunning = false;
    this.kick();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
