import type { Node } from '@catamaran/model';
import { type Clock, type ClusterApi, ClusterApiError } from '@catamaran/platform';
import { NodeIndex } from '../core/mapping/node-index.js';
import { withDeadline } from '../deadline.js';

export interface NodeCatalogueOptions {
  /** Nodes a page; keeps the event loop free while large clusters are read. */
  readonly pageSize?: number;
  /** Deadline of one page. */
  readonly pageTimeoutMs?: number;
}

/** The cluster's nodes as last listed; the same object while nothing has changed. */
export interface NodeList {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly index: NodeIndex;
  /** When a node took over the name of one that was listed before, by name, in Unix milliseconds. */
  readonly replacedAtMs: ReadonlyMap<string, number>;
}

/** Where a provider learns which nodes exist. */
export interface NodeSource {
  /** Lists the nodes. */
  list(signal: AbortSignal): Promise<NodeList>;
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
const DEFAULT_PAGE_TIMEOUT_MS = 10_000;

/**
 * Lists nodes in pages and keeps of each only what the watcher uses. Listing needs no more permission than the Go
 * service has: `list` on nodes.
 */
export class NodeCatalogue implements NodeSource {
  readonly #options: Required<NodeCatalogueOptions>;
  readonly #deps: { readonly api: ClusterApi; readonly clock: Clock };
  #known = new Map<string, Known>();
  /** Of every node ever listed, also those that are gone: a name may come back. */
  readonly #uids = new Map<string, string>();
  readonly #replacedAtMs = new Map<string, number>();
  #last: NodeList | undefined;

  constructor(options: NodeCatalogueOptions, deps: { readonly api: ClusterApi; readonly clock: Clock }) {
    this.#options = {
      pageSize: options.pageSize ?? DEFAULT_PAGE_SIZE,
      pageTimeoutMs: options.pageTimeoutMs ?? DEFAULT_PAGE_TIMEOUT_MS,
    };
    this.#deps = deps;
  }

  async list(signal: AbortSignal): Promise<NodeList> {
    try {
      return await this.#listOnce(signal);
    } catch (error) {
      // The pages of a list expire when it is read slowly; one new start is worth it.
      if (error instanceof ClusterApiError && error.code === 'gone') return this.#listOnce(signal);
      throw error;
    }
  }

  async #listOnce(signal: AbortSignal): Promise<NodeList> {
    const known = new Map<string, Known>();
    let changed = this.#last === undefined;
    let continueToken: string | undefined;
    do {
      const page = await this.#page(continueToken, signal);
      for (const node of page.items) {
        const entry = this.#keep(node);
        changed ||= entry !== this.#known.get(node.metadata.name);
        known.set(node.metadata.name, entry);
      }
      continueToken = page.continueToken;
    } while (continueToken !== undefined && continueToken !== '');
    changed ||= known.size !== this.#known.size;
    this.#known = known;
    this.#forgetGone();
    if (changed || this.#last === undefined) this.#last = listOf(known, this.#replacedAtMs);
    return this.#last;
  }

  /** What is known of a node; the same object while nothing of it that is used here has changed. */
  #keep(node: Node): Known {
    const { name, resourceVersion } = node.metadata;
    const known = this.#known.get(name);
    if (known !== undefined && resourceVersion !== undefined && known.resourceVersion === resourceVersion)
      return known;
    this.#noteIdentity(node);
    const projected = project(node);
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
    if (uid === undefined) return;
    const before = this.#uids.get(name);
    const createdMs = Date.parse(creationTimestamp ?? '');
    if (before !== undefined && before !== uid && !Number.isNaN(createdMs))
      this.#replacedAtMs.set(name, createdMs);
    this.#uids.set(name, uid);
  }

  #page(continueToken: string | undefined, signal: AbortSignal) {
    const { pageSize, pageTimeoutMs } = this.#options;
    const query = continueToken === undefined ? { limit: pageSize } : { limit: pageSize, continueToken };
    return withDeadline(
      { timeoutMs: pageTimeoutMs, what: 'GET /api/v1/nodes', clock: this.#deps.clock, signal },
      (limited) => this.#deps.api.list('nodes', query, limited),
    );
  }
}

function listOf(known: ReadonlyMap<string, Known>, replacedAtMs: ReadonlyMap<string, number>): NodeList {
  const nodes = new Map([...known].map(([name, { node }]) => [name, node]));
  return { nodes, index: new NodeIndex(nodes.values()), replacedAtMs: new Map(replacedAtMs) };
}

function project({ metadata, status }: Node): Node {
  const { name, uid, creationTimestamp } = metadata;
  const hostname = metadata.labels?.['kubernetes.io/hostname'];
  const os = status?.nodeInfo?.operatingSystem ?? metadata.labels?.['kubernetes.io/os'];
  return {
    metadata: {
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(hostname === undefined ? {} : { labels: { 'kubernetes.io/hostname': hostname } }),
    },
    status: {
      ...(status?.capacity === undefined ? {} : { capacity: capacityOf(status.capacity) }),
      ...(status?.addresses === undefined ? {} : { addresses: status.addresses }),
      ...(os === undefined ? {} : { nodeInfo: { operatingSystem: os } }),
    },
  };
}

function capacityOf(capacity: Readonly<Record<string, string | number>>): Record<string, string | number> {
  const kept: Record<string, string | number> = {};
  for (const resource of ['cpu', 'memory']) {
    const value = capacity[resource];
    if (value !== undefined) kept[resource] = value;
  }
  return kept;
}
