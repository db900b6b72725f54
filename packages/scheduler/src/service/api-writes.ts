import type { Clock, ClusterApi, Logger } from '@catamaran/platform';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import type { Activity } from './activity.js';
import { Binder } from './binder.js';
import { CallSlots, type CallSlotsOptions } from './call-slots.js';
import { EventRecorder } from './event-recorder.js';
import { OutcomeWriter } from './outcome-writer.js';
import { PodWriter } from './pod-writer.js';
import { RateLimiter } from './rate-limiter.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';
import { SendQueue } from './send-queue.js';

export interface ApiWritesOptions {
  /** Told in events. */
  readonly instance: string;
  /** As in client-go, each kind of write has the whole rate to itself. */
  readonly limit: SchedulerConfig['clientConnection'];
  /** Bindings under way at once, not counting slow ones. */
  readonly maxBindingsInFlight: number;
}

export interface ApiWritesDeps {
  readonly api: ClusterApi;
  /** Time of the objects. */
  readonly clock: Clock;
  readonly transportClock: Clock;
  readonly activity: Activity;
  readonly log: Logger;
  readonly metrics: SchedulerMetrics;
  readonly random: () => number;
  /** A binding could begin that could not before. */
  readonly onRoom: () => void;
}

/** The transport gives up after 30 s; this is for ports that don't. */
const SLOW = { slowAfterMs: 1_000, deadlineMs: 35_000 };
/** Calls that hang, beyond the quick ones: each costs a connection. */
const HANGING_BINDINGS = 1_024;
const SEND_SLOTS: CallSlotsOptions = { limit: 16, hardLimit: 48, ...SLOW };
const EVENT_CAPACITY = 4_096;
/** Events are worth some minutes of trying. */
const EVENT_TRIES = 8;
/** Conditions matter more than events: autoscalers act on them. At most one waits for a pod. */
const CONDITION_CAPACITY = 50_000;

/** Everything that is written to the API server: bindings, which are waited for, and events and conditions. */
export class ApiWrites {
  readonly binder: Binder;
  readonly outcomes: OutcomeWriter;
  readonly podWriter: PodWriter;
  /** Of bindings and the writes before them. */
  readonly slots: CallSlots;
  readonly #events: SendQueue;
  readonly #conditions: SendQueue;

  constructor({ instance, limit, maxBindingsInFlight }: ApiWritesOptions, deps: ApiWritesDeps) {
    const { api, clock, transportClock, log, random } = deps;
    const limiterOf = () => new RateLimiter({ perSecond: limit.qps, burst: limit.burst }, transportClock);
    const bindingSlots = { limit: maxBindingsInFlight, hardLimit: maxBindingsInFlight + HANGING_BINDINGS };
    this.#events = sendQueue(
      { name: 'events', capacity: EVENT_CAPACITY, maxTries: EVENT_TRIES },
      limiterOf(),
      deps,
    );
    this.#conditions = sendQueue(
      { name: 'pod conditions', capacity: CONDITION_CAPACITY, maxTries: Number.POSITIVE_INFINITY },
      limiterOf(),
      deps,
    );
    const limiter = limiterOf();
    this.slots = new CallSlots({ ...bindingSlots, ...SLOW }, transportClock, deps.onRoom);
    this.binder = new Binder({ api, clock: transportClock, limiter, slots: this.slots, log, random });
    const events = new EventRecorder(instance, { api, queue: this.#events, clock });
    const conditions = this.#conditions;
    this.outcomes = new OutcomeWriter({ api, events, conditions, clock });
    this.podWriter = new PodWriter({ api, events, conditions, limiter, slots: this.slots, clock });
  }

  /** Sends what waits until `patience` aborts; what is left is counted and logged. */
  async close(patience: AbortSignal): Promise<void> {
    await Promise.all([this.#events.close(patience), this.#conditions.close(patience)]);
  }
}

function sendQueue(
  options: { readonly name: string; readonly capacity: number; readonly maxTries: number },
  limiter: RateLimiter,
  { transportClock, random, activity, log, metrics }: ApiWritesDeps,
): SendQueue {
  return new SendQueue(options, {
    limiter,
    slots: (onRoom) => new CallSlots(SEND_SLOTS, transportClock, onRoom),
    clock: transportClock,
    random,
    activity,
    log,
    onDropped: () => metrics.dropped.increment({ what: options.name }),
  });
}
