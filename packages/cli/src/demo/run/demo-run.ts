import type { Clock, VirtualClock } from '@catamaran/platform';
import { type PlannedPod, requestedCpuPercent, type WorldPlan } from '../plan/world-plan.js';
import type { DemoView } from '../view/demo-view.js';
import type { DemoResult } from './demo-result.js';
import type { DemoState, PlacementPair } from './demo-state.js';
import { type Instant, instantsOf } from './instants.js';
import { Pace } from './pace.js';
import type { SteppedWorld } from './stepped-world.js';
import { oneDecimal } from './world-statistics.js';

export interface DemoRunOptions {
  readonly plan: WorldPlan;
  readonly seed: number;
  /** Simulated seconds per second at most; undefined: no limit. */
  readonly speed: number | undefined;
  /** Simulated Unix time from which the plan counts. */
  readonly startMs: number;
}

export interface DemoRunDeps {
  readonly requests: SteppedWorld;
  readonly catamaran: SteppedWorld;
  /** Stands at or soon after the start; only the run moves it. */
  readonly clock: VirtualClock;
  readonly wallClock: Clock;
  readonly view: DemoView;
  /** How often the load-watcher has read the metrics so far. */
  readonly metricRefreshes: () => number;
}

const MINUTE_MS = 60_000;
const PLACEMENTS_KEPT = 5;

/**
 * Drives both worlds through the plan, one instant at a time: time moves on only when every service of both worlds
 * has nothing left to do, so the outcome depends on the plan and not on the machine.
 */
export class DemoRun {
  readonly #options: DemoRunOptions;
  readonly #deps: DemoRunDeps;
  readonly #worlds: readonly SteppedWorld[];
  #arrived = 0;
  readonly #newest: { readonly pod: PlannedPod; readonly simulatedMs: number }[] = [];

  constructor(options: DemoRunOptions, deps: DemoRunDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#worlds = [deps.requests, deps.catamaran];
  }

  /** @throws the signal's reason, as soon as it aborts. */
  async run(signal: AbortSignal): Promise<DemoResult> {
    const pace = new Pace(this.#options.speed, this.#deps.wallClock);
    for (const instant of instantsOf(this.#options.plan)) {
      await pace.waitUntil(instant.offsetMs, signal);
      await this.#step(instant);
      this.#deps.view.update(instant.offsetMs, () => this.#state());
    }
    return this.#result();
  }

  /** Lets simulated time go on without arrivals until the signal aborts. */
  async goOn(signal: AbortSignal): Promise<never> {
    let simulatedMs = this.#simulatedMs();
    const pace = new Pace(this.#options.speed, this.#deps.wallClock, simulatedMs);
    for (;;) {
      simulatedMs += MINUTE_MS;
      await pace.waitUntil(simulatedMs, signal);
      await this.#advanceTo(simulatedMs);
    }
  }

  async #step(instant: Instant): Promise<void> {
    await this.#advanceTo(instant.offsetMs);
    if (instant.arrivals.length > 0) {
      for (const world of this.#worlds) world.arrive(instant.arrivals);
      this.#arrived += instant.arrivals.length;
      for (const pod of instant.arrivals) this.#newest.push({ pod, simulatedMs: instant.offsetMs });
      this.#newest.splice(0, this.#newest.length - PLACEMENTS_KEPT);
      await this.#settle();
    }
    if (instant.minuteEnds) for (const world of this.#worlds) world.recordMinute();
  }

  #advanceTo(simulatedMs: number): Promise<void> {
    return this.#deps.clock.advanceTo(this.#options.startMs + simulatedMs, () => this.#settle());
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#worlds.map((world) => world.settle()));
  }

  #simulatedMs(): number {
    return this.#deps.clock.nowMs() - this.#options.startMs;
  }

  #state(): DemoState {
    const { plan, seed } = this.#options;
    return {
      simulatedMs: this.#simulatedMs(),
      totalMs: plan.simulatedMinutes * MINUTE_MS,
      seed,
      nodeCount: plan.nodes.length,
      podCount: plan.pods.length,
      arrived: this.#arrived,
      metricRefreshes: this.#deps.metricRefreshes(),
      requests: this.#deps.requests.state(),
      catamaran: this.#deps.catamaran.state(),
      placements: this.#newest.flatMap(({ pod, simulatedMs }) => this.#pair(pod, simulatedMs)),
    };
  }

  #pair(pod: PlannedPod, simulatedMs: number): PlacementPair[] {
    const requests = this.#deps.requests.placementOf(pod.name);
    const catamaran = this.#deps.catamaran.placementOf(pod.name);
    if (requests === undefined || catamaran === undefined) return [];
    return [{ pod: pod.name, simulatedMs, cpuRequestMilli: pod.load.cpuRequestMilli, requests, catamaran }];
  }

  #result(): DemoResult {
    const { plan, seed } = this.#options;
    const [requests, catamaran] = [this.#deps.requests.state(), this.#deps.catamaran.state()];
    return {
      pods: plan.pods.length,
      bound: Math.min(requests.bound, catamaran.bound),
      nodes: plan.nodes.length,
      seed,
      schedulers: { requests: requests.figures, catamaran: catamaran.figures },
      requestedCpuPercent: oneDecimal(requestedCpuPercent(plan)),
      simulatedMinutes: plan.simulatedMinutes,
      metricRefreshes: this.#deps.metricRefreshes(),
      nodesInUseAtEnd: { requests: requests.nodesInUse, catamaran: catamaran.nodesInUse },
      boundByWorld: { requests: requests.bound, catamaran: catamaran.bound },
    };
  }
}
