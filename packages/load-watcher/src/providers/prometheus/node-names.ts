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
  /** Unexplained series make the info metrics be asked again after at most so many refreshes. */
  readonly retryAfterRefreshes: number;
}

export interface NodeNamesContext {
  /** Undefined where the cluster's nodes are not known. */
  readonly index: NodeIndex | undefined;
  readonly labelsOf: (series: number) => Labels;
  /** Changes when label sets are numbered anew. */
  readonly generation: number;
  /** Without the tables whose query failed. */
  readonly askInfo: () => Promise<Partial<InfoTables>>;
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
 * nothing else explains, and again, less and less often, while it stays unexplained. What they once said stands until
 * they say something else: neither a failed query nor an empty answer takes a name away.
 */
export class NodeNames {
  readonly #options: NodeNamesOptions;
  readonly #keys: readonly string[];
  #info: InfoTables = NO_INFO;
  #cache: Cache = { index: undefined, generation: -1, resolutions: new Map() };
  /** Series that info metrics were asked about since they were last asked anew. */
  #asked = new Set<string>();
  #refresh = 0;
  #askAgainAt = 0;
  /** Questions in a row that left something unexplained. */
  #inVain = 0;

  constructor(options: NodeNamesOptions) {
    this.#options = options;
    this.#keys = identityLabels(options.nodeLabel);
  }

  async resolve(
    answers: readonly Pick<PrometheusAnswer, 'series'>[],
    context: NodeNamesContext,
  ): Promise<SeriesNodes> {
    this.#refresh += 1;
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
    const missing = [...resolutions]
      .filter(([, resolution]) => needsInfo(resolution, context.index))
      .map(([id]) => ({ id, labels: context.labelsOf(id), key: this.#keyOf(context.labelsOf(id)) }));
    if (!this.#isWorthAsking(missing.map(({ key }) => key))) return;
    const answered = await context.askInfo();
    this.#info = merged(this.#info, answered);
    let unexplained = false;
    for (const { id, labels } of missing) {
      const resolution = this.#resolve(labels, context.index);
      resolutions.set(id, resolution);
      this.#cache.resolutions.set(id, resolution);
      unexplained ||= needsInfo(resolution, context.index);
    }
    this.#planRetry(unexplained, Object.keys(answered).length < Object.keys(NO_INFO).length);
  }

  #isWorthAsking(keys: readonly string[]): boolean {
    const isNew = keys.some((key) => !this.#asked.has(key));
    if (keys.length === 0 || (!isNew && this.#refresh < this.#askAgainAt)) return false;
    if (isNew) this.#inVain = 0;
    this.#asked = new Set(keys);
    return true;
  }

  /** After a failure in the next refresh, else in the next but one; each time after twice as many. */
  #planRetry(unexplained: boolean, failed: boolean): void {
    this.#inVain = unexplained ? this.#inVain + 1 : 0;
    const wait = 2 ** (failed ? this.#inVain - 1 : this.#inVain);
    this.#askAgainAt = this.#refresh + Math.min(this.#options.retryAfterRefreshes, wait);
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

/** An exporter that is restarted gives an empty answer: the table before is the better one. */
function merged(before: InfoTables, answered: Partial<InfoTables>): InfoTables {
  const pick = (name: keyof InfoTables) => (answered[name]?.size ? answered[name] : before[name]);
  return {
    nodesByPod: pick('nodesByPod'),
    nodesByIp: pick('nodesByIp'),
    hostnamesByInstance: pick('hostnamesByInstance'),
  };
}

/** By which rules the series of each node were found. */
export function rulesByNode({ resolutions }: SeriesNodes): ReadonlyMap<string, ReadonlySet<string>> {
  const rules = new Map<string, Set<string>>();
  for (const resolution of resolutions.values()) {
    if (resolution.node === undefined) continue;
    const known = rules.get(resolution.node);
    if (known === undefined) rules.set(resolution.node, new Set([resolution.rule]));
    else known.add(resolution.rule);
  }
  return rules;
}
