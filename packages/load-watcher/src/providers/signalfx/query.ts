import type { FigureNames, Resource } from '../../core/figures/figure-rows.js';
import type { TimeSpan } from '../hosted/reading.js';

export interface SignalFxFilter {
  /** Only hosts whose name ends so; may be empty. */
  readonly hostNameSuffix: string;
  /** Only hosts of this cluster, `*` for any; may be empty, which asks for no cluster at all. */
  readonly clusterName: string;
}

const METRICS: Readonly<Record<Resource, string>> = { CPU: 'cpu.utilization', Memory: 'memory.utilization' };

/** One point a minute: of the resolutions the service keeps, the one of its metrics. */
const RESOLUTION_MS = 60_000;
/** The most that one page of metadata may hold, and the most series that one window answer holds. */
export const MAX_SERIES = 10_000;

/** Names under which the Go service publishes the figures. */
export const SIGNALFX_NAMES: FigureNames = {
  names: { CPU: metricFilter('CPU'), Memory: metricFilter('Memory') },
  rollup: '',
  duplicateRemedy: 'narrow the hosts with --signalfx-cluster-name or --signalfx-host-name-suffix',
};

/** The search for the series of one resource: `host:*.example AND cluster:blue AND sf_metric:"cpu.utilization"`. */
export function filterText(resource: Resource, { hostNameSuffix, clusterName }: SignalFxFilter): string {
  const cluster = clusterName === '' ? [] : [`cluster:${quoted(clusterName)}`];
  return [`host:*${hostNameSuffix}`, ...cluster, metricFilter(resource)].join(' AND ');
}

/** The points of all hosts in a span of time. */
export function windowPath(resource: Resource, filter: SignalFxFilter, { startMs, endMs }: TimeSpan): string {
  const parameters = new URLSearchParams({
    endMs: String(endMs),
    query: filterText(resource, filter),
    resolution: String(RESOLUTION_MS),
    startMs: String(startMs),
  });
  return `/v1/timeserieswindow?${parameters.toString()}`;
}

/** A page of what the service knows about these series; the first page is asked for without an offset. */
export function metadataPath(
  resource: Resource,
  filter: SignalFxFilter,
  page: { readonly limit: number; readonly offset: number },
): string {
  const parameters = new URLSearchParams({
    limit: String(page.limit),
    ...(page.offset === 0 ? {} : { offset: String(page.offset) }),
    query: filterText(resource, filter),
  });
  return `/v2/metrictimeseries?${parameters.toString()}`;
}

function metricFilter(resource: Resource): string {
  return `sf_metric:"${METRICS[resource]}"`;
}

/** Values with other characters than these are to be quoted. */
function quoted(value: string): string {
  return /^[\w.*-]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
