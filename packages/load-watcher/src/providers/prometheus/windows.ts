import { WINDOW_DURATIONS, WINDOW_SECONDS, type WindowDuration } from '@catamaran/model';
import { FigureTable, type Resource, type Statistic } from '../../core/figures/figure-table.js';
import type { Absence, WindowFigures } from '../../core/figures/figures.js';
import { nextTurn } from '../../event-loop.js';
import type { PrometheusAnswer } from './decode.js';
import type { SeriesNodes } from './node-names.js';
import type { OutdatedSeries } from './outdated-series.js';
import { METRIC_NAMES } from './query.js';
import type { ResourceReading } from './source-reader.js';

export interface WindowContext {
  readonly readings: readonly ResourceReading[];
  readonly nodes: SeriesNodes;
  readonly outdated: OutdatedSeries;
  /** Of each node's newest sample, where the source tells. */
  readonly ages: ReadonlyMap<Resource, ReadonlyMap<string, number>>;
  /** When the answers were made. */
  readonly asOfMs: number;
}

export interface DecodedWindows {
  readonly windows: readonly WindowFigures[];
  readonly absences: readonly Absence[];
  /** Whether any window has a figure of that resource for the node. */
  readonly has: (node: string, resource: Resource) => boolean;
}

const DUPLICATE_REMEDY = 'narrow the series with --prometheus-matcher, or the query of your own';

/** Puts the answers of all queries into one table per window. */
export async function windowsOf(context: WindowContext): Promise<DecodedWindows> {
  const tables: FigureTable[] = [];
  const windows: WindowFigures[] = [];
  for (const duration of WINDOW_DURATIONS) {
    const table = new FigureTable({
      names: METRIC_NAMES,
      rollup: duration,
      duplicateRemedy: DUPLICATE_REMEDY,
    });
    tables.push(table);
    windows.push(windowOf(duration, context, table));
    await nextTurn();
  }
  return {
    windows,
    absences: tables.flatMap((table) => table.absences),
    has: (node, resource) => tables.some((table) => table.has(node, resource)),
  };
}

function windowOf(duration: WindowDuration, context: WindowContext, table: FigureTable): WindowFigures {
  let complete = true;
  for (const reading of context.readings) {
    const average = reading.averages.get(duration);
    complete &&= average?.ok === true;
    if (average?.ok === true)
      addAll(table, { reading, duration, statistic: 'AVG', answer: average.value }, context);
    const deviation = reading.deviations.get(duration);
    if (deviation?.ok === true)
      addAll(table, { reading, duration, statistic: 'STD', answer: deviation.value }, context);
  }
  for (const ages of new Set(context.ages.values())) {
    for (const [node, ageMs] of ages) table.sampledAt(node, context.asOfMs - ageMs);
  }
  const endUnixSeconds = Math.floor(context.asOfMs / 1000);
  return {
    duration,
    startUnixSeconds: endUnixSeconds - WINDOW_SECONDS[duration],
    endUnixSeconds,
    complete,
    nodes: table.build(),
  };
}

function addAll(
  table: FigureTable,
  read: {
    readonly reading: ResourceReading;
    readonly duration: WindowDuration;
    readonly statistic: Statistic;
    readonly answer: PrometheusAnswer;
  },
  context: WindowContext,
): void {
  const { resource, source } = read.reading;
  const factor = source.unit === 'ratio' ? 100 : 1;
  const { series, values } = read.answer;
  for (let position = 0; position < series.length; position += 1) {
    const node = context.nodes.nodeOf(series[position] ?? -1);
    if (node === undefined || !context.outdated.isUsable(node, resource, read.duration)) continue;
    const percent = (values[position] ?? Number.NaN) * factor;
    table.add({ node, resource, statistic: read.statistic, percent, source: source.name });
  }
}

/** Every answer that came, in a fixed order. */
export function answersOf(readings: readonly ResourceReading[]): readonly PrometheusAnswer[] {
  return readings.flatMap(({ averages, deviations }) =>
    [...averages.values(), ...deviations.values()].flatMap((answer) => (answer.ok ? [answer.value] : [])),
  );
}
