import type { Resource } from '../../core/figures/figure-table.js';
import type { Labels } from '../../core/mapping/resolve-node.js';
import type { PrometheusAnswer } from './decode.js';
import type { SeriesNodes } from './node-names.js';
import type { ResourceReading } from './source-reader.js';

/** Marks what of an answer is a time; no exporter has a label of that name. */
const TIME_LABEL = 'catamaran_time';
/** Whose deviation also asks for the times: a further query would be one more. */
export const TIMED_WINDOW = '5m';

/** Times of samples by series, of one resource. */
export interface SampleTimes {
  readonly resource: Resource;
  readonly series: Int32Array;
  /** Milliseconds between each sample and the evaluation of the query, both by the server's clock. */
  readonly agesMs: Float64Array;
}

/** The query, and the times of samples in its answer. */
export function withSampleTime(promql: string, sampleTime: string | undefined): string {
  if (sampleTime === undefined) return promql;
  return `(${promql}) or label_replace(${sampleTime}, "${TIME_LABEL}", "1", "", "")`;
}

/** Parts the times from the figures. */
export function takeTimes(
  readings: readonly ResourceReading[],
  labelsOf: (series: number) => Labels,
): { readonly readings: readonly ResourceReading[]; readonly times: readonly SampleTimes[] } {
  const times: SampleTimes[] = [];
  const figures = readings.map((reading) => {
    const timed = reading.deviations.get(TIMED_WINDOW);
    if (timed?.ok !== true) return reading;
    const [before, after] = partition(timed.value, (series) => isTime(labelsOf(series)));
    const agesMs = after.values.map((seconds) => after.evaluatedMs - seconds * 1000);
    times.push({ resource: reading.resource, series: after.series, agesMs });
    const deviations = new Map(reading.deviations).set(TIMED_WINDOW, { ok: true, value: before });
    return { ...reading, deviations };
  });
  return { readings: figures, times };
}

export function isTime(labels: Labels): boolean {
  return labels[TIME_LABEL] !== undefined;
}

/** Ages of the newest samples, by resource and node. */
export function agesOf(
  readings: readonly ResourceReading[],
  times: readonly SampleTimes[],
  nodes: SeriesNodes,
): ReadonlyMap<Resource, ReadonlyMap<string, number>> {
  const told = new Map(times.map((of) => [of.resource, agesByNode(of, nodes)]));
  const ages = new Map<Resource, ReadonlyMap<string, number>>();
  for (const { resource, source } of readings) {
    const own = told.get(source.timedBy ?? resource);
    if (own !== undefined) ages.set(resource, own);
  }
  return ages;
}

function agesByNode({ series, agesMs }: SampleTimes, nodes: SeriesNodes): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (let position = 0; position < series.length; position += 1) {
    const node = nodes.nodeOf(series[position] ?? -1);
    const ageMs = agesMs[position] ?? Number.NaN;
    if (node === undefined || Number.isNaN(ageMs)) continue;
    ages.set(node, Math.min(ages.get(node) ?? ageMs, ageMs));
  }
  return ages;
}

function partition(
  answer: PrometheusAnswer,
  belongs: (series: number) => boolean,
): readonly [without: PrometheusAnswer, those: PrometheusAnswer] {
  const positions: [number[], number[]] = [[], []];
  for (let position = 0; position < answer.series.length; position += 1) {
    positions[belongs(answer.series[position] ?? -1) ? 1 : 0].push(position);
  }
  const [without, those] = positions;
  return [part(answer, without), part(answer, those)];
}

function part(answer: PrometheusAnswer, positions: readonly number[]): PrometheusAnswer {
  const series = new Int32Array(positions.length);
  const values = new Float64Array(positions.length);
  for (const [to, from] of positions.entries()) {
    series[to] = answer.series[from] ?? -1;
    values[to] = answer.values[from] ?? Number.NaN;
  }
  return { ...answer, series, values };
}
