import type { Clock, ClusterApi, Logger } from '@catamaran/platform';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import type { Activity } from './activity.js';
import { Binder } from './binder.js';
import { EventRecorder } from './event-recorder.js';
import { OutcomeWriter } from './outcome-writer.js';
import { RateLimiter } from './rate-limiter.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';
import { SendQueue } from './send-queue.js';

export interface ApiWritesDeps {
  readonly api: ClusterApi;
  /** Time of the objects. */
  readonly clock: Clock;
  readonly transportClock: Clock;
  readonly activity: Activity;
  readonly log: Logger;
  readonly metrics: SchedulerMetrics;
  readonly random: () => number;
}

const SEND_PARALLELISM = 16;
const EVENT_CAPACITY = 4_096;
/** Conditions matter more than events: autoscalers act on them. At most one waits for a pod. */
const CONDITION_CAPACITY = 50_000;

/** Everything that is written to the API server: bindings, which are waited for, and events and conditions. */
export class ApiWrites {
  readonly binder: Binder;
  readonly outcomes: OutcomeWriter;
  readonly #events: SendQueue;
  readonly #conditions: SendQueue;

  /** @param instance told in events. As in client-go, each kind of write has the whole rate to itself. */
  constructor(instance: string, limit: SchedulerConfig['clientConnection'], deps: ApiWritesDeps) {
    const { api, clock, transportClock, log, random } = deps;
    const limiter = () => new RateLimiter({ perSecond: limit.qps, burst: limit.burst }, transportClock);
    const sendQueue = (name: string, capacity: number) =>
      new SendQueue(
        { name, capacity, parallelism: SEND_PARALLELISM },
        {
          limiter: limiter(),
          activity: deps.activity,
          log,
          onDropped: () => deps.metrics.dropped.increment({ what: name }),
        },
      );
    this.#events = sendQueue('events', EVENT_CAPACITY);
    this.#conditions = sendQueue('pod conditions', CONDITION_CAPACITY);
    this.binder = new Binder({ api, clock: transportClock, limiter: limiter(), log, random });
    const events = new EventRecorder(instance, { api, queue: this.#events, clock });
    this.outcomes = new OutcomeWriter({ api, events, conditions: this.#conditions, clock });
  }

  /** What still waits is dropped. */
  close(): void {
    this.#events.close();
    this.#conditions.close();
  }
}
