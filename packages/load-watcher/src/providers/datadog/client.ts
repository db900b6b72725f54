import type { Result } from '@catamaran/model';
import type { Resource } from '../../core/figures/figure-table.js';
import type { Absence } from '../../core/figures/figures.js';
import type { ApiClient } from '../hosted/api-client.js';
import type { HostedSource, HostReading, HostSeries, TimeSpan } from '../hosted/reading.js';
import { ProviderError, type ProviderErrorCode } from '../metrics-provider.js';
import { decodeTimeseries, type TimeseriesAnswer } from './decode.js';
import { DATADOG_NAMES, type DatadogFilter, timeseriesCall } from './query.js';

export interface DatadogOptions {
  readonly filter: DatadogFilter;
}

/** For so many refreshes after a refused call resources are asked for one by one. */
const APART_REFRESHES = 10;
const RESOURCES: readonly Resource[] = ['CPU', 'Memory'];

interface Asked {
  readonly resources: readonly Resource[];
  readonly answer: Result<TimeseriesAnswer>;
  readonly code: ProviderErrorCode;
  /** It was this call that was not accepted; the same for fewer resources may be. */
  readonly isOurs: boolean;
}

/**
 * Datadog. One call a refresh with a query for each resource, however many hosts there are. When it is refused, both
 * are asked for alone, so that the one that is at fault costs only its own figures.
 */
export class DatadogSource implements HostedSource {
  readonly name = 'Datadog';
  readonly figureNames = DATADOG_NAMES;
  readonly clusterOption = '--datadog-cluster-name';
  readonly #options: DatadogOptions;
  readonly #api: ApiClient;
  #apartFor = 0;

  constructor(options: DatadogOptions, api: ApiClient) {
    this.#options = options;
    this.#api = api;
  }

  async read(span: TimeSpan, signal: AbortSignal): Promise<HostReading> {
    const asked = await this.#ask(span, signal);
    const answered = new Set<Resource>();
    const reading: Collected = { series: [], absences: [], failures: [], warnings: [] };
    for (const { resources, answer } of asked) {
      if (answer.ok) this.#take(answer.value, resources, { reading, answered });
      else for (const resource of resources) fail(reading, resource, answer.problem);
    }
    const [first] = asked;
    if (answered.size === 0 && first !== undefined) {
      throw new ProviderError(first.code, reading.failures[0] ?? 'no query was answered');
    }
    return { ...reading, answered };
  }

  async close(): Promise<void> {
    await this.#api.close();
  }

  async #ask(span: TimeSpan, signal: AbortSignal): Promise<readonly Asked[]> {
    if (this.#apartFor === 0) {
      const together = await this.#askFor(RESOURCES, span, signal);
      if (!together.isOurs) return [together];
      this.#apartFor = APART_REFRESHES;
    }
    this.#apartFor -= 1;
    return Promise.all(RESOURCES.map((resource) => this.#askFor([resource], span, signal)));
  }

  async #askFor(resources: readonly Resource[], span: TimeSpan, signal: AbortSignal): Promise<Asked> {
    const answer = await this.#api.ask(timeseriesCall(resources, this.#options.filter, span), signal);
    if (!answer.ok) {
      const isOurs = answer.status === 400 || answer.status === 422;
      return { resources, answer, code: answer.code, isOurs };
    }
    const decoded = decodeTimeseries(answer.value, resources);
    return { resources, answer: decoded, code: 'bad-answer', isOurs: !decoded.ok };
  }

  /** With errors in the answer, a resource without series is not known to have none. */
  #take(
    { series, absences, errors }: TimeseriesAnswer,
    resources: readonly Resource[],
    into: { readonly reading: Collected; readonly answered: Set<Resource> },
  ): void {
    const { reading, answered } = into;
    const { clusterName } = this.#options.filter;
    const ours = series.filter(
      ({ cluster }) => cluster === undefined || clusterName === '' || cluster === clusterName,
    );
    reading.series.push(...ours);
    reading.absences.push(...absences);
    for (const resource of resources) {
      const isLost = errors.length > 0 && !series.some((entry) => entry.resource === resource);
      if (isLost) fail(reading, resource, errors.join('; '));
      else answered.add(resource);
    }
    for (const error of errors) reading.warnings.push(`Datadog: the answer is partial: ${error}`);
  }
}

interface Collected {
  readonly series: HostSeries[];
  readonly absences: Absence[];
  readonly failures: string[];
  readonly warnings: string[];
}

function fail(reading: Collected, resource: Resource, problem: string): void {
  reading.failures.push(`${resource}: ${problem}`);
  reading.absences.push({ subject: '*', metric: resource, reason: 'query-failed', detail: problem });
}
