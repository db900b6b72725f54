import {
  isTerminalPod,
  type KubernetesObject,
  type Node,
  type Pod,
  type WatcherDocument,
} from '@catamaran/model';
import { readNamespace, readNode } from '../objects/read-object.js';
import type { Labels } from '../selectors/label-requirement.js';
import { AntiAffinityIndex } from './anti-affinity-index.js';
import { LoadSources } from './load-sources.js';
import { type NodeFacts, nodeFacts } from './node-info.js';
import { type LoadReport, loadReport } from './node-load.js';
import { NodeRecord } from './node-record.js';
import { type PodInfo, preparePod } from './pod-info.js';
import { sameFootprint } from './same-footprint.js';
import { type SignalReading, SignalStore } from './signal-store.js';
import type { Snapshot } from './snapshot.js';
import { SnapshotBuilder } from './snapshot-builder.js';

interface Placement {
  readonly info: PodInfo;
  readonly nodeName: string;
  readonly assignedUnixSeconds: number;
  /** Decided by us and not yet seen in the watch. */
  readonly assumed: boolean;
}

/**
 * What the scheduler knows of the cluster, kept in step event by event; a snapshot costs as much as changed since the
 * last one. The order of events does not matter, and a repeated event changes nothing.
 */
export class ClusterState {
  readonly #records = new Map<string, NodeRecord>();
  readonly #placements = new Map<string, Placement>();
  readonly #nominations = new Map<string, string>();
  readonly #antiAffinity = new AntiAffinityIndex();
  readonly #loads = new LoadSources();
  readonly #signals = new SignalStore();
  readonly #snapshots = new SnapshotBuilder();
  readonly #namespaces = new Map<string, Labels>();
  /** What snapshots see of the namespaces; undefined once it has become old. */
  #namespaceView: ReadonlyMap<string, Labels> | undefined = undefined;

  /** Pods that hold something on a node, assumed ones included. */
  get placedPodCount(): number {
    return this.#placements.size;
  }

  /** A node with a field of the wrong type is left out: nothing may be placed there by guessing. */
  upsertNode(node: Node): void {
    const reading = readNode(node);
    if (reading.ok) this.#putNode(nodeFacts(reading.object));
    else this.removeNode(node?.metadata?.name);
  }

  removeNode(name: string): void {
    const record = this.#records.get(name);
    if (record?.info === undefined) return;
    this.#change(record, () => record.clearFacts());
    this.#snapshots.membershipChanged();
  }

  /** A pod of any scheduler. One that can't be read changes nothing: see `preparePod`. */
  upsertPod(pod: Pod): void {
    const prepared = preparePod(pod);
    if (prepared.ok) this.putPod(prepared.info);
  }

  /** The same for a pod that is prepared. Finished pods hold nothing; unassigned ones count only where they are nominated. */
  putPod(info: PodInfo): void {
    if (isTerminalPod(info.pod)) {
      this.#remove(info.uid);
      return;
    }
    const nodeName = info.pod.spec.nodeName ?? '';
    if (nodeName === '') this.#nominate(info);
    else this.#confirm(info, nodeName);
  }

  removePod(pod: Pod): void {
    const prepared = preparePod(pod);
    if (prepared.ok) this.#remove(prepared.info.uid);
  }

  /** Counts the pod on the node from now on, before the API server has said so. */
  assume(info: PodInfo, nodeName: string, nowMs: number): void {
    this.#unnominate(info.uid);
    this.#place({ info, nodeName, assignedUnixSeconds: Math.floor(nowMs / 1000), assumed: true });
  }

  /** Takes an assumption back; a pod that the watch has confirmed stays. A nomination it had counts again. */
  forget(uid: string): void {
    const known = this.#placements.get(uid);
    if (known?.assumed !== true) return;
    this.#displace(uid);
    this.#nominate(known.info);
  }

  isAssumed(uid: string): boolean {
    return this.#placements.get(uid)?.assumed === true;
  }

  /** The node that the pod holds something on, assumed or not. */
  placedOn(uid: string): string | undefined {
    return this.#placements.get(uid)?.nodeName;
  }

  /** A pod that the watch has shown on a node, as it was when something about it last changed. */
  confirmed(uid: string): PodInfo | undefined {
    const known = this.#placements.get(uid);
    return known?.assumed === false ? known.info : undefined;
  }

  upsertNamespace(namespace: KubernetesObject): void {
    const reading = readNamespace(namespace);
    if (!reading.ok) return;
    this.#namespaces.set(reading.object.metadata.name, reading.object.metadata.labels ?? {});
    this.#namespaceView = undefined;
  }

