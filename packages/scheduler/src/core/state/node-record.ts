import type { AffinityTerm } from './affinity-term.js';
import {
  type AssignedPod,
  compareAssigned,
  emptyNodeInfo,
  type NodeFacts,
  type NodeInfo,
  withLoads,
  withNominated,
  withPod,
  withPods,
  withSignals,
} from './node-info.js';
import type { NodeLoad } from './node-load.js';
import type { PodInfo } from './pod-info.js';
import type { NodeSignals } from './signal-store.js';

/** A topology value that a required anti-affinity term forbids. */
export interface Repulsion {
  readonly term: AffinityTerm;
  readonly value: string;
}

const NOTHING: readonly Repulsion[] = [];

/**
 * Everything known under one node name: pods may be known before their node is, and outlive it. `info` is what the
 * snapshot shows, undefined while the node does not exist.
 */
export class NodeRecord {
  readonly name: string;
  readonly #pods = new Map<string, AssignedPod>();
  readonly #nominated = new Map<string, PodInfo>();
  /** Pods here with required anti-affinity: mostly none, which spares looking for their terms. */
  #repelling = 0;
  #info: NodeInfo | undefined = undefined;

  constructor(name: string) {
    this.name = name;
  }

  get info(): NodeInfo | undefined {
    return this.#info;
  }

  get isEmpty(): boolean {
    return this.#info === undefined && this.#pods.size === 0 && this.#nominated.size === 0;
  }

  setFacts(facts: NodeFacts, loads: readonly (NodeLoad | undefined)[], signals: NodeSignals): void {
    const bare = withNominated(emptyNodeInfo(facts, loads, signals), this.#nominatedPods());
    this.#info = withPods(bare, [...this.#pods.values()].sort(compareAssigned));
  }

  /** Pods stay known: the node may come back, and what runs there still runs. */
  clearFacts(): void {
    this.#info = undefined;
  }

  setLoads(loads: readonly (NodeLoad | undefined)[]): void {
    if (this.#info !== undefined) this.#info = withLoads(this.#info, loads);
  }

  setSignals(signals: NodeSignals): void {
    if (this.#info !== undefined) this.#info = withSignals(this.#info, signals);
  }

  putPod(pod: AssignedPod): void {
    const known = this.#pods.get(pod.info.uid);
    this.#repelling += repels(pod) - repels(known);
    this.#pods.set(pod.info.uid, pod);
    if (this.#info === undefined) return;
    this.#info = known !== undefined ? this.#rebuilt(this.#info) : withPod(this.#info, pod);
  }

  removePod(uid: string): void {
    const known = this.#pods.get(uid);
    if (known === undefined) return;
    this.#pods.delete(uid);
    this.#repelling -= repels(known);
    if (this.#info !== undefined) this.#info = this.#rebuilt(this.#info);
  }

  nominate(pod: PodInfo): void {
    this.#nominated.set(pod.uid, pod);
    this.#showNominated();
  }

  unnominate(uid: string): void {
    if (this.#nominated.delete(uid)) this.#showNominated();
  }

  /** Topology values that the required anti-affinity of the pods here forbids to others. */
  antiAffinity(): readonly Repulsion[] {
    return this.#info === undefined || this.#repelling === 0 ? NOTHING : repulsionsOf(this.#info);
  }

  #showNominated(): void {
    if (this.#info !== undefined) this.#info = withNominated(this.#info, this.#nominatedPods());
  }

  #nominatedPods(): readonly PodInfo[] {
    return [...this.#nominated.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
  }

  #rebuilt(info: NodeInfo): NodeInfo {
    return withPods(info, [...this.#pods.values()].sort(compareAssigned));
  }
}

/** Topology values that the required anti-affinity of a node's pods forbids to others. */
export function repulsionsOf({ labels, pods }: NodeInfo): readonly Repulsion[] {
  return pods.flatMap(({ info }) =>
    info.requiredAntiAffinity.flatMap((term) => {
      const value = Object.hasOwn(labels, term.topologyKey) ? labels[term.topologyKey] : undefined;
      return value === undefined ? [] : [{ term, value }];
    }),
  );
}

function repels(pod: AssignedPod | undefined): 0 | 1 {
  return pod !== undefined && pod.info.requiredAntiAffinity.length > 0 ? 1 : 0;
}
