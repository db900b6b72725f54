import { WINDOW_DURATIONS, type WindowDuration } from '@catamaran/model';
import type { Resource } from '../../core/figures/figure-table.js';
import type { Decoded } from './decode.js';
import type { FigureSource } from './query.js';
import { TIMED_WINDOW, withSampleTime } from './sample-times.js';

export type Answers = ReadonlyMap<WindowDuration, Decoded>;

export interface ResourceReading {
  readonly resource: Resource;
  readonly source: FigureSource;
  /** Names of the sources that were asked: in this refresh or, where none has series, in the last ones. */
  readonly tried: readonly string[];
  readonly averages: Answers;
  readonly deviations: Answers;
}

export interface SourceReaderOptions {
  readonly resource: Resource;
  readonly sources: readonly FigureSource[];
  /** So many refreshes a fallback is used before the better sources are tried again. */
  readonly retryAfterRefreshes: number;
}

export type Ask = (promql: string) => Promise<Decoded>;

/**
 * Reads one resource in all windows from the first of its sources that has series, and stays with that source: six
 * queries a refresh. A failed query is no reason to change the source, an empty answer is. Where no source has series
 * the first and one of the others are asked in turn, six queries too.
 */
export class SourceReader {
  readonly #options: SourceReaderOptions;
  #chosen: number | undefined;
  #refresh = 0;
  #tryBetterAt = 0;
  #searched = false;

  constructor(options: SourceReaderOptions) {
    this.#options = options;
  }

  async read(ask: Ask): Promise<ResourceReading> {
    this.#refresh += 1;
    const chosen = this.#chosen;
    if (chosen === undefined) return this.#searched ? this.#probe(ask) : this.#search(ask);
    if (chosen === 0 || this.#refresh < this.#tryBetterAt) {
      const reading = await this.#readBoth(chosen, ask);
      if (!isEmpty(reading.averages)) return reading;
    }
    return this.#search(ask);
  }

  async #search(ask: Ask): Promise<ResourceReading> {
    this.#searched = true;
    return this.#firstOf(
      this.#options.sources.map((_, index) => index),
      ask,
    );
  }

  /** Looks for series where there were none, a little in each refresh. */
  async #probe(ask: Ask): Promise<ResourceReading> {
    const others = this.#options.sources.length - 1;
    return this.#firstOf(others === 0 ? [0] : [0, 1 + (this.#refresh % others)], ask);
  }

  async #firstOf(indexes: readonly number[], ask: Ask): Promise<ResourceReading> {
    const { resource, sources, retryAfterRefreshes } = this.#options;
    this.#tryBetterAt = this.#refresh + retryAfterRefreshes;
    const none: Answers = new Map();
    let empty: Answers = none;
    for (const index of indexes) {
      const source = this.#source(index);
      const averages = await askAll(source.average, ask);
      if (empty === none) empty = averages;
      if (isEmpty(averages)) continue;
      this.#chosen = index;
      const deviations = await askAll(deviationOf(source), ask);
      return { resource, source, tried: [source.name], averages, deviations };
    }
    this.#chosen = undefined;
    const tried = sources.map(({ name }) => name);
    return { resource, source: this.#source(0), tried, averages: empty, deviations: none };
  }

  async #readBoth(index: number, ask: Ask): Promise<ResourceReading> {
    const { resource } = this.#options;
    const source = this.#source(index);
    const [averages, deviations] = await Promise.all([
      askAll(source.average, ask),
      askAll(deviationOf(source), ask),
    ]);
    return { resource, source, tried: [source.name], averages, deviations };
  }

  #source(index: number): FigureSource {
    const source = this.#options.sources[index];
    if (source === undefined) throw new TypeError(`${this.#options.resource} has no source ${index}`);
    return source;
  }
}

/** The deviation of one window brings the times of the samples with it. */
export function deviationOf(source: FigureSource): (window: WindowDuration) => string {
  return (window) =>
    window === TIMED_WINDOW
      ? withSampleTime(source.deviation(window), source.sampleTime)
      : source.deviation(window);
}

async function askAll(promql: (window: WindowDuration) => string, ask: Ask): Promise<Answers> {
  const answers = await Promise.all(
    WINDOW_DURATIONS.map(async (window) => [window, await ask(promql(window))] as const),
  );
  return new Map(answers);
}

/** All windows were answered in full, none with a series. */
function isEmpty(answers: Answers): boolean {
  return [...answers.values()].every(
    (answer) => answer.ok && !answer.value.isPartial && answer.value.series.length === 0,
  );
}
