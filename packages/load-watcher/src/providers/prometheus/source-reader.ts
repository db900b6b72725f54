import { type Result, WINDOW_DURATIONS, type WindowDuration } from '@catamaran/model';
import type { Resource } from '../../core/figures/figure-table.js';
import type { PrometheusAnswer } from './decode.js';
import type { FigureSource } from './query.js';

export type Answers = ReadonlyMap<WindowDuration, Result<PrometheusAnswer>>;

export interface ResourceReading {
  readonly resource: Resource;
  readonly source: FigureSource;
  /** Names of the sources that were asked in this refresh. */
  readonly tried: readonly string[];
  readonly averages: Answers;
  readonly deviations: Answers;
}

export interface SourceReaderOptions {
  readonly resource: Resource;
  readonly sources: readonly FigureSource[];
  /** How long a fallback is used before the better sources are tried again. */
  readonly retryAfterMs: number;
}

export type Ask = (promql: string) => Promise<Result<PrometheusAnswer>>;

/**
 * Reads one resource in all windows from the first of its sources that has series, and stays with that source: six
 * queries a refresh. A failed query is no reason to change the source, an empty answer is.
 */
export class SourceReader {
  readonly #options: SourceReaderOptions;
  #chosen: number | undefined;
  #tryBetterAtMs = 0;

  constructor(options: SourceReaderOptions) {
    this.#options = options;
  }

  async read(ask: Ask, nowMs: number): Promise<ResourceReading> {
    const chosen = this.#chosen;
    if (chosen !== undefined && (chosen === 0 || nowMs < this.#tryBetterAtMs)) {
      const reading = await this.#readBoth(chosen, ask);
      if (!isEmpty(reading.averages)) return reading;
    }
    return this.#search(ask, nowMs);
  }

  async #search(ask: Ask, nowMs: number): Promise<ResourceReading> {
    const { resource, sources, retryAfterMs } = this.#options;
    this.#tryBetterAtMs = nowMs + retryAfterMs;
    const tried: string[] = [];
    let last: ResourceReading | undefined;
    for (const [index, source] of sources.entries()) {
      const averages = await askAll(source.average, ask);
      tried.push(source.name);
      last = { resource, source, tried, averages, deviations: new Map() };
      if (isEmpty(averages)) continue;
      this.#chosen = index;
      return { ...last, deviations: await askAll(source.deviation, ask) };
    }
    this.#chosen = undefined;
    if (last === undefined) throw new TypeError(`${resource} has no sources`);
    return last;
  }

  async #readBoth(index: number, ask: Ask): Promise<ResourceReading> {
    const { resource, sources } = this.#options;
    const source = sources[index];
    if (source === undefined) throw new TypeError(`${resource} has no source ${index}`);
    const [averages, deviations] = await Promise.all([
      askAll(source.average, ask),
      askAll(source.deviation, ask),
    ]);
    return { resource, source, tried: [source.name], averages, deviations };
  }
}

async function askAll(promql: (window: WindowDuration) => string, ask: Ask): Promise<Answers> {
  const answers = await Promise.all(
    WINDOW_DURATIONS.map(async (window) => [window, await ask(promql(window))] as const),
  );
  return new Map(answers);
}

/** All windows were answered, none with a series. */
function isEmpty(answers: Answers): boolean {
  return [...answers.values()].every((answer) => answer.ok && answer.value.series.length === 0);
}
