import { hostname } from 'node:os';
import type { Clock } from '@catamaran/platform';
import type { CompiledProfile } from '../core/cycle/profile.js';
import type { ClusterEvent } from '../core/queue/cluster-event.js';
import { ClusterState } from '../core/state/cluster-state.js';
import type { PodInfo } from '../core/state/pod-info.js';
import { Activity } from './activity.js';
import { AttemptMeter } from './attempt-meter.js';
import { BindingDesk } from './binding-desk.js';
import { ClusterFeed } from './cluster-feed.js';
import { compileProfiles, loadSourceKeys } from './compile-profiles.js';
import { DamageReport } from './damage-report.js';
import { DEFAULT_DECISION_LOG, DecisionLog } from './decision-log.js';
import { Explainer } from './explainer.js';
import { LoadDesk } from './load-desk.js';
import { schedulerNameOf } from './pending-pod.js';
import { PendingPods, queueTiming } from './pending-pods.js';
import { PodAttempts } from './pod-attempts.js';
import { type SchedulerMetrics, schedulerMetrics, setStateGauges } from './scheduler-metrics.js';
import { SchedulerNames } from './scheduler-names.js';
import type { SchedulerServiceDeps, SchedulerServiceOptions } from './scheduler-service-options.js';
import { SchedulingLoop } from './scheduling-loop.js';

const DEFAULT_MAX_BINDINGS = 64;

/** A standalone scheduler: watches the cluster, decides, binds. Any number of them run in one process. */
export class SchedulerService {
  readonly explainer: Explainer;
  readonly decisions: DecisionLog;
  readonly #deps: SchedulerServiceDeps;
  readonly #transportClock: Clock;
  readonly #state = new ClusterState();
  readonly #activity = new Activity();
  readonly #metrics: SchedulerMetrics;
  readonly #common: CommonDeps;
  readonly #profiles: ReadonlyMap<string, CompiledProfile>;
  readonly #pending: PendingPods;
  readonly #feed: ClusterFeed;
  readonly #load: LoadDesk;
  readonly #names: SchedulerNames;
  readonly #binding: BindingDesk;
  readonly #attempts: PodAttempts;
  readonly #loop: SchedulingLoop;
  readonly #stopMeasuring: () => void;
  #closing: Promise<void> | undefined;

