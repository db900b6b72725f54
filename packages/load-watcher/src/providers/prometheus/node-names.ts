import type { NodeIndex } from '../../core/mapping/node-index.js';
import {
  type InfoTables,
  type Labels,
  NO_INFO,
  type Resolution,
  resolveNode,
} from '../../core/mapping/resolve-node.js';
import type { PrometheusSample } from './decode.js';
import { identityLabels } from './query.js';

export interface NodeNamesOptions {
  readonly nodeLabel: string | undefined;
  /** After this long, series without a node are worth asking for again. */
  readonly retryAfterMs: number;
}

export type AskInfo = () => Promise<InfoTables>;

/**
 * Names the nodes of series, and remembers what info metrics said: they are asked only when a series turns up that
 * nothing else explains.
 */
export class NodeNames {
  readonly #options: NodeNamesOptions;
  readonly #keys: readonly string[];
  #info: InfoTables = NO_INFO;
  #tried = new Set<string>();
  #forgetTriedAtMs = 0;

  constructor(options: NodeNamesOptions) {
    this.#options = options;
    this.#keys = identityLabels(options.nodeLabel);
  }

  /** Identity of a series' labels, for the map that `resolve` gives back. */
  keyOf(labels: Labels): string {
    let key = '';
    for (const name of this.#keys) key += `${labels[name] ?? ''}\n`;
    return key;
  }

  async resolve(
    samples: Iterable<PrometheusSample>,
    context: { readonly index: NodeIndex | undefined; readonly nowMs: number; readonly askInfo: AskInfo },
  ): Promise<ReadonlyMap<string, Resolution>> {
    const found = new Map<string, Resolution>();
    const missing = new Map<string, Labels>();
    for (const { labels } of samples) {
      const key = this.keyOf(labels);
      if (found.has(key)) continue;
      const resolution = this.#resolve(labels, context.index);
      found.set(key, resolution);
      if (needsInfo(resolution, context.index)) missing.set(key, labels);
    }
    if (this.#hasNew(missing, context.nowMs)) {
      this.#info = await context.askInfo();
      for (const [key, labels] of missing) {
        found.set(key, this.#resolve(labels, context.index));
        this.#tried.add(key);
      }
    }
    return found;
  }

  #resolve(labels: Labels, index: NodeIndex | undefined): Resolution {
    const { nodeLabel } = this.#options;
    return resolveNode(labels, {
      index,
      info: this.#info,
      ...(nodeLabel === undefined ? {} : { configuredLabel: nodeLabel }),
    });
  }

  #hasNew(missing: ReadonlyMap<string, Labels>, nowMs: number): boolean {
    if (nowMs >= this.#forgetTriedAtMs) {
      this.#tried = new Set();
      this.#forgetTriedAtMs = nowMs + this.#options.retryAfterMs;
    }
    for (const key of missing.keys()) {
      if (!this.#tried.has(key)) return true;
    }
    return false;
  }
}

/** A name that only the `instance` label vouches for may be an address; info metrics can know better. */
function needsInfo(resolution: Resolution, index: NodeIndex | undefined): boolean {
  if (resolution.node === undefined) return resolution.reason === 'unmatched-instance';
  return index === undefined && resolution.rule === 'instance';
}
