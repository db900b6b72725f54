import type { NodeIndex } from '../../core/mapping/node-index.js';
import {
  type InfoTables,
  type Labels,
  NO_INFO,
  type Resolution,
  resolveNode,
} from '../../core/mapping/resolve-node.js';
import { nextTurn } from '../../event-loop.js';
import type { PrometheusAnswer } from './decode.js';
import { identityLabels } from './query.js';

export interface NodeNamesOptions {
  readonly nodeLabel: string | undefined;
  /** After this long, series without a node are worth asking for again. */
  readonly retryAfterMs: number;
}

export interface NodeNamesContext {
  /** Undefined where the cluster's nodes are not known. */
  readonly index: NodeIndex | undefined;
  readonly nowMs: number;
  readonly labelsOf: (series: number) => Labels;
  /** Changes when label sets are numbered anew. */
  readonly generation: number;
  readonly askInfo: () => Promise<InfoTables>;
}

/** Which node each series belongs to, by the number of its label set. */
export interface SeriesNodes {
  nodeOf(series: number): string | undefined;
  /** The outcome for each label set that occurs. */
  readonly resolutions: ReadonlyMap<number, Resolution>;
}

interface Cache {
  readonly index: NodeIndex | undefined;
  readonly generation: number;
  readonly resolutions: Map<number, Resolution>;
}

/**
 * Names the nodes of series, and remembers what info metrics said: they are asked only when a series turns up that
 * nothing else explains.
 */
export class NodeNames {
  readonly #options: NodeNamesOptions;
  readonly #keys: readonly string[];
  #info: InfoTables = NO_INFO;
  #tried = new Set<string>();
  #cache: Cache = { index: undefined, generation: -1, resolutions: new Map() };
  #forgetTriedAtMs = 0;

  constructor(options: NodeNamesOptions) {
    this.#options = options;
    this.#keys = identityLabels(options.nodeLabel);
  }

  async resolve(answers: readonly PrometheusAnswer[], context: NodeNamesContext): Promise<SeriesNodes> {
    const resolutions = new Map<number, Resolution>();
    for (const { series } of answers) {
      for (let position = 0; position < series.length; position += 1) {
        const id = series[position] ?? -1;
        if (!resolutions.has(id)) resolutions.set(id, this.#known(id, context));
      }
      await nextTurn();
    }
    await this.#explainMissing(resolutions, context);
    const nodes: (string | undefined)[] = [];
    for (const [id, { node }] of resolutions) nodes[id] = node;
    return { nodeOf: (series) => nodes[series], resolutions };
  }

  /** While the nodes and the numbering stay the same, so does the answer. */
  #known(id: number, context: NodeNamesContext): Resolution {
    if (this.#cache.index !== context.index || this.#cache.generation !== context.generation) {
      this.#cache = { index: context.index, generation: context.generation, resolutions: new Map() };
    }
    const known = this.#cache.resolutions.get(id);
    if (known !== undefined) return known;
    const resolution = this.#resolve(context.labelsOf(id), context.index);
    this.#cache.resolutions.set(id, resolution);
    return resolution;
  }

  async #explainMissing(resolutions: Map<number, Resolution>, context: NodeNamesContext): Promise<void> {
    if (context.nowMs >= this.#forgetTriedAtMs) {
      this.#tried = new Set();
      this.#forgetTriedAtMs = context.nowMs + this.#options.retryAfterMs;
    }
    const missing = [...resolutions]
      .filter(([, resolution]) => needsInfo(resolution, context.index))
      .map(([id]) => ({ id, labels: context.labelsOf(id), key: this.#keyOf(context.labelsOf(id)) }));
    if (missing.every(({ key }) => this.#tried.has(key))) return;
    this.#info = await context.askInfo();
    for (const { id, labels, key } of missing) {
      const resolution = this.#resolve(labels, context.index);
      resolutions.set(id, resolution);
      this.#cache.resolutions.set(id, resolution);
      this.#tried.add(key);
    }
  }

  #resolve(labels: Labels, index: NodeIndex | undefined): Resolution {
    const { nodeLabel } = this.#options;
    return resolveNode(labels, {
      index,
      info: this.#info,
      ...(nodeLabel === undefined ? {} : { configuredLabel: nodeLabel }),
    });
  }

  #keyOf(labels: Labels): string {
    let key = '';
    for (const name of this.#keys) {
      const value = labels[name];
      if (value !== undefined) key += `${name}=${value}\n`;
    }
    return key;
  }
}

/** A name that only the `instance` label vouches for may be an address; info metrics can know better. */
function needsInfo(resolution: Resolution, index: NodeIndex | undefined): boolean {
  if (resolution.node === undefined) return resolution.reason === 'unmatched-instance';
  return index === undefined && resolution.rule === 'instance';
}