  constructor(options: SchedulerServiceOptions, deps: SchedulerServiceDeps) {
    const { config, tieSeed = 0 } = options;
    this.#deps = deps;
    this.#transportClock = deps.transportClock ?? deps.clock;
    this.#metrics = schedulerMetrics(deps.metrics);
    this.#common = commonDeps(deps, { state: this.#state, activity: this.#activity, metrics: this.#metrics });
    this.decisions = new DecisionLog(options.decisionLog ?? DEFAULT_DECISION_LOG);
    this.#profiles = compileProfiles(config, options.plugins);
    this.explainer = new Explainer({
      profiles: this.#profiles,
      loadSources: loadSourceKeys(config),
      state: this.#state,
      log: this.decisions,
      clock: deps.clock,
      tieSeed,
    });
    this.#pending = this.#createPendingPods(options);
    const { clock, log, stopwatchMs = () => clock.nowMs() } = deps;
    const meter = new AttemptMeter({ clock, stopwatchMs, log, metrics: this.#metrics });
    this.#binding = this.#createBinding(options, meter);
    this.#attempts = this.#createAttempts(tieSeed, meter);
    this.#loop = this.#createLoop();
    this.#names = new SchedulerNames(this.#profiles.keys(), clock.nowMs(), log);
    this.#feed = this.#createFeed();
    this.#load = this.#createLoadDesk(options);
    this.#stopMeasuring = deps.metrics.beforeRender(() => this.#measure());
  }

  /** Undefined when ready, else one sentence. */
  get unready(): string | undefined {
    if (this.#closing !== undefined) {
      return 'the scheduler is stopping';
    }
    return this.#feed.problem(this.#transportClock.nowMs());
  }

  /**
   * Resolves when scheduling has begun: the cluster is known, and so are load figures, unless they take long to come.
   * @throws AbortError when it is closed before.
   */
  async start(): Promise<void> {
    this.#feed.start();
    const synced = this.#feed.synced();
    await Promise.all([synced, this.#load.start(this.#transportClock, synced)]);
    this.#load.open();
    this.#loop.start();
    this.#deps.log.info('scheduling', {
      profiles: [...this.#profiles.keys()],
      nodes: this.#feed.nodeCount,
      pending: this.#pending.queue.counts().active,
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

  /** Idempotent. Bindings under way get two seconds to finish, events and conditions then 1.5 s to be sent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#loop.close();
    this.#load.close();
    this.#stopMeasuring();
    await this.#binding.close();
    await this.#feed.close();
  }

  #createPendingPods({ config, podMaxInUnschedulablePodsMs }: SchedulerServiceOptions): PendingPods {
    const timing = queueTiming(config, podMaxInUnschedulablePodsMs);
    const { clock } = this.#deps;
    return new PendingPods(timing, { profiles: this.#profiles, state: this.#state, clock });
  }

  #createBinding(options: SchedulerServiceOptions, meter: AttemptMeter): BindingDesk {
    const { config, instance = hostname(), maxBindingsInFlight = DEFAULT_MAX_BINDINGS } = options;
    const writes = { instance, limit: config.clientConnection, maxBindingsInFlight };
    return new BindingDesk(writes, {
      ...this.#common,
      queue: this.#pending.queue,
      meter,
      isWatchFresh: () => this.#feed.isFresh(this.#transportClock.nowMs()),
      onTruth: (assumed, found) => this.#feed.found(assumed, found),
      onRoom: () => this.#loop.kick(),
    });
  }

  #createAttempts(tieSeed: number, meter: AttemptMeter): PodAttempts {
    return new PodAttempts(tieSeed, {
      ...this.#common,
      profiles: this.#profiles,
      queue: this.#pending.queue,
      bindings: this.#binding.bindings,
      writer: this.#binding.outcomes,
      meter,
      onDecision: (record) => {
        this.decisions.append(record);
        this.#deps.onDecision?.(record);
      },
    });
  }

  #createLoop(): SchedulingLoop {
    return new SchedulingLoop({
      ...this.#common,
      queue: this.#pending.queue,
      attempt: (attempt) => this.#attempts.run(attempt),
      hasRoom: () => this.#binding.hasRoom && !this.#feed.isTakingIn,
    });
  }

  #createFeed(): ClusterFeed {
    const handlers = {
      onPending: (pod: PodInfo) => {
        const name = schedulerNameOf(pod.pod);
        this.#names.heard(pod.uid, name, this.#deps.clock.nowMs());
        this.#pending.upsert(pod);
        if (this.#profiles.has(name)) this.#load.hurry();
        this.#loop.kick();
      },
      onSettled: (uid: string, nodeName: string | undefined) => {
        this.#names.settled(uid);
        this.#pending.queue.remove(uid);
        this.#binding.settled(uid, nodeName);
      },
      onEvent: (event: ClusterEvent) => this.#onEvent(event),
      onTakenIn: () => this.#loop.kick(),
    };
    const damage = new DamageReport(this.#common);
    return new ClusterFeed(handlers, { ...this.#common, clock: this.#transportClock, damage });
  }

  #createLoadDesk({ config: { profiles }, pollIntervalMs }: SchedulerServiceOptions): LoadDesk {
    const [activity, schedulerMetrics, state] = [this.#activity, this.#metrics, this.#state];
    const onChanged = (): void => {
      this.#names.report(this.#deps.clock.nowMs());
      this.#onEvent({ kind: 'load-updated' });
    };
    return new LoadDesk(
      { profiles, pollIntervalMs },
      { ...this.#deps, activity, schedulerMetrics, state, onChanged },
    );
  }

  #onEvent(event: ClusterEvent): void {
    this.#pending.queue.onEvent(event, this.#deps.clock.nowMs());
    this.#loop.kick();
  }

  #measure(): void {
    const sizes = { nodes: this.#feed.nodeCount, pods: this.#state.placedPodCount };
    setStateGauges(this.#metrics, this.#pending.queue.counts(), sizes);
    this.#load.report();
    this.#names.report(this.#deps.clock.nowMs());
  }
}

/** What most parts of the service need. */
type CommonDeps = ReturnType<typeof commonDeps>;

interface OwnParts {
  readonly state: ClusterState;
  readonly activity: Activity;
  readonly metrics: SchedulerMetrics;
}

function commonDeps(deps: SchedulerServiceDeps, own: OwnParts) {
  const { api, clock, transportClock = clock, log, random = Math.random } = deps;
  return { api, clock, transportClock, log, random, ...own };
}
