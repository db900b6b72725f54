import { type Labels, NO_LABELS } from '../selectors/label-requirement.js';
import type { AntiAffinityView } from './anti-affinity-index.js';
import type { ChangeJournal } from './change-journal.js';
import type { NodeInfo } from './node-info.js';
import type { LoadView, SignalView, Snapshot } from './snapshot.js';

const CHUNK_BITS = 6;
const CHUNK_MASK = (1 << CHUNK_BITS) - 1;

/** Nodes in chunks, so that the next snapshot copies one chunk for a changed node, and not the whole list. */
export type NodeChunks = readonly (readonly NodeInfo[])[];

export function toChunks(nodes: readonly NodeInfo[]): NodeChunks {
  const chunks: NodeInfo[][] = [];
  for (let start = 0; start < nodes.length; start += CHUNK_MASK + 1) {
    chunks.push(nodes.slice(start, start + CHUNK_MASK + 1));
  }
  return chunks;
}

/** The same nodes with some slots replaced. */
export function withReplaced(chunks: NodeChunks, replaced: ReadonlyMap<number, NodeInfo>): NodeChunks {
  const copy = [...chunks];
  const fresh = new Map<number, NodeInfo[]>();
  for (const [slot, node] of replaced) {
    const index = slot >> CHUNK_BITS;
    const chunk = fresh.get(index) ?? [...(copy[index] ?? [])];
    chunk[slot & CHUNK_MASK] = node;
    fresh.set(index, chunk);
    copy[index] = chunk;
  }
  return copy;
}

/** What all snapshots between two changes share. */
export interface SnapshotContent {
  readonly chunks: NodeChunks;
  readonly slots: ReadonlyMap<string, number>;
  readonly promisedSlots: readonly number[];
  readonly loads: ReadonlyMap<string, LoadView>;
  readonly signals: ReadonlyMap<string, SignalView>;
  readonly namespaces: ReadonlyMap<string, Labels>;
  readonly antiAffinity: AntiAffinityView;
  readonly journal: ChangeJournal;
  readonly version: number;
}

export class ChunkedSnapshot implements Snapshot {
  readonly nowMs: number;
  readonly #content: SnapshotContent;

  constructor(content: SnapshotContent, nowMs: number) {
    this.nowMs = nowMs;
    this.#content = content;
  }

  get version(): number {
    return this.#content.version;
  }

  get nodeCount(): number {
    return this.#content.slots.size;
  }

  get promisedSlots(): readonly number[] {
    return this.#content.promisedSlots;
  }

  get antiAffinity(): AntiAffinityView {
    return this.#content.antiAffinity;
  }

  nodeAt(slot: number): NodeInfo {
    const node = this.#content.chunks[slot >> CHUNK_BITS]?.[slot & CHUNK_MASK];
    if (node === undefined) throw new RangeError(`no node in slot ${slot} of ${this.nodeCount}`);
    return node;
  }

  slotOf(nodeName: string): number | undefined {
    return this.#content.slots.get(nodeName);
  }

  node(nodeName: string): NodeInfo | undefined {
    const slot = this.slotOf(nodeName);
    return slot === undefined ? undefined : this.nodeAt(slot);
  }

  *nodes(): IterableIterator<NodeInfo> {
    for (const chunk of this.#content.chunks) yield* chunk;
  }

  load(source: string): LoadView | undefined {
    return this.#content.loads.get(source);
  }

  signal(key: string): SignalView | undefined {
    return this.#content.signals.get(key);
  }

  namespaceLabels(namespace: string): Labels {
    return this.#content.namespaces.get(namespace) ?? NO_LABELS;
  }

  changedSince(version: number): readonly number[] | undefined {
    return this.#content.journal.between(version, this.#content.version);
  }
}
