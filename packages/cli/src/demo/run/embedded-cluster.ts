import { type Clock, InMemoryCluster, type Logger } from '@catamaran/platform';
import { LoadModel, type RunningSimulatorServer, startSimulatorServer } from '@catamaran/simulator';
import { DEMO_NAMESPACE, nodeLoadSpec, nodeManifest, podManifest } from '../plan/manifests.js';
import {
  allocatableCpuMilli,
  type PlannedNode,
  type PlannedPod,
  type WorldPlan,
} from '../plan/world-plan.js';
import type { WorldState } from './demo-state.js';
import { onPreferredPort } from './preferred-port.js';
import type { WaitingPod } from './stepped-world.js';
import { WorldStatistics } from './world-statistics.js';

export interface EmbeddedClusterOptions {
  readonly plan: WorldPlan;
  readonly seed: number;
  /** Port of the Kubernetes-shaped API; 0 takes a free one. */
  readonly port: number;
}

export interface EmbeddedClusterDeps {
  /** Simulated time. */
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly log: Logger;
  readonly say: (sentence: string) => void;
}

/** A cluster of the plan's nodes behind an API server, with the load that its pods make. */
export class EmbeddedCluster {
  readonly cluster: InMemoryCluster;
  readonly #plan: WorldPlan;
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #model: LoadModel;
  readonly #statistics: WorldStatistics;
  readonly #waiting = new Map<string, PlannedPod>();
  readonly #requestedCpuMilli = new Map<string, number>();
  #server: RunningSimulatorServer | undefined;
  #bound = 0;

  private constructor({ plan, seed }: EmbeddedClusterOptions, { clock }: EmbeddedClusterDeps) {
    this.#plan = plan;
    this.#seed = seed;
    this.#clock = clock;
    this.#model = new LoadModel(plan.nodes.map(nodeLoadSpec), clock.nowMs());
    this.#statistics = new WorldStatistics(plan.nodes, this.#model);
    const nodeUsage = (name: string, nowMs: number) => this.#model.usage(name, nowMs);
    this.cluster = new InMemoryCluster({ seed }, { clock, nodeUsage });
    for (const node of plan.nodes) this.cluster.createNode(nodeManifest(node));
  }

  static async start(options: EmbeddedClusterOptions, deps: EmbeddedClusterDeps): Promise<EmbeddedCluster> {
    const world = new EmbeddedCluster(options, deps);
    const cpuTotals = (name: string, nowMs: number) => world.#model.cpuTotals(name, nowMs);
    const ioTotals = (name: string, nowMs: number) => world.#model.ioTotals(name, nowMs);
    world.#server = await onPreferredPort(
      options.port,
      (port) =>
        startSimulatorServer(
          { port },
          { cluster: world.cluster, clock: deps.wallClock, log: deps.log, cpuTotals, ioTotals },
        ),
      deps.say,
    );
    return world;
  }

  /** Address of the API server. */
  get url(): string {
    return this.#server?.url ?? '';
  }

  arrive(pods: readonly PlannedPod[]): void {
    for (const pod of pods) {
      this.#waiting.set(pod.name, pod);
      this.cluster.createPod(podManifest(pod, this.#seed));
    }
  }

  /** What a kubelet does: pods bound since the last call run, and use what their curves say. True if there were any. */
  runBoundPods(): boolean {
    const nowMs = this.#clock.nowMs();
    const before = this.#waiting.size;
    for (const pod of this.#waiting.values()) {
      const { spec, metadata } = this.cluster.objects.get('pods', pod.name, DEMO_NAMESPACE);
      if (spec.nodeName === undefined) continue;
      this.#waiting.delete(pod.name);
      this.#bound += 1;
      const { nodeName } = spec;
      this.#model.place({ uid: metadata.uid ?? pod.name, nodeName, load: pod.load }, nowMs);
      const requested = this.#requestedCpuMilli.get(spec.nodeName) ?? 0;
      this.#requestedCpuMilli.set(spec.nodeName, requested + pod.load.cpuRequestMilli);
      this.cluster.updatePodStatus(DEMO_NAMESPACE, pod.name, {
        phase: 'Running',
        startTime: new Date(nowMs).toISOString(),
      });
    }
    return this.#waiting.size < before;
  }

  recordMinute(): void {
    this.#statistics.recordMinute(this.#clock.nowMs());
  }

  state(): WorldState {
    const nodes = this.#plan.nodes.map((node) => this.#nodeState(node));
    return {
      bound: this.#bound,
      nodesInUse: nodes.filter(({ podCount }) => podCount > 0).length,
      figures: this.#statistics.figures(),
      nodes,
    };
  }

  waiting(): readonly WaitingPod[] {
    return [...this.#waiting.keys()].map((pod) => {
      const { status } = this.cluster.objects.get('pods', pod, DEMO_NAMESPACE);
      const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
      return { pod, why: condition?.message ?? 'it has not been tried' };
    });
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  #nodeState(node: PlannedNode): WorldState['nodes'][number] {
    const { name, cpuCapacityMilli } = node;
    const demandMilli = this.#model.demand(name, this.#clock.nowMs())?.cpuMilli ?? 0;
    return {
      name,
      cpuCapacityMilli,
      podCount: this.#model.podCount(name),
      requestedPercent: (100 * (this.#requestedCpuMilli.get(name) ?? 0)) / allocatableCpuMilli(node),
      demandPercent: (100 * demandMilli) / cpuCapacityMilli,
    };
  }
}
