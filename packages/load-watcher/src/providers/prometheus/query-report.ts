import type { Resource } from '../../core/figures/figure-table.js';
import type { Absence } from '../../core/figures/figures.js';
import type { Labels } from '../../core/mapping/resolve-node.js';
import type { SeriesNodes } from './node-names.js';
import { isTime } from './sample-times.js';
import { deviationOf, type ResourceReading } from './source-reader.js';

/** Of a query in a message; the pages of providers have them whole. */
const MAX_QUERY_LENGTH = 200;

export interface QueryReport {
  readonly answered: number;
  /** One sentence for each failed query. */
  readonly failures: readonly string[];
  readonly absences: readonly Absence[];
}

/** What came of the queries, and what each failed one costs. */
export function reportQueries(readings: readonly ResourceReading[]): QueryReport {
  let answered = 0;
  const failures: string[] = [];
  const absences: Absence[] = [];
  for (const { resource, source, averages, deviations } of readings) {
    for (const [statistic, answers] of [
      ['AVG', averages],
      ['STD', deviations],
    ] as const) {
      for (const [window, answer] of answers) {
        if (answer.ok) {
          answered += 1;
          continue;
        }
        const promql = statistic === 'AVG' ? source.average(window) : deviationOf(source)(window);
        const asked = answer.ofQuery === true ? `; query: ${shorten(promql)}` : '';
        failures.push(`${resource} ${statistic} ${window}: ${answer.problem}${asked}`);
        const detail = `${statistic} of ${window}: ${answer.problem}`;
        absences.push({ subject: '*', metric: resource, reason: 'query-failed', detail });
      }
    }
  }
  return { answered, failures, absences };
}

function shorten(promql: string): string {
  return promql.length <= MAX_QUERY_LENGTH ? promql : `${promql.slice(0, MAX_QUERY_LENGTH - 1)}…`;
}

/** Series that belong to no node, by their instance. */
export function unresolvedSeries(
  { resolutions }: SeriesNodes,
  labelsOf: (series: number) => Labels,
): readonly Absence[] {
  const absences: Absence[] = [];
  for (const [series, resolution] of resolutions) {
    if (resolution.node !== undefined) continue;
    const labels = labelsOf(series);
    if (isTime(labels)) continue;
    const { reason, detail } = resolution;
    absences.push({ subject: labels.instance || NO_INSTANCE, metric: 'all', reason, detail });
  }
  return absences;
}

const NO_INSTANCE = 'series without the label instance';

/** Clocks further apart than this are worth a word. */
const MAX_SKEW_MS = 60_000;

/** What the server warns of: its warnings, and that storage behind it did not answer. Infos are notes. */
export function warningsOf(readings: readonly ResourceReading[]): readonly string[] {
  return serverNotes(readings).filter((note) => !isInfo(note));
}

function serverNotes(readings: readonly ResourceReading[]): readonly string[] {
  const answers = readings.flatMap(({ averages, deviations }) => [
    ...averages.values(),
    ...deviations.values(),
  ]);
  return [...new Set(answers.flatMap((answer) => (answer.ok ? answer.value.notes : [])))];
}

function isInfo(note: string): boolean {
  return note.startsWith('info: ');
}

/** What the server said of an average of that resource that may lack series. */
export function partialNote(readings: readonly ResourceReading[], resource: Resource): string | undefined {
  for (const reading of readings) {
    if (reading.resource !== resource) continue;
    for (const answer of reading.averages.values()) {
      if (!answer.ok || !answer.value.isPartial) continue;
      return answer.value.notes.find((note) => !isInfo(note)) ?? 'a partial answer';
    }
  }
  return undefined;
}

/** Which series are read, infos of the server, and whether its clock differs from ours. */
export function notesOf(readings: readonly ResourceReading[], nowMs: number): readonly string[] {
  const notes = new Set<string>();
  const skewMs = serverSkewMs(readings, nowMs);
  if (Math.abs(skewMs) > MAX_SKEW_MS) {
    const minutes = Math.round(Math.abs(skewMs) / 60_000);
    notes.add(
      `the clock of Prometheus is ${minutes} min ${skewMs > 0 ? 'ahead of' : 'behind'} this one: set the clocks`,
    );
  }
  for (const { resource, source, tried, averages, deviations } of readings) {
    const answers = [...averages.values(), ...deviations.values()];
    const seen = answers.some((answer) => answer.ok && answer.value.series.length > 0);
    notes.add(
      seen ? `${resource} is read from ${source.name}` : `${resource}: 0 series, tried ${tried.join('; ')}`,
    );
  }
  for (const note of serverNotes(readings)) if (isInfo(note)) notes.add(note);
  return [...notes];
}

/** NaN while no answer has a sample. */
function serverSkewMs(readings: readonly ResourceReading[], nowMs: number): number {
  for (const { averages } of readings) {
    for (const answer of averages.values()) {
      if (answer.ok && !Number.isNaN(answer.value.evaluatedMs)) return answer.value.evaluatedMs - nowMs;
    }
  }
  return Number.NaN;
}
