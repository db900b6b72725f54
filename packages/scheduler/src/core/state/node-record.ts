import type { AffinityTerm } from './affinity-term.js';
import {
  type AssignedPod,
  compareAssigned,
  emptyNodeInfo,
  type NodeFacts,
  type NodeInfo,
  withPod,
  withPods,
} from './node-info.js';
import type { NodeLoad } from './node-load.js';
import type { PodInfo } from './pod-info.js';

/**
 * Everything known under one node name: pods may be known before their node is, and outlive it. `info` is what the
 * snapshot shows, undefined while the node does not exist.
 */
export class NodeRecord {
  readonly name: string;
  readonly #pods = new Map<string, AssignedPod>();
  readonly #nominated = new Map<string, PodInfo>();
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

  setFacts(facts: NodeFacts, loads: readonly (NodeLoad | undefined)[]): void {
    const bare = { ...emptyNodeInfo(facts, loads), nominated: this.#nominatedPods() };
    this.#info = withPods(bare, [...this.#pods.values()].sort(compareAssigned));
  }

  /** Pods stay known: the node may come back, and what runs there still runs. */
  clearFacts(): void {
    this.#info = undefined;
  }

  setLoads(loads: readonly (NodeLoad | undefined)[]): void {
    if (this.#info !== undefined) this.#info = { ...this.#info, loads };
  }

  putPod(pod: AssignedPod): void {
    const known = this.#pods.has(pod.info.uid);
    this.#pods.set(pod.info.uid, pod);
    if (this.#info === undefined) return;
    this.#info = known ? this.#rebuilt(this.#info) : withPod(this.#info, pod);
  }

  removePod(uid: string): void {
    if (this.#pods.delete(uid) && this.#info !== undefined) this.#info = this.#rebuilt(this.#info);
  }

  nominate(pod: PodInfo): void {
    this.#nominated.set(pod.uid, pod);
    this.#showNominated();
  }

  unnominate(uid: string): void {
    if (this.#nominated.delete(uid)) this.#showNominated();
  }

  /** Topology values that the required anti-affinity of the pods here forbids to others. */
  antiAffinity(): readonly { readonly term: AffinityTerm; readonly value: string }[] {
    if (this.#info === undefined) return [];
    const { labels, pods } = this.#info;
    return pods.flatMap(({ info }) =>
      info.requiredAntiAffinity.flatMap((term) => {
        const value = Object.hasOwn(labels, term.topologyKey) ? labels[term.topologyKey] : undefined;
        return value === undefined ? [] : [{ term, value }];
      }),
    );
  }

  #showNominated(): void {
    if (this.#info !== undefined) this.#info = { ...this.#info, nominated: this.#nominatedPods() };
  }

  #nominatedPods(): readonly PodInfo[] {
    return [...this.#nominated.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
  }

  #rebuilt(info: NodeInfo): NodeInfo {
    return withPods(info, [...this.#pods.values()].sort(compareAssigned));
  }
}
