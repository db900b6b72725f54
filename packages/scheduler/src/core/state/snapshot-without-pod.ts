import type { Labels } from '../selectors/label-requirement.js';
import { AntiAffinityIndex, type AntiAffinityView } from './anti-affinity-index.js';
import { type NodeInfo, withNominated, withPods } from './node-info.js';
import { repulsionsOf } from './node-record.js';
import type { PodInfo } from './pod-info.js';
import type { LoadView, SignalView, Snapshot } from './snapshot.js';

/** Which pod: by uid, or by `namespace/name` where the object asked about has no uid. */
export type PodIdentity = Pick<PodInfo, 'uid' | 'key'>;

/** Where the pod holds something. Cost: all pods. */
export function placedPod(
  snapshot: Snapshot,
  { uid, key }: PodIdentity,
): { readonly node: NodeInfo; readonly info: PodInfo } | undefined {
  for (const node of snapshot.nodes()) {
    const found = node.pods.find(({ info }) => info.uid === uid || (uid === key && info.key === key));
    if (found !== undefined) return { node, info: found.info };
  }
  return undefined;
}

/** The cluster as it would be without a pod that is on a node: so that a question about it does not count it twice. */
export class SnapshotWithoutPod implements Snapshot {
  readonly antiAffinity: AntiAffinityView;
  readonly #inner: Snapshot;
  readonly #node: NodeInfo;

  constructor(inner: Snapshot, { node, info }: { readonly node: NodeInfo; readonly info: PodInfo }) {
    this.#inner = inner;
    const others = node.pods.filter((pod) => pod.info.uid !== info.uid);
    const nominated = node.nominated.filter(({ uid }) => uid !== info.uid);
    this.#node = withNominated(withPods(node, others), nominated);
    this.antiAffinity = info.requiredAntiAffinity.length === 0 ? inner.antiAffinity : this.#repulsions();
  }

  get nowMs(): number {
    return this.#inner.nowMs;
  }

  get version(): number {
    return this.#inner.version;
  }

  get nodeCount(): number {
    return this.#inner.nodeCount;
  }

  get promisedSlots(): readonly number[] {
    return this.#inner.promisedSlots;
  }

  nodeAt(slot: number): NodeInfo {
    return this.#seen(this.#inner.nodeAt(slot));
  }

  slotOf(nodeName: string): number | undefined {
    return this.#inner.slotOf(nodeName);
  }

  node(nodeName: string): NodeInfo | undefined {
    return nodeName === this.#node.name ? this.#node : this.#inner.node(nodeName);
  }

  *nodes(): IterableIterator<NodeInfo> {
    for (const node of this.#inner.nodes()) yield this.#seen(node);
  }

  load(source: string): LoadView | undefined {
    return this.#inner.load(source);
  }

  signal(key: string): SignalView | undefined {
    return this.#inner.signal(key);
  }

  namespaceLabels(namespace: string): Labels {
    return this.#inner.namespaceLabels(namespace);
  }

  /** Nothing that was kept holds for this cluster. */
  changedSince(): undefined {
    return undefined;
  }

  #seen(node: NodeInfo): NodeInfo {
    return node.name === this.#node.name ? this.#node : node;
  }

  #repulsions(): AntiAffinityView {
    const index = new AntiAffinityIndex();
    for (const node of this.nodes()) {
      for (const { term, value } of repulsionsOf(node)) index.add(term, value);
    }
    return index.view();
  }
}
