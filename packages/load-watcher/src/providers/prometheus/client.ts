import type { Absence, ProviderFetch } from '../../core/figures/figures.js';
import { type InfoTables, NO_INFO, type Resolution } from '../../core/mapping/resolve-node.js';
import { withSharedSignal } from '../../deadline.js';
import type { NodeList, NodeSource } from '../../nodes/node-catalogue.js';
import { type MetricsProvider, ProviderError, type ProviderHealth } from '../metrics-provider.js';
import { missingNodes } from './missing-nodes.js';
import { NodeNames } from './node-names.js';
import { figureSources, infoQueries, type QueryOptions } from './query.js';
import { type ResourceReading, SourceReader } from './source-reader.js';
import type { PrometheusTransport } from './transport.js';
import { samplesOf, windowsOf } from './windows.js';

export interface PrometheusProviderDeps {
  readonly transport: PrometheusTransport;
  /** The nodes of the cluster; without it names are taken from labels as they come. */
  readonly nodes?: NodeSource;
}

/** Fallbacks, unknown instances: how long what was found is good before it is looked for again. */
const RETRY_AFTER_MS = 600_000;

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
  #nodes: NodeList | undefined;

  constructor(options: QueryOptions, deps: PrometheusProviderDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#readers = (['CPU', 'Memory'] as const).map(
      (resource) =>
        new SourceReader({
          resource,
          sources: figureSources(resource, options),
          retryAfterMs: RETRY_AFTER_MS,
        }),
    );
    this.#names = new NodeNames({ nodeLabel: options.nodeLabel, retryAfterMs: RETRY_AFTER_MS });
  }

  fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch> {
    return withSharedSignal(signal, (shared) => this.#fetch(nowMs, shared));
  }

  async #fetch(nowMs: number, signal: AbortSignal): Promise<ProviderFetch> {
    const failures: string[] = [];
    const ask = (promql: string) => this.#deps.transport.query(promql, signal);
    const [readings] = await Promise.all([
      Promise.all(this.#readers.map((reader) => reader.read(ask, nowMs))),
      this.#listNodes(failures, signal),
    ]);
    const queries = failedQueries(readings);
    if (queries.answered === 0)
      throw new ProviderError('unreachable', queries.failures[0] ?? 'no query was answered');
    failures.push(...queries.failures);
    const resolutions = await this.#names.resolve(samplesOf(readings), {
      index: this.#nodes?.index,
      nowMs,
      askInfo: () => this.#askInfo(readings, failures, signal),
    });
    const { windows, absences } = windowsOf({
      readings,
      resolutionOf: (labels) => resolutions.get(this.#names.keyOf(labels)),
      nowMs,
    });
    return {
      windows,
      absences: [
        ...absences,
        ...queries.absences,
        ...unresolved(resolutions),
        ...missingNodes(windows, this.#nodes),
      ],
      failures,
      notes: notesOf(readings),
    };
  }

  async health(signal: AbortSignal): Promise<ProviderHealth> {
    const probe = await this.#deps.transport.probe(signal);
    return probe.ok ? { healthy: true, reason: '' } : { healthy: false, reason: probe.problem };
  }

  async close(): Promise<void> {
    await this.#deps.transport.close();
  }

  /** A failed list costs nothing but freshness: the last one stands. */
  async #listNodes(failures: string[], signal: AbortSignal): Promise<void> {
    try {
      this.#nodes = (await this.#deps.nodes?.list(signal)) ?? this.#nodes;
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`listing the nodes: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #askInfo(
    readings: readonly ResourceReading[],
    failures: string[],
    signal: AbortSignal,
  ): Promise<InfoTables> {
    const series = readings[0]?.source.average('5m');
    if (series === undefined) return NO_INFO;
    const queries = infoQueries(series, this.#options);
    const ask = async (promql: string, key: (labels: Record<string, string>) => string, value: string) => {
      const answer = await this.#deps.transport.query(promql, signal);
      const table = new Map<string, Set<string>>();
      if (!answer.ok) failures.push(`mapping query ${promql}: ${answer.problem}`);
      for (const { labels } of answer.ok ? answer.value.samples : []) {
        const name = labels[value];
        const id = key(labels);
        if (name === undefined || name === '' || id === '') continue;
        table.set(id, (table.get(id) ?? new Set()).add(name));
      }
      return table;
    };
    const [nodesByPod, nodesByIp, hostnamesByInstance] = await Promise.all([
      ask(queries.pod, ({ namespace = '', pod = '' }) => (pod === '' ? '' : `${namespace}/${pod}`), 'node'),
      ask(queries.ip, (labels) => labels.internal_ip ?? '', 'node'),
      ask(queries.hostname, (labels) => labels.instance ?? '', 'nodename'),
    ]);
    return { nodesByPod, nodesByIp, hostnamesByInstance };
  }
}

function failedQueries(readings: readonly ResourceReading[]): {
  readonly answered: number;
  readonly failures: readonly string[];
  readonly absences: readonly Absence[];
} {
  let answered = 0;
  const failures: string[] = [];
  const absences: Absence[] = [];
  for (const { resource, source, averages, deviations } of readings) {
    for (const [statistic, answers] of [
      ['AVG', averages],
      ['STD', deviations],
    ] as const) {
      for (const [window, answer] of answers) {
        if (answer.ok) {
          answered += 1;
          continue;
        }
        const promql = statistic === 'AVG' ? source.average(window) : source.deviation(window);
        failures.push(`${resource} ${statistic} ${window}: ${answer.problem}; query: ${promql}`);
        absences.push({
          subject: '*',
          metric: resource,
          reason: 'query-failed',
          detail: `${statistic} of ${window}: ${answer.problem}`,
        });
      }
    }
  }
  return { answered, failures, absences };
}

function unresolved(resolutions: ReadonlyMap<string, Resolution>): Absence[] {
  const absences: Absence[] = [];
  for (const [key, resolution] of resolutions) {
    if (resolution.node !== undefined) continue;
    const subject = key.split('\n')[0] ?? '';
    absences.push({ subject, metric: 'all', reason: resolution.reason, detail: resolution.detail });
  }
  return absences;
}

function notesOf(readings: readonly ResourceReading[]): readonly string[] {
  const notes = new Set<string>();
  for (const { resource, source, tried, averages, deviations } of readings) {
    const answers = [...averages.values(), ...deviations.values()];
    const seen = answers.some((answer) => answer.ok && answer.value.samples.length > 0);
    notes.add(
      seen ? `${resource} is read from ${source.name}` : `${resource}: 0 series, tried ${tried.join('; ')}`,
    );
    for (const answer of answers) {
      if (answer.ok) for (const note of answer.value.notes) notes.add(note);
    }
  }
  return [...notes];
}
