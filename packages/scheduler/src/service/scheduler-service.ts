import { hostname } from 'node:os';
import type { Pod } from '@catamaran/model';
import type { Clock } from '@catamaran/platform';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import { type CompiledProfile, compileProfile } from '../core/cycle/profile.js';
import type { ClusterEvent } from '../core/queue/cluster-event.js';
import { SchedulingQueue } from '../core/queue/scheduling-queue.js';
import { ClusterState } from '../core/state/cluster-state.js';
import { podInfo } from '../core/state/pod-info.js';
import { Activity } from './activity.js';
import { Binder } from './binder.js';
import { ClusterFeed } from './cluster-feed.js';
import { DEFAULT_DECISION_LOG, DecisionLog } from './decision-log.js';
import { EventRecorder } from './event-recorder.js';
import { Explainer } from './explainer.js';
import { LoadDesk } from './load-desk.js';
import { loadPolicyOf } from './load-source.js';
import { OutcomeWriter } from './outcome-writer.js';
import { mayBeEasier, type PendingPod, pendingPod, schedulerNameOf } from './pending-pod.js';
import { PodAttempts } from './pod-attempts.js';
import { RateLimiter } from './rate-limiter.js';
import { fitsNow } from './retry-hint.js';
import { type SchedulerMetrics, schedulerMetrics } from './scheduler-metrics.js';
import type { SchedulerServiceDeps, SchedulerServiceOptions } from './scheduler-service-options.js';
import { SchedulingLoop } from './scheduling-loop.js';
import { SendQueue } from './send-queue.js';

const DEFAULT_FLUSH_MS = 5 * 60_000;
const DEFAULT_MAX_BINDINGS = 64;
const CLOSE_PATIENCE_MS = 2_000;
const SEND_PARALLELISM = 16;
const EVENT_CAPACITY = 4_096;
/** Conditions matter more than events: autoscalers act on them. One waits per pod at most. */
const CONDITION_CAPACITY = 50_000;

/** A standalone scheduler: watches the cluster, decides, binds. Any number of them run in one process. */
export class SchedulerService {
  readonly decisions: DecisionLog;
  readonly explainer: Explainer;
  readonly state = new ClusterState();
  readonly profiles: ReadonlyMap<string, CompiledProfile>;
  readonly tieSeed: number;
  readonly #deps: SchedulerServiceDeps;
  readonly #transportClock: Clock;
  readonly #metrics: SchedulerMetrics;
  readonly #activity = new Activity();
  readonly #queue: SchedulingQueue<PendingPod>;
  readonly #feed: ClusterFeed;
  readonly #load: LoadDesk;
  readonly #events: SendQueue;
  readonly #conditions: SendQueue;
  readonly #attempts: PodAttempts;
  readonly #loop: SchedulingLoop;
  readonly #stopMeasuring: () => void;
  #closing: Promise<void> | undefined;

