import { isTerminalPod, type KubernetesObject, type Node, type Pod } from '@catamaran/model';
import {
  projectNode,
  projectPod,
  Reflector,
  type ReflectorDeps,
  type ReflectorHandlers,
  SharedRecovery,
} from '@catamaran/platform';
import type { ClusterEvent } from '../core/queue/cluster-event.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import { nodeChanges } from './node-changes.js';
import { isAssigned } from './pending-pod.js';
import { podChanges } from './pod-changes.js';

/** What the feed tells the scheduler about pods that have no node. */
export interface PendingPodHandlers {
  onPending(pod: Pod): void;
  /** Assigned, finished or gone: no longer to be placed. */
  onSettled(pod: Pod): void;
  onEvent(event: ClusterEvent): void;
}

/** Bookmarks come each minute, and a silent watch is replaced after 150 s. */
const MAX_SILENCE_MS = 300_000;

/** Finished pods hold nothing; kube-scheduler does not watch them either. */
const UNFINISHED = 'status.phase!=Succeeded,status.phase!=Failed';

/**
 * Keeps the cluster state in step with the API server: nodes, unfinished pods of all schedulers, namespaces. Turns
 * changes into the events that wake pending pods.
 */
export class ClusterFeed {
  readonly #state: ClusterState;
  readonly #handlers: PendingPodHandlers;
  readonly #nodes: Reflector<'nodes'>;
  readonly #pods: Reflector<'pods'>;
  readonly #namespaces: Reflector<'namespaces'>;
  /** Last seen form of each, to tell what changed. */
  readonly #knownNodes = new Map<string, Node>();
  readonly #assignedPods = new Map<string, Pod>();

  constructor(state: ClusterState, handlers: PendingPodHandlers, clusterDeps: ReflectorDeps) {
    // Pods must not be placed by nodes as they were before the server was away.
    const deps = { ...clusterDeps, recovery: new SharedRecovery() };
    this.#state = state;
    this.#handlers = handlers;
    this.#nodes = new Reflector({ kind: 'nodes', project: projectNode }, deps);
    this.#pods = new Reflector({ kind: 'pods', fieldSelector: UNFINISHED, project: projectPod }, deps);
    this.#namespaces = new Reflector({ kind: 'namespaces' }, deps);
  }

  get synced(): Promise<unknown> {
    return Promise.all([this.#nodes.synced, this.#pods.synced, this.#namespaces.synced]);
  }

  /** Why the state can't be relied on; undefined when it can. */
  problem(transportNowMs: number): string | undefined {
    const reflectors = [this.#nodes, this.#pods, this.#namespaces];
    if (!reflectors.every(({ isSynced }) => isSynced)) {
      return 'nodes, pods and namespaces are still being listed';
    }
    const silentMs = transportNowMs - Math.min(...reflectors.map(({ lastContactMs }) => lastContactMs ?? 0));
    return silentMs > MAX_SILENCE_MS
      ? `the API server has said nothing for ${Math.round(silentMs / 1000)} s`
      : undefined;
  }

  get nodeCount(): number {
    return this.#knownNodes.size;
  }

  start(): void {
    this.#nodes.start(
      applyingDiffs<Node>({
        upsert: (node) => this.#upsertNode(node),
        remove: (node) => this.#removeNode(node),
      }),
    );
    this.#pods.start(
      applyingDiffs<Pod>({ upsert: (pod) => this.#upsertPod(pod), remove: (pod) => this.#removePod(pod) }),
    );
    this.#namespaces.start(
      applyingDiffs<KubernetesObject>({
        upsert: (namespace) => {
          this.#state.upsertNamespace(namespace);
          this.#handlers.onEvent({ kind: 'namespace-updated' });
        },
        remove: (namespace) => this.#state.removeNamespace(namespace.metadata.name),
      }),
    );
  }

  /** Resolves once everything up to these versions has been taken in. */
  async caughtUp(
    versions: { readonly pods?: string | undefined; readonly nodes?: string | undefined },
    signal?: AbortSignal,
  ): Promise<void> {
    await Promise.all([
      versions.pods === undefined ? undefined : this.#pods.caughtUp(versions.pods, signal),
      versions.nodes === undefined ? undefined : this.#nodes.caughtUp(versions.nodes, signal),
    ]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#nodes.close(), this.#pods.close(), this.#namespaces.close()]);
  }

  #upsertNode(node: Node): void {
    const nodeName = node.metadata.name;
    const before = this.#knownNodes.get(nodeName);
    this.#knownNodes.set(nodeName, node);
    this.#state.upsertNode(node);
    if (before === undefined) {
      this.#handlers.onEvent({ kind: 'node-added', nodeName });
      return;
    }
    const changes = nodeChanges(before, node);
    if (changes.size > 0) {
      this.#handlers.onEvent({ kind: 'node-updated', nodeName, changes });
    }
  }

  #removeNode(node: Node): void {
    this.#knownNodes.delete(node.metadata.name);
    this.#state.removeNode(node.metadata.name);
  }

  #upsertPod(pod: Pod): void {
    if (isTerminalPod(pod)) {
      this.#removePod(pod);
      return;
    }
    this.#state.upsertPod(pod);
    if (!isAssigned(pod)) {
      this.#handlers.onPending(pod);
      return;
    }
    const uid = uidOf(pod);
    const nodeName = pod.spec.nodeName ?? '';
    const before = this.#assignedPods.get(uid);
    this.#assignedPods.set(uid, pod);
    this.#handlers.onSettled(pod);
    if (before === undefined) {
      this.#handlers.onEvent({ kind: 'assigned-pod-added', nodeName });
      return;
    }
    const changes = podChanges(before, pod);
    if (changes.size > 0) {
      this.#handlers.onEvent({ kind: 'assigned-pod-updated', nodeName, changes });
    }
  }

  #removePod(pod: Pod): void {
    this.#state.removePod(pod);
    this.#handlers.onSettled(pod);
    if (this.#assignedPods.delete(uidOf(pod))) {
      this.#handlers.onEvent({ kind: 'assigned-pod-deleted', nodeName: pod.spec.nodeName ?? '' });
    }
  }
}

function uidOf(pod: Pod): string {
  return pod.metadata.uid ?? `${pod.metadata.namespace}/${pod.metadata.name}`;
}

function applyingDiffs<T>(apply: {
  readonly upsert: (object: T) => void;
  readonly remove: (object: T) => void;
}): ReflectorHandlers<T> {
  return {
    onReplace: (_items, { upserted, deleted }) => {
      deleted.forEach(apply.remove);
      upserted.forEach(apply.upsert);
    },
    onUpsert: apply.upsert,
    onDelete: apply.remove,
  };
}
