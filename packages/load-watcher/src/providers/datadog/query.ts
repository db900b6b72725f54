import type { FigureNames, Resource } from '../../core/figures/figure-rows.js';
import type { ApiCall } from '../hosted/api-client.js';
import type { TimeSpan } from '../hosted/reading.js';

export interface DatadogFilter {
  /** Only hosts whose name ends so; may be empty. */
  readonly hostNameSuffix: string;
  /** Only hosts with this tag `cluster_name`; may be empty, then each host is told apart by cluster. */
  readonly clusterName: string;
}

const METRICS: Readonly<Record<Resource, string>> = {
  CPU: 'max:cpu.utilization',
  Memory: 'max:memory.utilization',
};
const QUERY_NAMES: Readonly<Record<Resource, string>> = { CPU: 'cpuqueryname', Memory: 'memoryqueryname' };
const ROLLUP = 'rollup(max, 60)';
/** One point a minute. */
const INTERVAL_MS = 60_000;

/** Names under which the Go service publishes the figures. */
export const DATADOG_NAMES: FigureNames = {
  names: METRICS,
  rollup: ROLLUP,
  duplicateRemedy: 'narrow the hosts with --datadog-cluster-name or --datadog-host-name-suffix',
};

/** One query of a resource for all hosts. */
export function queryText(resource: Resource, { hostNameSuffix, clusterName }: DatadogFilter): string {
  const filter = `host:*${hostNameSuffix}${clusterName === '' ? '' : `, cluster_name:${clusterName}`}`;
  const by = clusterName === '' ? 'host,cluster_name' : 'host';
  return `${METRICS[resource]}{${filter}} by {${by}}.${ROLLUP}`;
}

/** One call for the points of these resources; series of the answer tell the position of theirs. */
export function timeseriesCall(
  resources: readonly Resource[],
  filter: DatadogFilter,
  { startMs, endMs }: TimeSpan,
): ApiCall {
  const queries = resources.map((resource) => ({
    data_source: 'metrics',
    name: QUERY_NAMES[resource],
    query: queryText(resource, filter),
  }));
  const attributes = { from: startMs, to: endMs, interval: INTERVAL_MS, queries };
  return { path: '/api/v2/query/timeseries', body: { data: { type: 'timeseries_request', attributes } } };
}