  removeNamespace(name: string): void {
    if (this.#namespaces.delete(name)) this.#namespaceView = undefined;
  }

  /** @param source which watcher; profiles name the one they read. An undefined document changes nothing. */
  setUtilization(document: WatcherDocument | undefined, source = 'default'): void {
    if (document !== undefined) this.setLoadReport(loadReport(document), source);
  }

  /** The same for a document that has been read already. Cost: the nodes; all change at once. */
  setLoadReport(report: LoadReport, source: string): void {
    this.#loads.set(source, report);
    for (const record of this.#records.values()) {
      if (record.info === undefined) continue;
      const loads = this.#loads.of(record.name, record.info.loads);
      if (loads !== record.info.loads) this.#change(record, () => record.setLoads(loads));
    }
    this.#snapshots.loadsChanged();
  }

  /** Newer readings take the place of older ones, signal by signal; nodes whose values stay the same don't change. */
  setSignals(readings: readonly SignalReading[]): void {
    for (const reading of readings) this.#signals.set(reading);
    for (const record of this.#records.values()) {
      if (record.info === undefined) continue;
      const signals = this.#signals.of(record.info.node, record.info.signals);
      if (signals !== record.info.signals) this.#change(record, () => record.setSignals(signals));
    }
    this.#snapshots.signalsChanged();
  }

  snapshot(nowMs: number): Snapshot {
    this.#namespaceView ??= new Map(this.#namespaces);
    return this.#snapshots.build(nowMs, {
      records: this.#records,
      sources: this.#loads,
      signals: this.#signals,
      namespaces: this.#namespaceView,
      antiAffinity: this.#antiAffinity.view(),
      promised: this.#nominations.values(),
    });
  }

  #putNode(facts: NodeFacts): void {
    const record = this.#record(facts.name);
    const known = record.info;
    if (known?.fingerprint === facts.fingerprint) return;
    const signals = this.#signals.of(facts.node, known?.signals);
    this.#change(record, () => record.setFacts(facts, this.#loads.of(facts.name, known?.loads), signals));
    if (known === undefined) this.#snapshots.membershipChanged();
    else if (known.signals !== signals) this.#snapshots.signalsChanged();
  }

  #confirm(info: PodInfo, nodeName: string): void {
    this.#unnominate(info.uid);
    const known = this.#placements.get(info.uid);
    const assignedUnixSeconds = info.assignedUnixSeconds ?? known?.assignedUnixSeconds ?? 0;
    const placement = { info, nodeName, assignedUnixSeconds, assumed: false };
    const unchanged =
      known?.nodeName === nodeName &&
      known.assignedUnixSeconds === assignedUnixSeconds &&
      sameFootprint(known.info, info);
    if (unchanged) this.#placements.set(info.uid, { ...known, assumed: false });
    else this.#place(placement);
  }

  #nominate(info: PodInfo): void {
    if (this.#placements.has(info.uid)) return;
    this.#unnominate(info.uid);
    const nodeName = info.pod.status?.nominatedNodeName ?? '';
    if (nodeName === '') return;
    this.#nominations.set(info.uid, nodeName);
    const record = this.#record(nodeName);
    this.#change(record, () => record.nominate(info));
  }

  #unnominate(uid: string): void {
    const nodeName = this.#nominations.get(uid);
    if (nodeName === undefined) return;
    this.#nominations.delete(uid);
    const record = this.#record(nodeName);
    this.#change(record, () => record.unnominate(uid));
  }

  #place(placement: Placement): void {
    const { info, nodeName, assignedUnixSeconds } = placement;
    const known = this.#placements.get(info.uid);
    if (known !== undefined && known.nodeName !== nodeName) this.#displace(info.uid);
    this.#placements.set(info.uid, placement);
    const record = this.#record(nodeName);
    this.#change(record, () => record.putPod({ info, assignedUnixSeconds }));
  }

  #displace(uid: string): void {
    const known = this.#placements.get(uid);
    if (known === undefined) return;
    this.#placements.delete(uid);
    const record = this.#record(known.nodeName);
    this.#change(record, () => record.removePod(uid));
  }

  #remove(uid: string): void {
    this.#unnominate(uid);
    this.#displace(uid);
  }

  #record(name: string): NodeRecord {
    const known = this.#records.get(name);
    if (known !== undefined) return known;
    const record = new NodeRecord(name);
    this.#records.set(name, record);
    return record;
  }

  #change(record: NodeRecord, apply: () => void): void {
    const before = record.antiAffinity();
    apply();
    const after = record.antiAffinity();
    for (const { term, value } of after) this.#antiAffinity.add(term, value);
    for (const { term, value } of before) this.#antiAffinity.remove(term, value);
    this.#snapshots.nodeChanged(record.name);
    if (record.isEmpty) this.#records.delete(record.name);
  }
}
