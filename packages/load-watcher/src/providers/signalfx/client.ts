import type { Resource } from '../../core/figures/figure-table.js';
import type { Absence } from '../../core/figures/figures.js';
import type { ApiAnswer, ApiClient } from '../hosted/api-client.js';
import type { HostedSource, HostReading, HostSeries, TimeSpan } from '../hosted/reading.js';
import { ProviderError, type ProviderErrorCode } from '../metrics-provider.js';
import { decodeMetadata, decodeWindow, type HostOfSeries, type WindowAnswer } from './decode.js';
import { MAX_SERIES, metadataPath, SIGNALFX_NAMES, type SignalFxFilter, windowPath } from './query.js';

export interface SignalFxOptions {
  readonly filter: SignalFxFilter;
  /** Entries of a page of metadata; 10,000, the most there are. */
  readonly pageSize?: number;
}

/** Beyond so many pages of metadata the search is not narrow enough. */
const MAX_PAGES = 10;

/** What became of one resource. */
interface ResourceReading {
  readonly resource: Resource;
  /** Undefined when it could not be read. */
  readonly series: readonly HostSeries[] | undefined;
  readonly code: ProviderErrorCode;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
  readonly absences: readonly Absence[];
}

type Notes = { readonly failures: string[]; readonly warnings: string[]; readonly absences: Absence[] };

/**
 * SignalFx (Splunk Observability). Four calls a refresh however many hosts there are, all in parallel: for each resource
 * the points of the window and what hosts the series belong to; further pages only beyond 10,000 series.
 */
export class SignalFxSource implements HostedSource {
  readonly name = 'SignalFx';
  readonly figureNames = SIGNALFX_NAMES;
  readonly clusterOption = '--signalfx-cluster-name';
  readonly #options: SignalFxOptions;
  readonly #api: ApiClient;
  /** The hosts of the series as last told: a series never changes its host. */
  readonly #hosts: Record<Resource, ReadonlyMap<string, HostOfSeries>> = {
    CPU: new Map(),
    Memory: new Map(),
  };

  constructor(options: SignalFxOptions, api: ApiClient) {
    this.#options = options;
    this.#api = api;
  }

  async read(span: TimeSpan, signal: AbortSignal): Promise<HostReading> {
    const readings = await Promise.all(
      (['CPU', 'Memory'] as const).map((resource) => this.#readResource(resource, span, signal)),
    );
    const answered = readings.filter(({ series }) => series !== undefined);
    const [first] = readings;
    if (answered.length === 0 && first !== undefined) {
      throw new ProviderError(first.code, first.failures[0] ?? 'no query was answered');
    }
    return {
      series: answered.flatMap(({ series = [] }) => series),
      answered: new Set(answered.map(({ resource }) => resource)),
      absences: readings.flatMap(({ absences }) => absences),
      failures: readings.flatMap(({ failures }) => failures),
      warnings: readings.flatMap(({ warnings }) => warnings),
    };
  }

  async close(): Promise<void> {
    await this.#api.close();
  }

  async #readResource(resource: Resource, span: TimeSpan, signal: AbortSignal): Promise<ResourceReading> {
    const notes: Notes = { failures: [], warnings: [], absences: [] };
    const [answer] = await Promise.all([
      this.#api.ask({ path: windowPath(resource, this.#options.filter, span) }, signal),
      this.#readHosts(resource, notes, signal),
    ]);
    const decoded = answer.ok ? decodeWindow(answer.value) : answer;
    if (!decoded.ok) notes.failures.unshift(`${resource}: ${decoded.problem}`);
    // Without a single host there are only ids of series, which tell nothing when the question for hosts failed.
    const isLost = !decoded.ok || (this.#hosts[resource].size === 0 && notes.failures.length > 0);
    if (isLost) {
      const detail = notes.failures[0] ?? 'no answer';
      notes.absences.push({ subject: '*', metric: resource, reason: 'query-failed', detail });
      return { resource, series: undefined, code: codeOf(answer), ...notes };
    }
    return { resource, series: this.#join(resource, decoded.value, notes), code: codeOf(answer), ...notes };
  }

  #join(resource: Resource, answer: WindowAnswer, notes: Notes): readonly HostSeries[] {
    const { clusterName } = this.#options.filter;
    for (const error of answer.errors) notes.warnings.push(`${resource}: the answer is partial: ${error}`);
    if (answer.points.size >= MAX_SERIES) {
      notes.warnings.push(
        `${resource}: ${answer.points.size} series, the most the service gives: some hosts may be missing; narrow them by suffix or cluster`,
      );
    }
    for (const id of answer.malformed)
      notes.absences.push(malformed(resource, `series ${id}`, 'it is no list of points'));
    const series: HostSeries[] = [];
    for (const [id, points] of answer.points) {
      const known = this.#hosts[resource].get(id);
      if (known === undefined) {
        const detail = 'the service tells no host for this series';
        notes.absences.push({ subject: id, metric: resource, reason: 'unmatched-instance', detail });
      } else if (isOfCluster(known.cluster, clusterName)) series.push({ ...known, resource, points });
    }
    return series;
  }

  /** Reads all pages. What a page that fails would have told stays as it was last told. */
  async #readHosts(resource: Resource, notes: Notes, signal: AbortSignal): Promise<void> {
    const limit = this.#options.pageSize ?? MAX_SERIES;
    const hosts = new Map<string, HostOfSeries>();
    let isWhole = false;
    let pages = 0;
    for (let page = 0, offset = 0; page < MAX_PAGES && !isWhole; page += 1, pages = page) {
      const path = metadataPath(resource, this.#options.filter, { limit, offset });
      const answer = await this.#api.ask({ path }, signal);
      const decoded = answer.ok ? decodeMetadata(answer.value) : answer;
      if (!decoded.ok) {
        notes.failures.push(`${resource}, hosts of the series: ${decoded.problem}`);
        break;
      }
      const { hosts: told, returned, total, malformed: bad } = decoded.value;
      if (page > 0 && returned > 0 && [...told.keys()].every((id) => hosts.has(id))) {
        notes.warnings.push(`${resource}: page ${page + 1} of the series says nothing new; no more are read`);
        break;
      }
      for (const [id, host] of told) hosts.set(id, host);
      for (const detail of bad) notes.absences.push(malformed(resource, 'metadata of SignalFx', detail));
      offset += returned;
      isWhole = returned === 0 || (total === undefined ? returned < limit : offset >= total);
    }
    if (!isWhole && pages === MAX_PAGES) {
      notes.warnings.push(
        `${resource}: more than ${MAX_PAGES} pages of series; narrow them by suffix or cluster`,
      );
    }
    this.#hosts[resource] = isWhole ? hosts : new Map([...this.#hosts[resource], ...hosts]);
  }
}

/** A service that did not filter must not mix clusters; where it names none, its own filter is believed. */
function isOfCluster(cluster: string | undefined, wanted: string): boolean {
  return cluster === undefined || wanted === '' || wanted.includes('*') || cluster === wanted;
}

function codeOf(answer: ApiAnswer): ProviderErrorCode {
  return answer.ok ? 'bad-answer' : answer.code;
}

function malformed(metric: Resource, subject: string, detail: string): Absence {
  return { subject, metric, reason: 'malformed-item', detail };
}
