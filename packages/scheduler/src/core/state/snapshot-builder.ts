import type { Labels } from '../selectors/label-requirement.js';
import type { AntiAffinityView } from './anti-affinity-index.js';
import { ChangeJournal } from './change-journal.js';
import { ChunkedSnapshot, type NodeChunks, toChunks, withReplaced } from './chunked-snapshot.js';
import type { LoadSources } from './load-sources.js';
import type { NodeInfo } from './node-info.js';
import type { NodeRecord } from './node-record.js';
import type { SignalStore } from './signal-store.js';
import type { LoadView, SignalView, Snapshot } from './snapshot.js';

interface Inputs {
  readonly records: ReadonlyMap<string, NodeRecord>;
  readonly sources: LoadSources;
  readonly signals: SignalStore;
  readonly namespaces: ReadonlyMap<string, Labels>;
  readonly antiAffinity: AntiAffinityView;
  /** Names of nodes that pending pods have been promised. */
  readonly promised: Iterable<string>;
}

/** A journal longer than this many times the nodes starts anew: looking at all nodes is cheaper then. */
const JOURNAL_ROUNDS = 4;
const JOURNAL_MINIMUM = 1024;

/** Makes snapshots that share whatever did not change. */
export class SnapshotBuilder {
  #changed = new Set<string>();
  #membership = true;
  #loadsStale = true;
  #signalsStale = true;
  #chunks: NodeChunks = [];
  #slots: ReadonlyMap<string, number> = new Map();
  #loads: ReadonlyMap<string, LoadView> = new Map();
  #signals: ReadonlyMap<string, SignalView> = new Map();
  #journal = new ChangeJournal(0);

  nodeChanged(name: string): void {
    this.#changed.add(name);
  }

  membershipChanged(): void {
    this.#membership = true;
  }

  loadsChanged(): void {
    this.#loadsStale = true;
  }

  signalsChanged(): void {
    this.#signalsStale = true;
  }

  build(nowMs: number, inputs: Inputs): Snapshot {
    if (this.#membership) this.#rebuild(inputs);
    else if (this.#changed.size > 0) this.#replace(inputs);
    if (this.#loadsStale) this.#loads = loadViews(inputs.sources, this.#chunks);
    if (this.#signalsStale) {
      this.#signals = inputs.signals.views(this.#chunks.flat().map(({ signals }) => signals));
    }
    this.#membership = false;
    this.#loadsStale = false;
    this.#signalsStale = false;
    this.#changed.clear();
    const content = {
      chunks: this.#chunks,
      slots: this.#slots,
      promisedSlots: [...new Set(inputs.promised)].flatMap((name) => this.#slots.get(name) ?? []),
      loads: this.#loads,
      signals: this.#signals,
      namespaces: inputs.namespaces,
      antiAffinity: inputs.antiAffinity,
      journal: this.#journal,
      version: this.#journal.version,
    };
    return new ChunkedSnapshot(content, nowMs);
  }

  #rebuild({ records }: Inputs): void {
    const nodes = [...records.values()].flatMap(({ info }) => (info === undefined ? [] : [info]));
    nodes.sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#chunks = toChunks(nodes);
    this.#slots = new Map(nodes.map(({ name }, slot) => [name, slot]));
    this.#journal = new ChangeJournal(this.#journal.version + 1);
    this.#loadsStale = true;
    this.#signalsStale = true;
  }

  #replace({ records }: Inputs): void {
    if (this.#journal.length > JOURNAL_MINIMUM + JOURNAL_ROUNDS * this.#slots.size) {
      this.#journal = new ChangeJournal(this.#journal.version);
    }
    const replaced = new Map<number, NodeInfo>();
    for (const name of this.#changed) {
      const slot = this.#slots.get(name);
      const info = records.get(name)?.info;
      if (slot === undefined || info === undefined) continue;
      replaced.set(slot, info);
      this.#journal.push(slot);
    }
    this.#chunks = withReplaced(this.#chunks, replaced);
  }
}

function loadViews(sources: LoadSources, chunks: NodeChunks): ReadonlyMap<string, LoadView> {
  const views = new Map<string, LoadView>();
  for (const { source, index, report } of sources.entries()) {
    const loads = chunks.flat().map((node) => node.loads[index]);
    views.set(source, {
      index,
      endUnixSeconds: report.endUnixSeconds,
      measuredNodes: loads.filter((load) => load?.cpuPercent !== undefined).length,
      averagedNodes: loads.filter((load) => load?.cpu !== undefined || load?.memory !== undefined).length,
    });
  }
  return views;
}
