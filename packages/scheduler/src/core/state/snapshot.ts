import type { Labels } from '../selectors/label-requirement.js';
import type { AntiAffinityView } from './anti-affinity-index.js';
import type { NodeInfo } from './node-info.js';

/** What is known about one source of load at the moment of the snapshot. */
export interface LoadView {
  /** Position of this source's figures in `NodeInfo.loads`. */
  readonly index: number;
  /** End of the measured window; 0 when the watcher did not say. */
  readonly endUnixSeconds: number;
  /** Nodes of the cluster with a usable CPU figure. */
  readonly measuredNodes: number;
  /** The same with an average of CPU or memory. */
  readonly averagedNodes: number;
}

/** What is known about one signal at the moment of the snapshot. */
export interface SignalView {
  /** Position of its values in `NodeInfo.signals`. */
  readonly index: number;
  /** When it was read, in Unix milliseconds. */
  readonly readMs: number;
  /** Nodes of the cluster with a value. */
  readonly measuredNodes: number;
  /** The largest value of any of them; 0 where there is none. */
  readonly largest: number;
  /** Why nodes have no value, by name, where more is known than that there was none. */
  readonly absences: ReadonlyMap<string, string>;
}

/**
 * The cluster at one moment. Immutable: a cycle sees nothing change.
 *
 * Nodes stand in the order of their names; the position of a node is its slot.
 */
export interface Snapshot {
  readonly nowMs: number;
  readonly version: number;
  readonly nodeCount: number;
  /** @throws RangeError when there is no such slot. */
  nodeAt(slot: number): NodeInfo;
  slotOf(nodeName: string): number | undefined;
  node(nodeName: string): NodeInfo | undefined;
  nodes(): IterableIterator<NodeInfo>;
  /** Nodes that pending pods have been promised: mostly none. */
  readonly promisedSlots: readonly number[];
  /** Undefined while the source has never delivered. */
  load(source: string): LoadView | undefined;
  /** Undefined while the signal has never been read: see `signalKey`. */
  signal(key: string): SignalView | undefined;
  /** Labels of a namespace; empty when it is not known. */
  namespaceLabels(namespace: string): Labels;
  readonly antiAffinity: AntiAffinityView;
  /**
   * Slots whose node changed after `version`, repeats possible; undefined when that can't be told any more, or slots
   * have moved: look at all of them.
   */
  changedSince(version: number): readonly number[] | undefined;
}
