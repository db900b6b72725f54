import type { Pod } from '@catamaran/model';
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
import { runningStatus } from './running-status.js';
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
  /** Pods of the plan that run, by uid. */
  readonly #placed = new Map<string, { readonly nodeName: string; readonly cpuRequestMilli: number }>();
  #bound = 0;
  /** Of the pods, when all that were bound had been started. */
  #seenVersion: string | undefined;

  private constructor({ plan, seed }: EmbeddedClusterOptions, { clock }: EmbeddedClusterDeps) {
    this.#plan = plan;
    this.#seed = seed;
    this.#clock = clock;
    this.#model = new LoadModel(plan.nodes.map(nodeLoadSpec), clock.nowMs());
    this.#statistics = new WorldStatistics(plan.nodes, this.#model);
    const nodeUsage = (name: string, nowMs: number) => this.#model.usage(name, nowMs);
    this.cluster = new InMemoryCluster({ seed }, { clock, nodeUsage });
    for (const [position, node] of plan.nodes.entries())
      this.cluster.createNode(nodeManifest(node, position, clock.nowMs()));
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

  /**
   * What kubelets do: pods bound since the last call run. Those of the plan use what their curves say, others nothing.
   * True if there were any.
   */
  runBoundPods(): boolean {
    const version = this.cluster.latestVersion('pods');
    if (version === this.#seenVersion) return false;
    const nowMs = this.#clock.nowMs();
    let ran = false;
    const { items } = this.cluster.objects.list('pods', {});
    this.#removeAllBut(new Set(items.map(({ metadata }) => metadata.uid ?? '')), nowMs);
    for (const pod of items) {
      if (!pod.spec.nodeName || pod.status?.phase !== 'Pending') continue;
      this.#place(pod, pod.spec.nodeName, nowMs);
      const { namespace = DEMO_NAMESPACE, name } = pod.metadata;
      this.cluster.updatePodStatus(namespace, name, runningStatus(pod, nowMs));
      ran = true;
    }
    this.#seenVersion = this.cluster.latestVersion('pods');
    return ran;
  }

  /** Pods that were deleted use nothing any more. */
  #removeAllBut(present: ReadonlySet<string>, nowMs: number): void {
    for (const [uid, { nodeName, cpuRequestMilli }] of this.#placed) {
      if (present.has(uid)) continue;
      this.#placed.delete(uid);
      this.#model.remove(uid, nowMs);
      this.#addRequest(nodeName, -cpuRequestMilli);
    }
  }

  #addRequest(nodeName: string, cpuMilli: number): void {
    this.#requestedCpuMilli.set(nodeName, (this.#requestedCpuMilli.get(nodeName) ?? 0) + cpuMilli);
  }

  #place({ metadata }: Pod, nodeName: string, nowMs: number): void {
    const planned = metadata.namespace === DEMO_NAMESPACE ? this.#waiting.get(metadata.name) : undefined;
    if (planned === undefined) return;
    this.#waiting.delete(planned.name);
    this.#bound += 1;
    const { uid = '' } = metadata;
    const { load } = planned;
    this.#placed.set(uid, { nodeName, cpuRequestMilli: load.cpuRequestMilli });
    this.#model.place({ uid, nodeName, load }, nowMs);
    this.#addRequest(nodeName, load.cpuRequestMilli);
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
      const found = this.cluster.objects.find('pods', pod, DEMO_NAMESPACE);
      if (found === undefined) return { pod, why: 'it was deleted' };
      const condition = found.status?.conditions?.find(({ type }) => type === 'PodScheduled');
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