  constructor(options: SchedulerServiceOptions, deps: SchedulerServiceDeps) {
    const { config } = options;
    this.#deps = deps;
    this.#transportClock = deps.transportClock ?? deps.clock;
    this.#metrics = schedulerMetrics(deps.metrics);
    this.tieSeed = options.tieSeed ?? 0;
    this.decisions = new DecisionLog(options.decisionLog ?? DEFAULT_DECISION_LOG);
    this.profiles = new Map(config.profiles.map((profile) => [profile.schedulerName, compile(profile)]));
    this.explainer = this.#createExplainer(config);
    this.#queue = new SchedulingQueue({
      initialBackoffMs: config.podInitialBackoffSeconds * 1000,
      maxBackoffMs: config.podMaxBackoffSeconds * 1000,
      unschedulableFlushMs: options.podMaxInUnschedulablePodsMs ?? DEFAULT_FLUSH_MS,
      worthTrying: (pod, event, rejectedBy) => this.#isWorthTrying(pod, event, rejectedBy),
    });
    this.#events = this.#sendQueue('events', EVENT_CAPACITY, config);
    this.#conditions = this.#sendQueue('pod conditions', CONDITION_CAPACITY, config);
    this.#attempts = this.#createAttempts(options);
    const maxBindings = options.maxBindingsInFlight ?? DEFAULT_MAX_BINDINGS;
    this.#loop = new SchedulingLoop({
      queue: this.#queue,
      clock: deps.clock,
      activity: this.#activity,
      attempt: (attempt) => this.#attempts.run(attempt),
      hasRoom: () => this.#attempts.bindingsInFlight < maxBindings,
    });
    this.#feed = this.#createFeed();
    this.#load = new LoadDesk(
      {
        policies: config.profiles.map(loadPolicyOf).filter((policy) => policy !== undefined),
        pollIntervalMs: options.pollIntervalMs,
      },
      { ...deps, activity: this.#activity, schedulerMetrics: this.#metrics, state: this.state },
    );
    this.#stopMeasuring = deps.metrics.beforeRender(() => this.#measure());
  }

  /** Undefined when ready, else one sentence. */
  get unready(): string | undefined {
    if (this.#closing !== undefined) {
      return 'the scheduler is stopping';
    }
    return this.#feed.isSynced ? undefined : 'nodes, pods and namespaces are still being listed';
  }

  /** Resolves when the first pods are being scheduled: the cluster is known, and so are load figures, if they come soon. */
  async start(): Promise<void> {
    this.#feed.start();
    await Promise.all([this.#feed.synced, this.#load.start(this.#transportClock)]);
    this.#load.open();
    this.#loop.start();
    this.#deps.log.info('scheduling', {
      profiles: [...this.profiles.keys()],
      nodes: this.#feed.nodeCount,
      pending: this.#queue.counts().active,
    });
  }

  /**
   * Resolves when the watch has delivered these versions, every pod that can be tried now has been, and nothing is
   * under way: no binding, no write, no fetch of load figures, and no bound pod whose node the watch has yet to show.
   */
  async settled(
    upTo: { readonly pods?: string | undefined; readonly nodes?: string | undefined } = {},
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#feed.caughtUp(upTo, signal);
    await this.#activity.idle(signal);
  }

  /** Idempotent. Bindings under way get two seconds to finish. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#loop.close();
    this.#load.close();
    this.#stopMeasuring();
    const patience = new AbortController();
    const cancel = this.#transportClock.schedule(CLOSE_PATIENCE_MS, () => patience.abort());
    await this.#attempts.close(patience.signal);
    cancel();
    this.#events.close();
    this.#conditions.close();
    await this.#feed.close();
  }

  #createExplainer(config: SchedulerConfig): Explainer {
    const sources = config.profiles.flatMap((profile) => {
      const policy = loadPolicyOf(profile);
      return policy === undefined ? [] : [[profile.schedulerName, policy.source.key] as const];
    });
    const { profiles, state, decisions: log, tieSeed } = this;
    return new Explainer({
      profiles,
      state,
      log,
      tieSeed,
      loadSources: new Map(sources),
      clock: this.#deps.clock,
    });
  }

  #createAttempts(options: SchedulerServiceOptions): PodAttempts {
    const { api, clock, log, random = Math.random, stopwatchMs = () => clock.nowMs() } = this.#deps;
    const { qps, burst } = options.config.clientConnection;
    const limiter = new RateLimiter({ perSecond: qps, burst }, this.#transportClock);
    const events = new EventRecorder(options.instance ?? hostname(), { api, queue: this.#events, clock });
    return new PodAttempts(this.tieSeed, {
      profiles: this.profiles,
      state: this.state,
      queue: this.#queue,
      binder: new Binder({ api, clock: this.#transportClock, limiter, log, random }),
      writer: new OutcomeWriter({ api, events, conditions: this.#conditions, clock }),
      activity: this.#activity,
      clock,
      stopwatchMs,
      log,
      metrics: this.#metrics,
      onDecision: (record) => {
        this.decisions.append(record);
        this.#deps.onDecision?.(record);
      },
      onBindingEnded: () => this.#loop.kick(),
    });
  }

  #createFeed(): ClusterFeed {
    const { api, log, random = Math.random } = this.#deps;
    const handlers = {
      onPending: (pod: Pod) => this.#onPending(pod),
      onSettled: (pod: Pod) => {
        const uid = pod.metadata.uid ?? podInfo(pod).uid;
        this.#queue.remove(uid);
        this.#attempts.settled(uid);
      },
      onEvent: (event: ClusterEvent) => {
        this.#queue.onEvent(event, this.#deps.clock.nowMs());
        this.#loop.kick();
      },
    };
    return new ClusterFeed(this.state, handlers, { api, clock: this.#transportClock, log, random });
  }

  #onPending(pod: Pod): void {
    if (!this.profiles.has(schedulerNameOf(pod))) {
      return;
    }
    const item = pendingPod(pod);
    const known = this.#queue.item(item.uid);
    // An older form of a pod that we have bound, delivered late.
    if (known === undefined && this.state.isAssumed(item.uid)) {
      return;
    }
    this.#queue.upsert(
      item,
      this.#deps.clock.nowMs(),
      known === undefined || mayBeEasier(known.info, item.info),
    );
    this.#loop.kick();
  }

  #isWorthTrying(pod: PendingPod, event: ClusterEvent, rejectedBy: ReadonlySet<string>): boolean {
    const profile = this.profiles.get(schedulerNameOf(pod.info.pod));
    return (
      profile === undefined ||
      fitsNow(pod, event, {
        rejectedBy,
        profile,
        snapshot: () => this.state.snapshot(this.#deps.clock.nowMs()),
      })
    );
  }

  #sendQueue(name: string, capacity: number, { clientConnection }: SchedulerConfig): SendQueue {
    const { qps, burst } = clientConnection;
    return new SendQueue(
      { name, capacity, parallelism: SEND_PARALLELISM },
      {
        limiter: new RateLimiter({ perSecond: qps, burst }, this.#transportClock),
        activity: this.#activity,
        log: this.#deps.log,
        onDropped: () => this.#metrics.dropped.increment({ what: name }),
      },
    );
  }

  #measure(): void {
    const counts = this.#queue.counts();
    const { pendingPods, cacheSize } = this.#metrics;
    pendingPods.set({ queue: 'active' }, counts.active);
    pendingPods.set({ queue: 'backoff' }, counts.backoff + counts['error-backoff']);
    pendingPods.set({ queue: 'unschedulable' }, counts.unschedulable);
    pendingPods.set({ queue: 'gated' }, counts.gated);
    cacheSize.set({ type: 'nodes' }, this.#feed.nodeCount);
    cacheSize.set({ type: 'pods' }, this.state.placedPodCount);
    this.#load.report();
  }
}

function compile(profile: SchedulerConfig['profiles'][number]): CompiledProfile {
  const loadSource = loadPolicyOf(profile)?.source.key;
  return compileProfile(profile, loadSource === undefined ? {} : { loadSource });
}
