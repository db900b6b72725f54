import type { KubernetesObject, Node, Pod } from '@catamaran/model';
import {
  type Logger,
  projectNode,
  projectPod,
  Reflector,
  type ReflectorDeps,
  type ReflectorHandlers,
  SharedRecovery,
} from '@catamaran/platform';
import type { ClusterEvent } from '../core/queue/cluster-event.js';
import type { ClusterState } from '../core/state/cluster-state.js';
import type { PodInfo } from '../core/state/pod-info.js';
import { ChangeBacklog } from './change-backlog.js';
import { ClusterIntake } from './cluster-intake.js';
import type { DamageReport } from './damage-report.js';
import { safely } from './safe-projection.js';

/** What the feed tells the scheduler about pods that have no node. */
export interface PendingPodHandlers {
  onPending(pod: PodInfo): void;
  /** On a node, finished, or gone (undefined): no longer to be placed. */
  onSettled(uid: string, nodeName: string | undefined): void;
  onEvent(event: ClusterEvent): void;
  /** Everything that took several turns to take in is taken in. */
  onTakenIn(): void;
}

export interface ClusterFeedDeps extends ReflectorDeps {
  readonly state: ClusterState;
  readonly damage: DamageReport;
}

/** Bookmarks come each minute, and a silent watch is replaced after 150 s. */
const MAX_SILENCE_MS = 300_000;

/** A bookmark comes about each minute. */
const FRESH_MS = 75_000;

/** Finished pods hold nothing; kube-scheduler does not watch them either. */
const UNFINISHED = 'status.phase!=Succeeded,status.phase!=Failed';

/**
 * Keeps the cluster state in step with the API server: nodes, unfinished pods of all schedulers, namespaces. Turns
 * changes into the events that wake pending pods.
 */
export class ClusterFeed {
  readonly #intake: ClusterIntake;
  readonly #backlog: ChangeBacklog;
  readonly #nodes: Reflector<'nodes'>;
  readonly #pods: Reflector<'pods'>;
  readonly #namespaces: Reflector<'namespaces'>;
  readonly #log: Logger;
  #isTakenOver = false;

  constructor(handlers: PendingPodHandlers, { state, damage, ...clusterDeps }: ClusterFeedDeps) {
    // Pods must not be placed by nodes as they were before the server was away.
    const deps = { ...clusterDeps, recovery: new SharedRecovery() };
    this.#log = deps.log;
    this.#intake = new ClusterIntake(handlers, { state, damage });
    this.#backlog = new ChangeBacklog(() => handlers.onTakenIn());
    this.#nodes = new Reflector({ kind: 'nodes', project: safely(projectNode) }, deps);
    this.#pods = new Reflector(
      { kind: 'pods', fieldSelector: UNFINISHED, project: safely(projectPod) },
      deps,
    );
    this.#namespaces = new Reflector({ kind: 'namespaces', project: safely((object) => object) }, deps);
  }

  /** Resolves when the cluster is known. @throws AbortError when it is closed before. */
  async synced(): Promise<void> {
    await Promise.all([this.#nodes.synced, this.#pods.synced, this.#namespaces.synced]);
    await this.#backlog.drained();
    this.#isTakenOver = true;
  }

  /** A list is being taken in: what is known is half old and half new. */
  get isTakingIn(): boolean {
    return this.#backlog.isRunning;
  }

  /** The watch of pods has spoken within the time that bookmarks take, and all of that is taken in. */
  isFresh(transportNowMs: number): boolean {
    return (
      this.#isTakenOver && !this.isTakingIn && transportNowMs - (this.#pods.lastContactMs ?? 0) <= FRESH_MS
    );
  }

  /** Why the state can't be relied on; undefined when it can. */
  problem(transportNowMs: number): string | undefined {
    const reflectors = [this.#nodes, this.#pods, this.#namespaces];
    if (!this.#isTakenOver) {
      return 'nodes, pods and namespaces are still being listed';
    }
    const silentMs = transportNowMs - Math.min(...reflectors.map(({ lastContactMs }) => lastContactMs ?? 0));
    return silentMs > MAX_SILENCE_MS
      ? `the API server has said nothing for ${Math.round(silentMs / 1000)} s`
      : undefined;
  }

  get nodeCount(): number {
    return this.#intake.nodeCount;
  }

  /** See `ClusterIntake.found`. */
  found(assumed: PodInfo, pod: Pod | undefined): void {
    this.#intake.found(assumed, pod === undefined ? undefined : safely(projectPod)(pod));
  }

  start(): void {
    const intake = this.#intake;
    this.#nodes.start(
      this.#handlersOf<Node>({
        upsert: (node) => intake.upsertNode(node),
        remove: (node) => intake.removeNode(node),
      }),
    );
    this.#pods.start(
      this.#handlersOf<Pod>({
        upsert: (pod) => intake.upsertPod(pod),
        remove: (pod) => intake.removePod(pod),
      }),
    );
    this.#namespaces.start(
      this.#handlersOf<KubernetesObject>({
        upsert: (namespace) => intake.upsertNamespace(namespace),
        remove: (namespace) => intake.removeNamespace(namespace),
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
    await this.#backlog.drained();
  }

  async close(): Promise<void> {
    this.#backlog.close();
    await Promise.all([this.#nodes.close(), this.#pods.close(), this.#namespaces.close()]);
  }

  /** What fails for one object is said, and the others go on. */
  #handlersOf<T>(apply: {
    readonly upsert: (object: T) => void;
    readonly remove: (object: T) => void;
  }): ReflectorHandlers<T> {
    const guarded = (act: (object: T) => void) => (object: T) => {
      try {
        act(object);
      } catch (error) {
        this.#log.error('a change of the cluster could not be taken in', { error });
      }
    };
    const upsert = guarded(apply.upsert);
    const remove = guarded(apply.remove);
    return {
      onReplace: (_items, { upserted, deleted }) => {
        this.#backlog.push(deleted, remove);
        this.#backlog.push(upserted, upsert);
      },
      onUpsert: (object) => this.#backlog.push([object], upsert),
      onDelete: (object) => this.#backlog.push([object], remove),
    };
  }
}
