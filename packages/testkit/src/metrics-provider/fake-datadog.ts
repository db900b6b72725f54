import {
  FakeService,
  fitsWildcard,
  type HostMeasurement,
  type ServiceReply,
  type ServiceRequest,
} from './fake-service.js';

const METRIC = { 'cpu.utilization': 'CPU', 'memory.utilization': 'Memory' } as const;
const QUERY = /^max:([\w.]+)\{([^}]*)\} by \{([\w,]+)\}\.rollup\(max, 60\)$/;
const PERCENT = {
  family: 'percentage',
  id: 17,
  name: 'percent',
  plural: 'percent',
  scale_factor: 1,
  short_name: '%',
};

interface Attributes {
  readonly from: number;
  readonly to: number;
  readonly interval: number;
  readonly queries: readonly {
    readonly data_source: string;
    readonly name: string;
    readonly query: string;
  }[];
}

/** A server that answers Datadog's `POST /api/v2/query/timeseries` as its public reference documents it. */
export class FakeDatadog extends FakeService {
  apiKey = 'sesame';
  appKey = 'open';
  measurements: readonly HostMeasurement[] = [];
  /** Metrics that it does not know, so that a call which names one is refused. */
  unknownMetrics: readonly string[] = [];
  /** Requests left in the period, as every answer tells. */
  remaining = 1_599;

  constructor() {
    super((request) => this.#answer(request));
  }

  static async start(): Promise<FakeDatadog> {
    const fake = new FakeDatadog();
    await fake.listen();
    return fake;
  }

  #answer(request: ServiceRequest): ServiceReply {
    const { headers } = request;
    if (headers['dd-api-key'] !== this.apiKey || headers['dd-application-key'] !== this.appKey) {
      return { status: 403, body: { errors: ['Forbidden'] } };
    }
    if (request.path !== '/api/v2/query/timeseries' || request.method !== 'POST') {
      return { status: 404, body: { errors: ['Not found'] } };
    }
    const { data } = JSON.parse(request.body) as { data: { type: string; attributes: Attributes } };
    const queries = data.attributes.queries.map(({ query }) => QUERY.exec(query));
    const isUnknown = queries.some((query) => query === null || this.unknownMetrics.includes(query[1] ?? ''));
    if (data.type !== 'timeseries_request' || isUnknown) {
      return { status: 400, body: { errors: ['Invalid query'] }, headers: this.#limits() };
    }
    const attributes = this.#evaluate(data.attributes, queries);
    const body = { data: { id: '0', type: 'timeseries_response', attributes } };
    return { status: 200, body, headers: this.#limits() };
  }

  #evaluate(
    { from, to, interval }: Attributes,
    queries: readonly (RegExpExecArray | null)[],
  ): { readonly series: object[]; readonly times: number[]; readonly values: (number | null)[][] } {
    const times: number[] = [];
    for (let at = Math.ceil(from / interval) * interval; at <= to; at += interval) times.push(at);
    const series: object[] = [];
    const values: (number | null)[][] = [];
    for (const [index, query] of queries.entries()) {
      for (const [tags, group] of this.#groups(query)) {
        series.push({ group_tags: tags.split('\n'), query_index: index, unit: [PERCENT, null] });
        values.push(times.map((at) => highest(group, at, interval)));
      }
    }
    return series.length === 0 ? { series: [], times: [], values: [] } : { series, times, values };
  }

  #groups(query: RegExpExecArray | null): ReadonlyMap<string, readonly HostMeasurement[]> {
    const [, metric = '', filter = '', by = ''] = query ?? [];
    const wanted = new Map(filter.split(', ').map((term) => term.split(':', 2) as [string, string]));
    const groups = new Map<string, HostMeasurement[]>();
    for (const measurement of this.measurements) {
      const { host, cluster = 'N/A', resource } = measurement;
      if (METRIC[metric as keyof typeof METRIC] !== resource) continue;
      if (!fitsWildcard(host, wanted.get('host') ?? '*')) continue;
      if (!fitsWildcard(cluster, wanted.get('cluster_name') ?? '*')) continue;
      const tags = by.includes('cluster_name') ? `cluster_name:${cluster}\nhost:${host}` : `host:${host}`;
      groups.set(tags, [...(groups.get(tags) ?? []), measurement]);
    }
    return groups;
  }

  #limits(): Readonly<Record<string, string>> {
    return {
      'X-RateLimit-Limit': '1600',
      'X-RateLimit-Period': '3600',
      'X-RateLimit-Remaining': String(this.remaining),
      'X-RateLimit-Reset': '1800',
      'X-RateLimit-Name': 'timeseries_query',
    };
  }
}

/** Of all points in a bucket; null where there is none. */
function highest(group: readonly HostMeasurement[], atMs: number, intervalMs: number): number | null {
  const values = group.flatMap(({ points }) =>
    points
      .filter(([unixMs, value]) => value !== null && unixMs >= atMs && unixMs < atMs + intervalMs)
      .map(([, value]) => value as number),
  );
  return values.length === 0 ? null : Math.max(...values);
}
