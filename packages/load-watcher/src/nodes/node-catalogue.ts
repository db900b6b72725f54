import type { Node } from '@catamaran/model';
import { type Clock, type ClusterApi, ClusterApiError } from '@catamaran/platform';
import type { Absence } from '../core/figures/figures.js';
import { NodeIndex } from '../core/mapping/node-index.js';
import { withDeadline } from '../deadline.js';
import { inPieces, nodePages } from './node-pages.js';
import type { NodeWatch } from './node-watch.js';
import { isNamed, projectNode } from './project-node.js';

export interface NodeCatalogueOptions {
  /** Nodes a page; keeps the event loop free while large clusters are read. */
  readonly pageSize?: number;
  /** Deadline of the whole list; 10 s. */
  readonly timeoutMs?: number;
}

/** The cluster's nodes as last listed; the same object while nothing has changed. */
export interface NodeList {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly index: NodeIndex;
  /** When a node took over the name of one that was listed before, by name, in Unix milliseconds. */
  readonly replacedAtMs: ReadonlyMap<string, number>;
  /** Items of the list that are no nodes. */
  readonly malformed: readonly Absence[];
}

/** Where a provider learns which nodes exist. */
export interface NodeSource {
  /** The nodes as of now. */
  list(signal: AbortSignal): Promise<NodeList>;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface NodeCatalogueDeps {
  readonly api: ClusterApi;
  readonly clock: Clock;
  /** Started after the first list; while it is up to date nothing is listed. Closed with the catalogue. */
  readonly watch?: NodeWatch | undefined;
}

interface Known {
  resourceVersion: string | undefined;
  readonly node: Node;
  /** To see whether a new version changes anything: heartbeats don't. */
  readonly text: string;
}

/** Names of nodes that are gone are kept up to this many and as many again as there are nodes. */
const REMEMBERED_NAMES = 10_000;
const DEFAULT_PAGE_SIZE = 250;
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * The nodes of the cluster, of each only what the load-watcher uses: as a watch shows them, and where there is none or
 * it lags behind, listed in pages. Listing needs no more permission than the Go service has: `list` on nodes.
 */
export class NodeCatalogue implements NodeSource {
  readonly #options: Required<NodeCatalogueOptions>;
  readonly #deps: NodeCatalogueDeps;
  #known = new Map<string, Known>();
  /** Of every node ever listed, also those that are gone: a name may come back. */
  readonly #uids = new Map<string, string>();
  readonly #replacedAtMs = new Map<string, number>();
  #last: NodeList | undefined;

  constructor(options: NodeCatalogueOptions, deps: NodeCatalogueDeps) {
    this.#options = {
      pageSize: options.pageSize ?? DEFAULT_PAGE_SIZE,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    };
    this.#deps = deps;
  }

  /** @throws DeadlineError, ClusterApiError. */
  async list(signal: AbortSignal): Promise<NodeList> {
    const watched = this.#deps.watch?.current();
    if (watched !== undefined) return this.#take(inPieces(watched));
    const list = await this.#listPages(signal);
    this.#deps.watch?.start();
    return list;
  }

  async close(): Promise<void> {
    await this.#deps.watch?.close();
  }

  #listPages(signal: AbortSignal): Promise<NodeList> {
    const { timeoutMs } = this.#options;
    return withDeadline(
      { timeoutMs, what: 'GET /api/v1/nodes', clock: this.#deps.clock, signal },
      async (limited) => {
        const pages = () => nodePages(this.#deps.api, this.#options.pageSize, limited);
        try {
          return await this.#take(pages());
        } catch (error) {
          // The pages of a list expire when it is read slowly; one new start is worth it.
          if (error instanceof ClusterApiError && error.code === 'gone') return this.#take(pages());
          throw error;
        }
      },
    );
  }

  async #take(pieces: AsyncIterable<readonly Node[]>): Promise<NodeList> {
    const known = new Map<string, Known>();
    const malformed: Absence[] = [];
    let changed = this.#last === undefined;
    for await (const items of pieces) {
      for (const item of items) {
        if (!isNamed(item)) {
          malformed.push(malformedItem(known.size + malformed.length));
          continue;
        }
        const entry = this.#keep(item);
        changed ||= entry !== this.#known.get(item.metadata.name);
        known.set(item.metadata.name, entry);
      }
    }
    changed ||= known.size !== this.#known.size || malformed.length !== this.#last?.malformed.length;
    this.#known = known;
    this.#forgetGone();
    if (changed || this.#last === undefined) {
      this.#last = { ...listOf(known, this.#replacedAtMs), malformed };
    }
    return this.#last;
  }

  /** What is known of a node; the same object while nothing of it that is used here has changed. */
  #keep(node: Node): Known {
    const { name, resourceVersion } = node.metadata;
    const known = this.#known.get(name);
    if (known !== undefined && resourceVersion !== undefined && known.resourceVersion === resourceVersion)
      return known;
    this.#noteIdentity(node);
    const projected = projectNode(node);
    const text = JSON.stringify(projected);
    if (known?.text !== text) return { resourceVersion, node: projected, text };
    known.resourceVersion = resourceVersion;
    return known;
  }

  #forgetGone(): void {
    if (this.#uids.size <= 2 * this.#known.size + REMEMBERED_NAMES) return;
    for (const table of [this.#uids, this.#replacedAtMs]) {
      for (const name of table.keys()) if (!this.#known.has(name)) table.delete(name);
    }
  }

  #noteIdentity({ metadata: { name, uid, creationTimestamp } }: Node): void {
    if (typeof uid !== 'string') return;
    const before = this.#uids.get(name);
    const createdMs = Date.parse(creationTimestamp ?? '');
    if (before !== undefined && before !== uid && !Number.isNaN(createdMs))
      this.#replacedAtMs.set(name, createdMs);
    this.#uids.set(name, uid);
  }
}

function malformedItem(position: number): Absence {
  return {
    subject: `item ${position} of the list of nodes`,
    metric: 'all',
    reason: 'malformed-item',
    detail: 'it is no object with a name',
  };
}

function listOf(
  known: ReadonlyMap<string, Known>,
  replacedAtMs: ReadonlyMap<string, number>,
): Omit<NodeList, 'malformed'> {
  const nodes = new Map([...known].map(([name, { node }]) => [name, node]));
  return { nodes, index: new NodeIndex(nodes.values()), replacedAtMs: new Map(replacedAtMs) };
}
