import { type Node, ok, type Result } from '@catamaran/model';
import type { Clock } from '@catamaran/platform';
import type { AbsenceReason } from '../../core/figures/figures.js';
import { NodeIndex } from '../../core/mapping/node-index.js';
import { withSharedSignal } from '../../deadline.js';
import { type ConnectionOptions, ProviderConnection } from '../connection/provider-connection.js';
import type { PrometheusAnswer } from './decode.js';
import { infoTables } from './info-metrics.js';
import { NodeNames, type SeriesNodes } from './node-names.js';
import { PrometheusTransport } from './transport.js';

/** An instant query whose samples belong to nodes. */
export interface NodeVectorQuery {
  readonly promql: string;
  /** Label that holds the node's name, asked before all others. */
  readonly nodeLabel?: string | undefined;
}

/** The answer, by node. */
export interface NodeVector {
  /** In the order of the answer; several of one node are possible, NaN and infinities come as they are. */
  readonly samples: readonly { readonly node: string; readonly value: number }[];
  /** Series of which the node can't be told: which, and why. */
  readonly unmatched: readonly { readonly reason: AbsenceReason; readonly detail: string }[];
  /** Warnings of the server. */
  readonly notes: readonly string[];
}

export interface NodeVectorOptions {
  readonly baseUrl: URL;
  readonly connection?: ConnectionOptions;
  /** Deadline of each query; 10 s. */
  readonly callTimeoutMs?: number;
}

export interface NodeVectorDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

/** As the provider of figures: unknown instances are looked for again after so many reads. */
const RETRY_AFTER_READS = 10;

/** Reads whatever PromQL a caller has, over the provider's connection, with its mapping from instances to nodes. */
export class NodeVectorReader {
  readonly #transport: PrometheusTransport;
  /** By the label that is asked first: each has its own answers. */
  readonly #names = new Map<string, NodeNames>();

  /** @throws OperatorError as `ProviderConnection`. */
  constructor({ baseUrl, connection = {}, callTimeoutMs }: NodeVectorOptions, deps: NodeVectorDeps) {
    this.#transport = new PrometheusTransport(
      { baseUrl, ...(callTimeoutMs === undefined ? {} : { timeoutMs: callTimeoutMs }) },
      { ...deps, connection: new ProviderConnection(baseUrl, connection, deps) },
    );
  }

  get address(): string {
    return this.#transport.address;
  }

  /**
   * All queries at once, in their order; a failed one is a problem of its own. Info metrics are asked only where series
   * are explained by nothing else.
   * @throws the signal's reason.
   */
  async read(
    { queries, nodes }: { readonly queries: readonly NodeVectorQuery[]; readonly nodes: Iterable<Node> },
    signal: AbortSignal,
  ): Promise<readonly Result<NodeVector>[]> {
    const index = new NodeIndex(nodes);
    return await withSharedSignal(signal, async (shared) => {
      const answers = await Promise.all(queries.map(({ promql }) => this.#transport.query(promql, shared)));
      const named = await this.#nameSeries(queries, answers, { index, signal: shared });
      const vectors = answers.map((answer, position) =>
        answer.ok ? ok(this.#vectorOf(answer.value, named[position])) : answer,
      );
      const used = answers.reduce((sum, answer) => sum + (answer.ok ? answer.value.series.length : 0), 0);
      this.#transport.series.endRefresh(used);
      return vectors;
    });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** The nodes of each query's series, by the query's position; queries that name nodes alike are looked at together. */
  async #nameSeries(
    queries: readonly NodeVectorQuery[],
    answers: readonly Result<PrometheusAnswer>[],
    { index, signal }: { readonly index: NodeIndex; readonly signal: AbortSignal },
  ): Promise<readonly (SeriesNodes | undefined)[]> {
    const labels = [...new Set(queries.map(({ nodeLabel }) => nodeLabel))];
    const found = new Map<string | undefined, SeriesNodes>();
    const { series } = this.#transport;
    const labelsOf = (id: number) => series.labelsOf(id);
    const ask = (promql: string) => this.#transport.query(promql, signal);
    for (const nodeLabel of labels) {
      const alike = queries.flatMap((query, position) => {
        const answer = answers[position];
        return query.nodeLabel === nodeLabel && answer?.ok === true ? [{ query, answer: answer.value }] : [];
      });
      const expression = alike.map(({ query }) => `(${query.promql})`).join(' or ');
      const options = { matcher: '', nodeLabel, userQueries: {} };
      const nodes = await this.#namesFor(nodeLabel).resolve(
        alike.map(({ answer }) => answer),
        {
          index,
          labelsOf,
          generation: series.generation,
          askInfo: () => infoTables(expression, options, { ask, labelsOf, failures: [] }),
        },
      );
      found.set(nodeLabel, nodes);
    }
    return queries.map(({ nodeLabel }) => found.get(nodeLabel));
  }

  #vectorOf({ series, values, notes }: PrometheusAnswer, nodes: SeriesNodes | undefined): NodeVector {
    const samples: { node: string; value: number }[] = [];
    const unmatched: NodeVector['unmatched'][number][] = [];
    series.forEach((id, position) => {
      const node = nodes?.nodeOf(id);
      const resolution = nodes?.resolutions.get(id);
      if (node !== undefined) samples.push({ node, value: values[position] ?? Number.NaN });
      else if (resolution?.node === undefined && resolution !== undefined) {
        unmatched.push({ reason: resolution.reason, detail: resolution.detail });
      }
    });
    return { samples, unmatched, notes };
  }

  #namesFor(nodeLabel: string | undefined): NodeNames {
    const key = nodeLabel ?? '';
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const names = new NodeNames({ nodeLabel, retryAfterRefreshes: RETRY_AFTER_READS });
    this.#names.set(key, names);
    return names;
  }
}
