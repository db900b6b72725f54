import { WINDOW_DURATIONS, WINDOW_SECONDS, type WindowDuration } from '@catamaran/model';
import { FigureTable, type Statistic } from '../../core/figures/figure-table.js';
import type { Absence, WindowFigures } from '../../core/figures/figures.js';
import type { Labels, Resolution } from '../../core/mapping/resolve-node.js';
import type { PrometheusAnswer, PrometheusSample } from './decode.js';
import { METRIC_NAMES } from './query.js';
import type { ResourceReading } from './source-reader.js';

export interface WindowContext {
  readonly readings: readonly ResourceReading[];
  readonly resolutionOf: (labels: Labels) => Resolution | undefined;
  readonly nowMs: number;
}

export interface DecodedWindows {
  readonly windows: readonly WindowFigures[];
  readonly absences: readonly Absence[];
}

/** Puts the answers of all queries into one table per window. */
export function windowsOf(context: WindowContext): DecodedWindows {
  const absences: Absence[] = [];
  const windows = WINDOW_DURATIONS.map((duration) => windowOf(duration, context, absences));
  return { windows, absences };
}

function windowOf(duration: WindowDuration, context: WindowContext, absences: Absence[]): WindowFigures {
  const table = new FigureTable();
  let complete = true;
  for (const reading of context.readings) {
    const average = reading.averages.get(duration);
    complete &&= average?.ok === true;
    if (average?.ok === true) addAll(table, { reading, statistic: 'AVG', answer: average.value }, context);
    const deviation = reading.deviations.get(duration);
    if (deviation?.ok === true)
      addAll(table, { reading, statistic: 'STD', answer: deviation.value }, context);
  }
  const endUnixSeconds = Math.floor(context.nowMs / 1000);
  absences.push(...table.absences);
  return {
    duration,
    startUnixSeconds: endUnixSeconds - WINDOW_SECONDS[duration],
    endUnixSeconds,
    complete,
    nodes: table.build({ names: METRIC_NAMES, rollup: duration }),
  };
}

function addAll(
  table: FigureTable,
  read: {
    readonly reading: ResourceReading;
    readonly statistic: Statistic;
    readonly answer: PrometheusAnswer;
  },
  context: WindowContext,
): void {
  const { resource, source } = read.reading;
  const factor = source.unit === 'ratio' ? 100 : 1;
  for (const sample of read.answer.samples) {
    const node = context.resolutionOf(sample.labels)?.node;
    if (node === undefined) continue;
    const figure = { node, resource, statistic: read.statistic, source: source.name };
    table.add({ ...figure, percent: sample.value * factor });
  }
}

/** All samples of a reading, of which each series' labels have to be resolved. */
export function* samplesOf(readings: readonly ResourceReading[]): Iterable<PrometheusSample> {
  for (const reading of readings) {
    for (const answers of [reading.averages, reading.deviations]) {
      for (const answer of answers.values()) {
        if (answer.ok) yield* answer.value.samples;
      }
    }
  }
}
