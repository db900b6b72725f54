import { WINDOW_DURATIONS, WINDOW_SECONDS, type WindowDuration } from '@catamaran/model';
import type { Resource } from '../../core/figures/figure-table.js';
import type { Absence } from '../../core/figures/figures.js';
import type { Implausible } from '../../core/figures/plausibility.js';
import { DEFAULT_SAMPLE_TIME_LIMITS, judgeSampleTime } from '../../core/figures/sample-time.js';
import type { SeriesNodes } from './node-names.js';
import type { ResourceReading } from './source-reader.js';

const SHORTEST = '5m';
const NO_SERIES = new Int32Array();
const UNMEASURED: Implausible = {
  reason: 'stale-sample',
  detail: 'no sample in the last 5 minutes: is the node up, and its exporter scraped?',
};

export interface OutdatedContext {
  readonly readings: readonly ResourceReading[];
  readonly nodes: SeriesNodes;
  /** Of each node's newest sample, in milliseconds by the server's clock, where the source tells. */
  readonly ages: ReadonlyMap<Resource, ReadonlyMap<string, number>>;
  /** When nodes took over the name of an earlier one, by name, in Unix milliseconds. */
  readonly replacedAtMs: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

/**
 * Series that still answer over a long range though they tell nothing about the node as it is now: a range function
 * sees old samples until the whole range has passed.
 */
export class OutdatedSeries {
  readonly #context: OutdatedContext;
  /** Nodes that longer windows know and the shortest doesn't, or whose newest sample is not of now. */
  readonly #unusable = new Map<Resource, ReadonlyMap<string, Implausible>>();

  constructor(context: OutdatedContext) {
    this.#context = context;
    const measured = context.readings.some((reading) => seriesIn(reading, SHORTEST).length > 0);
    for (const reading of context.readings) {
      const unusable = new Map<string, Implausible>();
      if (tellsFreshness(reading, measured)) {
        for (const node of staleNodes(reading, context.nodes)) unusable.set(node, UNMEASURED);
      }
      for (const [node, ageMs] of context.ages.get(reading.resource) ?? []) {
        const bad = judgeSampleTime(-ageMs, 0, DEFAULT_SAMPLE_TIME_LIMITS);
        if (bad !== undefined) unusable.set(node, bad);
      }
      if (unusable.size > 0) this.#unusable.set(reading.resource, unusable);
    }
  }

  /** Whether a figure of that window may be used for the node. */
  isUsable(node: string, resource: Resource, window: WindowDuration): boolean {
    if (this.#unusable.get(resource)?.has(node) === true) return false;
    // The usual case, asked for each of sixty thousand samples.
    if (this.#context.replacedAtMs.size === 0) return true;
    const replacedAtMs = this.#context.replacedAtMs.get(node);
    return replacedAtMs === undefined || replacedAtMs <= this.#context.nowMs - WINDOW_SECONDS[window] * 1000;
  }

  /** Why figures are missing from all or some windows. */
  absences(): readonly Absence[] {
    const absences: Absence[] = [];
    for (const [metric, nodes] of this.#unusable) {
      for (const [subject, why] of nodes) absences.push({ subject, metric, ...why });
    }
    const { replacedAtMs, nowMs } = this.#context;
    for (const [subject, atMs] of replacedAtMs) {
      if (nowMs - atMs >= WINDOW_SECONDS['15m'] * 1000) continue;
      const since = new Date(atMs).toISOString();
      const detail = `there are samples of another node that had this name before ${since}: windows that began earlier are left out`;
      absences.push({ subject, metric: 'all', reason: 'older-than-node', detail });
    }
    return absences;
  }
}

/**
 * A resource without any series in the shortest window says more about the scrape interval (a rate needs two samples)
 * as long as the other resource has some; with none at all, nothing has been measured for that long. A partial answer
 * tells nothing about the series that are not in it.
 */
function tellsFreshness(reading: ResourceReading, measured: boolean): boolean {
  const answer = reading.averages.get(SHORTEST);
  if (answer?.ok !== true || answer.value.isPartial) return false;
  return !measured || answer.value.series.length > 0;
}

function staleNodes(reading: ResourceReading, nodes: SeriesNodes): ReadonlySet<string> {
  const stale = new Set<string>();
  const shortest = seriesIn(reading, SHORTEST);
  // By number of the series: sets of so many would cost more than reading the answers.
  const isFresh: boolean[] = [];
  for (const series of shortest) isFresh[series] = true;
  for (const window of WINDOW_DURATIONS) {
    for (const series of seriesIn(reading, window)) {
      const node = isFresh[series] === true ? undefined : nodes.nodeOf(series);
      if (node !== undefined) stale.add(node);
    }
  }
  // A node may have another series that goes on.
  if (stale.size > 0) {
    for (const series of shortest) stale.delete(nodes.nodeOf(series) ?? '');
  }
  return stale;
}

function seriesIn(reading: ResourceReading, window: WindowDuration): Int32Array {
  const answer = reading.averages.get(window);
  return answer?.ok === true ? answer.value.series : NO_SERIES;
}
