import type { Node } from '@catamaran/model';
import {
  type Clock,
  type ClusterApi,
  isClusterApiError,
  type Logger,
  Reflector,
  silentLogger,
} from '@catamaran/platform';
import { isNamed, projectNode } from './project-node.js';

export interface NodeWatchDeps {
  readonly api: ClusterApi;
  readonly clock: Clock;
  readonly log: Logger;
  /** Uniform in [0, 1); jitter only. */
  readonly random: () => number;
}

/** What the watch shows is believed while the server was heard of so lately. */
const FRESH_MS = 30_000;
const PAGE_SIZE = 250;

/**
 * Keeps up with the nodes by list and watch. Where it can't, it stays silent: whoever asks lists the nodes, as without
 * it. A watch that is not allowed, or a list with items that are no nodes, ends it for good, with one line in the log.
 */
export class NodeWatch {
  readonly #deps: NodeWatchDeps;
  #reflector: Reflector<'nodes'> | undefined;
  #isOver = false;

  constructor(deps: NodeWatchDeps) {
    this.#deps = deps;
  }

  /** Harmless when called again. */
  start(): void {
    if (this.#reflector !== undefined || this.#isOver) return;
    const { clock, random } = this.#deps;
    // Trouble that passes costs a list at the next refresh, and that list says what is wrong.
    const deps = { api: this.#observed(), clock, random, log: silentLogger };
    this.#reflector = new Reflector({ kind: 'nodes', pageSize: PAGE_SIZE, project: withVersion }, deps);
    const ignore = (): void => undefined;
    this.#reflector.start({ onReplace: ignore, onUpsert: ignore, onDelete: ignore });
  }

  /** The nodes as of now; undefined where the watch has not caught up, or has not been heard of lately. */
  current(): ReadonlyMap<string, Node> | undefined {
    const reflector = this.#reflector;
    if (reflector?.isSynced !== true || reflector.lastContactMs === undefined) return undefined;
    // A clock that was set back makes an old contact look like one of the future.
    const silentMs = Math.abs(this.#deps.clock.nowMs() - reflector.lastContactMs);
    return silentMs < FRESH_MS ? reflector.objects : undefined;
  }

  /** Idempotent; resolves when the watch has ended. */
  async close(): Promise<void> {
    this.#isOver = true;
    const reflector = this.#reflector;
    this.#reflector = undefined;
    await reflector?.close();
  }

  /** The API as the reflector uses it, watched for what makes a watch pointless. */
  #observed(): ClusterApi {
    const { api } = this.#deps;
    const observed: Pick<ClusterApi, 'list' | 'watch'> = {
      list: async (kind, query, signal) => {
        const page = await api.list(kind, query, signal);
        if (!page.items.every(isNamed)) this.#giveUp('the list of nodes has items that are no nodes');
        return page;
      },
      watch: (kind, query, signal) => this.#watch(api.watch(kind, query, signal)),
    };
    return observed as ClusterApi;
  }

  async *#watch<T>(events: AsyncIterable<T>): AsyncIterable<T> {
    try {
      yield* events;
    } catch (error) {
      if (isClusterApiError(error) && error.code === 'forbidden') {
        this.#giveUp('it is not allowed: grant "watch" on nodes (k8s/rbac/load-watcher.yaml)');
      }
      throw error;
    }
  }

  #giveUp(reason: string): void {
    if (this.#isOver) return;
    this.#deps.log.info('nodes are not watched but listed at each refresh', { reason });
    void this.close();
  }
}

/** The reflector goes on from the version of what it was told. */
function withVersion(node: Node): Node {
  const { resourceVersion } = node.metadata;
  const projected = projectNode(node);
  if (resourceVersion === undefined) return projected;
  return { ...projected, metadata: { ...projected.metadata, resourceVersion } };
}
