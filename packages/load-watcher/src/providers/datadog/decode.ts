import { ok, problem, type Result } from '@catamaran/model';
import type { Resource } from '../../core/figures/figure-rows.js';
import type { Absence } from '../../core/figures/figures.js';
import { errorTexts, type HostSeries, isMap, type Point } from '../hosted/reading.js';

export interface TimeseriesAnswer {
  readonly series: readonly HostSeries[];
  readonly absences: readonly Absence[];
  /** What the service says went wrong though it answered. */
  readonly errors: readonly string[];
}

/** What Datadog writes where a host lacks the tag by which series are grouped, and what agents write. */
const NO_VALUE = new Set(['', 'not-set', 'N/A']);

/**
 * Reads `{data: {attributes: {series: [{group_tags, query_index}], times: [ms], values: [[…]]}}, errors}`. The values of
 * series i are `values[i]`: lists of different lengths would shift them to other hosts, so such an answer is refused.
 * Nulls are gaps.
 *
 * @param resources those that were asked for, in the order of the queries.
 */
export function decodeTimeseries(body: unknown, resources: readonly Resource[]): Result<TimeseriesAnswer> {
  const errors = isMap(body) ? errorTexts(body.errors) : [];
  const told = errors.length === 0 ? '' : `: ${errors.join('; ')}`;
  const attributes = isMap(body) && isMap(body.data) ? body.data.attributes : undefined;
  if (!isMap(attributes)) return problem(`the answer has no data.attributes${told}`);
  const { series, times, values } = attributes;
  if (!Array.isArray(series)) return problem(`the answer has no series${told}`);
  if (series.length === 0) return ok({ series: [], absences: [], errors });
  if (!Array.isArray(times) || !Array.isArray(values))
    return problem(`the answer has no times and values${told}`);
  if (values.length !== series.length) {
    return problem(
      `${series.length} series but ${values.length} lists of values: nobody knows whose they are${told}`,
    );
  }
  const read: HostSeries[] = [];
  const absences: Absence[] = [];
  for (const [position, entry] of (series as readonly unknown[]).entries()) {
    const decoded = readSeries(entry, resources, { times, values: values[position] as unknown });
    if (typeof decoded === 'string') {
      const subject = `series ${position} of Datadog`;
      absences.push({ subject, metric: 'all', reason: 'malformed-item', detail: decoded });
    } else read.push(decoded);
  }
  return ok({ series: read, absences, errors });
}

function readSeries(
  entry: unknown,
  resources: readonly Resource[],
  data: { readonly times: readonly unknown[]; readonly values: unknown },
): HostSeries | string {
  if (!isMap(entry)) return 'it is no object';
  const resource = typeof entry.query_index === 'number' ? resources[entry.query_index] : undefined;
  if (resource === undefined)
    return `query_index ${JSON.stringify(entry.query_index)} is none of our queries`;
  const tags = Array.isArray(entry.group_tags) ? (entry.group_tags as readonly unknown[]) : [];
  const host = tagValue(tags, 'host');
  if (host === undefined) return `no tag host among ${JSON.stringify(tags).slice(0, 100)}`;
  if (!Array.isArray(data.values) || data.values.length !== data.times.length) {
    return `the host ${host} has not as many values as there are times`;
  }
  const points = pointsOf(data.times, data.values as readonly unknown[]);
  return { host, cluster: tagValue(tags, 'cluster_name'), resource, points };
}

/** The first value of a tag that is one; a value may hold colons. */
function tagValue(tags: readonly unknown[], key: string): string | undefined {
  for (const tag of tags) {
    if (typeof tag !== 'string' || !tag.startsWith(`${key}:`)) continue;
    const value = tag.slice(key.length + 1);
    if (!NO_VALUE.has(value)) return value;
  }
  return undefined;
}

function pointsOf(times: readonly unknown[], values: readonly unknown[]): readonly Point[] {
  const points: Point[] = [];
  for (const [position, value] of values.entries()) {
    if (value === null) continue;
    const time = times[position];
    const unixMs = typeof time === 'number' ? time : Number.NaN;
    points.push({ unixMs, percent: typeof value === 'number' ? value : Number.NaN });
  }
  return points;
}
