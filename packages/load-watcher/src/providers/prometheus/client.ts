import type { Resource } from '../../core/figures/figure-table.js';
import type { ProviderFetch } from '../../core/figures/figures.js';
import type { NodeSource } from '../../nodes/node-catalogue.js';
import { LastNodes } from '../last-nodes.js';
import { LastOutcome } from '../last-outcome.js';
import { type MetricsProvider, ProviderError, type ProviderHealth } from '../metrics-provider.js';
import { EvaluationTime, standingStill } from './evaluation-time.js';
import { askInfoMetrics } from './info-metrics.js';
import { missingNodes } from './missing-nodes.js';
import { NameHistory } from './name-history.js';
import { NodeNames, rulesByNode } from './node-names.js';
import { type OutdatedContext, OutdatedSeries } from './outdated-series.js';
import { figureSources, type QueryOptions } from './query.js';
import { notesOf, partialNote, reportQueries, unresolvedSeries, warningsOf } from './query-report.js';
import { agesOf, takeTimes } from './sample-times.js';
import { SourceReader } from './source-reader.js';
import type { PrometheusTransport } from './transport.js';
import { answersOf, windowsOf } from './windows.js';

export interface PrometheusProviderDeps {
  readonly transport: PrometheusTransport;
  /** The nodes of the cluster; without it names are taken from labels as they come. */
  readonly nodes?: NodeSource;
}

/** Fallbacks, unknown instances: for so many refreshes what was found is good before it is looked for again. */
const RETRY_AFTER_REFRESHES = 10;

const NO_FIGURES =
  'the queries are answered, but never with a figure of a node: are node exporters scraped, and do their labels name the nodes? See /debug/nodes';

/**
 * Prometheus and whatever speaks its query API. Twelve queries a refresh, all in parallel, however many nodes there
 * are; more only while sources are looked for or unknown instances turn up.
 */
export class PrometheusProvider implements MetricsProvider {
  readonly source = 'Prometheus';
  readonly #options: QueryOptions;
  readonly #deps: PrometheusProviderDeps;
  readonly #readers: readonly SourceReader[];
  readonly #names: NodeNames;
  readonly #history = new NameHistory();
  readonly #evaluation = new EvaluationTime();
  readonly #nodes: LastNodes;
  readonly #outcome = new LastOutcome({ notAsked: 'no query was answered yet', noFigures: NO_FIGURES });

  constructor(options: QueryOptions, deps: PrometheusProviderDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#nodes = new LastNodes(deps.nodes);
    this.#readers = (['CPU', 'Memory'] as const).map(
      (resource) =>
        new SourceReader({
          resource,
          sources: figureSources(resource, options),
          retryAfterRefreshes: RETRY_AFTER_REFRESHES,
        }),
    );
    this.#names = new NodeNames({ nodeLabel: options.nodeLabel, retryAfterRefreshes: RETRY_AFTER_REFRESHES });
  }

  async fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch> {
    return await this.#outcome.of(signal, (shared) => this.#fetch(nowMs, shared));
  }

  async #fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch> {
    const { transport } = this.#deps;
    const failures: string[] = [];
    const ask = (promql: string) => transport.query(promql, signal);
    const labelsOf = (series: number) => transport.series.labelsOf(series);
    const [answers] = await Promise.all([
      Promise.all(this.#readers.map((reader) => reader.read(ask))),
      this.#nodes.renew(failures, signal),
    ]);
    const { readings, times } = takeTimes(answers, labelsOf);
    const report = reportQueries(readings);
    if (report.answered === 0) {
      throw new ProviderError('unreachable', report.failures[0] ?? 'no query was answered');
    }
    const { generation } = transport.series;
    const askInfo = () => askInfoMetrics(readings, this.#options, { ask, labelsOf, failures });
    const index = this.#nodes.list?.index;
    const names = { index, labelsOf, generation, askInfo };
    const nodes = await this.#names.resolve([...answersOf(readings), ...times], names);
    const history = { readings, nodes, list: this.#nodes.list, nowMs, ask, failures };
    const replacedAtMs = await this.#history.replacedAtMs(history);
    const ages = agesOf(readings, times, nodes);
    const asOfMs = this.#evaluation.asOfMs(readings, nowMs);
    const context = { readings, nodes, ages, replacedAtMs, nowMs };
    const { windows, absences } = await this.#windows(context, asOfMs);
    const still = standingStill(asOfMs, nowMs);
    const unresolved = unresolvedSeries(nodes, labelsOf);
    transport.series.endRefresh(nodes.resolutions.size);
    return {
      windows,
      absences: [...(this.#nodes.list?.malformed ?? []), ...absences, ...report.absences, ...unresolved],
      failures: [...report.failures, ...failures],
      warnings: [...warningsOf(readings), ...(still === undefined ? [] : [still])],
      notes: notesOf(readings, nowMs),
      matchedBy: () => rulesByNode(nodes),
    };
  }

  async #windows(context: OutdatedContext, asOfMs: number) {
    const outdated = new OutdatedSeries(context);
    const { windows, absences, has } = await windowsOf({ ...context, outdated, asOfMs });
    const partial = (resource: Resource) => partialNote(context.readings, resource);
    const missing = missingNodes(this.#nodes.list, { has, partial });
    return { windows, absences: [...absences, ...outdated.absences(), ...missing] };
  }

  /** A server that is up and answers none of the queries, or has never had a figure, is of no use: unhealthy too. */
  async health(signal: AbortSignal): Promise<ProviderHealth> {
    const probe = await this.#deps.transport.probe(signal);
    const reason = probe.ok ? this.#outcome.trouble : probe.problem;
    return { healthy: reason === undefined, reason: reason ?? '' };
  }

  async close(): Promise<void> {
    await Promise.all([this.#deps.transport.close(), this.#nodes.close()]);
  }
}
