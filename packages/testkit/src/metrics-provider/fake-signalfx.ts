import {
  FakeService,
  fitsWildcard,
  type HostMeasurement,
  type ServiceReply,
  type ServiceRequest,
} from './fake-service.js';

const METRIC = { CPU: 'cpu.utilization', Memory: 'memory.utilization' } as const;
/** The service's own cap, of a page and of a window answer. */
const MOST_SERIES = 10_000;

/**
 * A server that answers the two calls of SignalFx as its public reference documents them: `GET /v1/timeserieswindow` and
 * `GET /v2/metrictimeseries`, with searches of the form `host:*x AND cluster:y AND sf_metric:"z"`.
 */
export class FakeSignalFx extends FakeService {
  token = 'sesame';
  measurements: readonly HostMeasurement[] = [];
  /** What it says went wrong though it answers. */
  errors: readonly string[] = [];
  /** It has not counted all series. */
  partialCount = false;

  constructor() {
    super((request) => this.#answer(request));
  }

  static async start(): Promise<FakeSignalFx> {
    const fake = new FakeSignalFx();
    await fake.listen();
    return fake;
  }

  /** Ids as the service makes them: the same for a host and metric, whoever asks. */
  idOf({ host, cluster = '', resource }: HostMeasurement): string {
    return `${resource === 'CPU' ? 'C' : 'M'}${Buffer.from(`${host}|${cluster}`).toString('base64url')}`;
  }

  #answer({ headers, path, query }: ServiceRequest): ServiceReply {
    if (headers['x-sf-token'] !== this.token) {
      return { status: 401, body: { code: 401, message: 'Unauthorized' } };
    }
    const found = this.#search(query.get('query') ?? '');
    if (path === '/v1/timeserieswindow') return this.#window(found, query);
    if (path === '/v2/metrictimeseries') return this.#metadata(found, query);
    return { status: 404, body: { code: 404, message: 'Not Found' } };
  }

  #window(found: readonly HostMeasurement[], query: URLSearchParams): ServiceReply {
    const [startMs, endMs] = [Number(query.get('startMs')), Number(query.get('endMs'))];
    if (!(startMs < endMs) || query.get('resolution') !== '60000') {
      return { status: 400, body: { code: 400, message: 'Invalid time range or resolution' } };
    }
    const data = Object.fromEntries(
      found
        .slice(0, MOST_SERIES)
        .map((entry) => [
          this.idOf(entry),
          entry.points.filter(([unixMs]) => unixMs >= startMs && unixMs <= endMs),
        ]),
    );
    return { status: 200, body: { data, errors: this.errors } };
  }

  #metadata(found: readonly HostMeasurement[], query: URLSearchParams): ServiceReply {
    const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 0)];
    if (limit > MOST_SERIES) return { status: 400, body: { code: 400, message: 'limit exceeds 10000' } };
    const results = found.slice(offset, offset + limit).map((entry) => ({
      active: true,
      created: 1_700_000_000_000,
      creator: null,
      customProperties: {},
      dimensions: { host: entry.host, ...(entry.cluster === undefined ? {} : { cluster: entry.cluster }) },
      id: this.idOf(entry),
      lastUpdated: 1_700_000_000_000,
      lastUpdatedBy: null,
      metric: METRIC[entry.resource],
      tags: [],
      type: 'GAUGE',
    }));
    const { partialCount } = this;
    return { status: 200, body: { count: partialCount ? limit : found.length, partialCount, results } };
  }

  #search(text: string): readonly HostMeasurement[] {
    const terms = new Map(
      text.split(' AND ').map((term) => {
        const [key = '', value = ''] = term.split(/:(.*)/);
        return [key, value.replaceAll(/^"|"$/g, '')];
      }),
    );
    return this.measurements.filter(
      ({ host, cluster = '', resource }) =>
        METRIC[resource] === terms.get('sf_metric') &&
        fitsWildcard(host, terms.get('host') ?? '*') &&
        fitsWildcard(cluster, terms.get('cluster') ?? '*'),
    );
  }
}
