import { isTerminalPod, type KubernetesObject, type Node, type Pod } from '@catamaran/model';
import { readNamespace, readNode } from '../core/objects/read-object.js';
import type { ClusterEvent } from '../core/queue/cluster-event.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import { type PodInfo, preparePod } from '../core/state/pod-info.js';
import type { DamageReport } from './damage-report.js';
import { nodeChanges } from './node-changes.js';
import { isAssigned } from './pending-pod.js';
import { podChanges } from './pod-changes.js';

export interface IntakeHandlers {
  onPending(pod: PodInfo): void;
  onSettled(uid: string, nodeName: string | undefined): void;
  onEvent(event: ClusterEvent): void;
}

export interface ClusterIntakeDeps {
  readonly state: ClusterState;
  readonly damage: DamageReport;
}

/** Takes objects into the cluster state as they come, and tells what that means for pods that wait. */
export class ClusterIntake {
  readonly #handlers: IntakeHandlers;
  readonly #state: ClusterState;
  readonly #damage: DamageReport;
  /** Last seen form of each, to tell what changed. */
  readonly #nodes = new Map<string, Node>();
  /** Nodes that pending pods have been promised, by the pod's uid. */
  readonly #nominated = new Map<string, string>();

  constructor(handlers: IntakeHandlers, { state, damage }: ClusterIntakeDeps) {
    this.#handlers = handlers;
    this.#state = state;
    this.#damage = damage;
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  upsertNode(raw: Node): void {
    const reading = readNode(raw);
    if (!reading.ok) {
      this.#damage.skipped('node', raw, reading.problem);
      this.removeNode(raw);
      return;
    }
    const node = reading.object;
    const nodeName = node.metadata.name;
    const before = this.#nodes.get(nodeName);
    this.#nodes.set(nodeName, node);
    this.#state.upsertNode(node);
    if (before === undefined) {
      this.#handlers.onEvent({ kind: 'node-added', nodeName });
      return;
    }
    const changes = nodeChanges(before, node);
    if (changes.size > 0) this.#handlers.onEvent({ kind: 'node-updated', nodeName, changes });
  }

  removeNode({ metadata }: Node): void {
    if (this.#nodes.delete(metadata.name)) this.#state.removeNode(metadata.name);
  }

  upsertNamespace(raw: KubernetesObject): void {
    const reading = readNamespace(raw);
    if (!reading.ok) {
      this.#damage.skipped('namespace', raw, reading.problem);
      return;
    }
    this.#damage.damaged('namespace', raw, reading.damage);
    this.#state.upsertNamespace(reading.object);
    this.#handlers.onEvent({ kind: 'namespace-updated' });
  }

  removeNamespace({ metadata }: KubernetesObject): void {
    this.#state.removeNamespace(metadata.name);
  }

  /** A pod that can't be used leaves its last good form standing. */
  upsertPod(raw: Pod): void {
    const prepared = preparePod(raw);
    if (!prepared.ok) {
      this.#damage.skipped('pod', raw, prepared.problem);
      return;
    }
    const { info } = prepared;
    this.#damage.damaged('pod', raw, info.damage);
    if (isTerminalPod(info.pod)) this.#remove(info, info.pod.spec.nodeName);
    else if (isAssigned(info.pod)) this.#placed(info);
    else this.#pending(info);
  }

  removePod(raw: Pod): void {
    const prepared = preparePod(raw);
    if (prepared.ok) this.#remove(prepared.info);
  }

  /** What a read has found out about a pod that we have bound, and that the watch would not show. */
  found(assumed: PodInfo, raw: Pod | undefined): void {
    const prepared = raw === undefined ? undefined : preparePod(raw);
    if (prepared === undefined) {
      this.#remove(assumed);
      return;
    }
    if (!prepared.ok) return;
    const { info } = prepared;
    if (info.uid !== assumed.uid) {
      this.#remove(assumed);
    } else if (isAssigned(info.pod) || isTerminalPod(info.pod)) {
      this.upsertPod(info.pod);
    } else {
      const nodeName = this.#state.placedOn(info.uid) ?? '';
      this.#state.forget(info.uid);
      this.#handlers.onSettled(info.uid, undefined);
      this.#handlers.onEvent({ kind: 'assigned-pod-deleted', nodeName, uid: info.uid });
      this.#pending(info);
    }
  }

  #pending(info: PodInfo): void {
    this.#state.putPod(info);
    this.#followNomination(info.uid, info.pod.status?.nominatedNodeName, undefined);
    this.#handlers.onPending(info);
  }

  #placed(info: PodInfo): void {
    const before = this.#state.confirmed(info.uid);
    const nodeName = info.pod.spec.nodeName ?? '';
    this.#state.putPod(info);
    this.#handlers.onSettled(info.uid, nodeName);
    this.#followNomination(info.uid, undefined, nodeName);
    if (before === undefined) {
      this.#handlers.onEvent({ kind: 'assigned-pod-added', nodeName });
      return;
    }
    const changes = podChanges(before, info);
    if (changes.size > 0) this.#handlers.onEvent({ kind: 'assigned-pod-updated', nodeName, changes });
  }

  /** @param endedOn where a pod that has finished was. */
  #remove(info: PodInfo, endedOn?: string): void {
    const nodeName = this.#state.placedOn(info.uid);
    this.#state.removePod(info.pod);
    this.#handlers.onSettled(info.uid, endedOn);
    this.#followNomination(info.uid, undefined, undefined);
    if (nodeName !== undefined) this.#handlers.onEvent({ kind: 'assigned-pod-deleted', nodeName });
  }

  /** @param placedOn where the pod is now: a promise that was kept frees nothing. */
  #followNomination(uid: string, now: string | undefined, placedOn: string | undefined): void {
    const before = this.#nominated.get(uid);
    if ((now ?? '') === '') this.#nominated.delete(uid);
    else if (now !== undefined) this.#nominated.set(uid, now);
    if (before !== undefined && before !== now && before !== placedOn) {
      this.#handlers.onEvent({ kind: 'nomination-gone', nodeName: before });
    }
  }
}
