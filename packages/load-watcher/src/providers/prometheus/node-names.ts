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
  readonly askInfo: () => Promise<InfoTables>;
}

/** Which node each series of each answer belongs to. */
export interface SeriesNodes {
  /** Node names by the position of the samples; undefined where a series has none. */
  of(answer: PrometheusAnswer): readonly (string | undefined)[];
  /** The outcome for each distinct set of identity labels. */
  readonly resolutions: Iterable<{ readonly labels: Labels; readonly resolution: Resolution }>;
}

interface Named {
  readonly labels: Labels;
  resolution: Resolution;
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
  #forgetTriedAtMs = 0;

  constructor(options: NodeNamesOptions) {
    this.#options = options;
    this.#keys = identityLabels(options.nodeLabel);
  }

  async resolve(answers: readonly PrometheusAnswer[], context: NodeNamesContext): Promise<SeriesNodes> {
    const found = new Map<string, Named>();
    const byAnswer = new Map<PrometheusAnswer, readonly Named[]>();
    for (const answer of answers) {
      byAnswer.set(
        answer,
        answer.samples.map(({ labels }) => this.#name(labels, found, context.index)),
      );
      await nextTurn();
    }
    await this.#explainMissing(found, context);
    return {
      of: (answer) => (byAnswer.get(answer) ?? []).map(({ resolution }) => resolution.node),
      resolutions: found.values(),
    };
  }

  #name(labels: Labels, found: Map<string, Named>, index: NodeIndex | undefined): Named {
    const key = this.#keyOf(labels);
    const known = found.get(key);
    if (known !== undefined) return known;
    const named = { labels, resolution: this.#resolve(labels, index) };
    found.set(key, named);
    return named;
  }

  async #explainMissing(found: ReadonlyMap<string, Named>, context: NodeNamesContext): Promise<void> {
    const missing = [...found].filter(([, { resolution }]) => needsInfo(resolution, context.index));
    if (context.nowMs >= this.#forgetTriedAtMs) {
      this.#tried = new Set();
      this.#forgetTriedAtMs = context.nowMs + this.#options.retryAfterMs;
    }
    if (missing.every(([key]) => this.#tried.has(key))) return;
    this.#info = await context.askInfo();
    for (const [key, named] of missing) {
      named.resolution = this.#resolve(named.labels, context.index);
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
