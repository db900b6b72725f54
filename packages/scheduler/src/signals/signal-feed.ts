import type { NodeVector, NodeVectorQuery } from '@catamaran/load-watcher';
import type { Node, Result } from '@catamaran/model';
import type { Clock, Logger } from '@catamaran/platform';
import { signalReading } from '../core/signals/signal-reading.js';
import type { SignalSpec } from '../core/signals/signal-spec.js';
import type { SignalReading } from '../core/state/signal-store.js';
import type { Activity } from '../service/activity.js';
import { Poller } from '../service/poller.js';
import type { SignalReader } from './signal-reader.js';

/** One signal that is to be read. */
export interface WantedSignal {
  readonly key: string;
  readonly spec: SignalSpec;
}

export interface SignalFeedOptions {
  readonly intervalMs: number;
  readonly signals: readonly WantedSignal[];
}

export interface SignalFeedDeps {
  readonly reader: SignalReader;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly log: Logger;
  /** The nodes as they are known now. */
  readonly nodes: () => Iterable<Node>;
  /** What could be read, after each refresh; why the rest could not, by signal. */
  readonly onRead: (readings: readonly SignalReading[], failures: ReadonlyMap<string, string>) => void;
}

/** However many pods come, Prometheus is not asked more often. */
const GAP_MS = 10_000;

/** Asks one Prometheus at start and then regularly: one query for each signal and one for each capacity, all at once. */
export class SignalFeed {
  readonly #options: SignalFeedOptions;
  readonly #deps: SignalFeedDeps;
  readonly #queries: readonly NodeVectorQuery[];
  readonly #poller: Poller;
  /** What was said last of series that belong to no node, and of the server's remarks. */
  #said = '';

  constructor(options: SignalFeedOptions, deps: SignalFeedDeps) {
    this.#options = options;
    const { clock, activity } = deps;
    const work = (readMs: number, signal: AbortSignal) => this.#refresh(readMs, signal);
    this.#poller = new Poller(options.intervalMs, { clock, activity, work });
    this.#deps = deps;
    const queries = options.signals.flatMap(({ spec }) => queriesOf(spec));
    this.#queries = [...new Map(queries.map((query) => [queryKey(query), query])).values()];
  }

  /** Resolves after the first refresh. */
  start(): Promise<void> {
    return this.#poller.start();
  }

  /** Somebody is about to use the values: they are read anew unless that was a moment ago. */
  hurry(): void {
    this.#poller.hurry(GAP_MS);
  }

  close(): void {
    this.#poller.close();
  }

  async #refresh(readMs: number, signal: AbortSignal): Promise<void> {
    const { reader, nodes, onRead, log } = this.#deps;
    try {
      const answers = await reader.read({ queries: this.#queries, nodes: nodes() }, signal);
      const byQuery = new Map(this.#queries.map((query, index) => [queryKey(query), answers[index]]));
      const readings: SignalReading[] = [];
      const failures = new Map<string, string>();
      for (const wanted of this.#options.signals) {
        const read = readingOf(wanted, byQuery, readMs);
        if (read.ok) readings.push(read.value);
        else failures.set(wanted.key, read.problem);
      }
      onRead(readings, failures);
      this.#remark(answers);
    } catch (error) {
      if (!signal.aborted) log.error('reading signals failed', { error });
    }
  }

  /** Series that name no node, and warnings of the server: told when they change. */
  #remark(answers: readonly Result<NodeVector>[]): void {
    const vectors = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
    const unmatched = vectors.flatMap((vector) => vector.unmatched);
    const notes = [...new Set(vectors.flatMap((vector) => vector.notes))];
    const example = unmatched[0]?.detail;
    const said = JSON.stringify([unmatched.length, notes]);
    if (said === this.#said || (unmatched.length === 0 && notes.length === 0)) return;
    this.#said = said;
    const series = unmatched.length === 0 ? {} : { unmatchedSeries: unmatched.length, example };
    this.#deps.log.warn('signals: series without a node, or remarks of Prometheus', { ...series, notes });
  }
}

function queriesOf({ promql, capacity, nodeLabel }: SignalSpec): readonly NodeVectorQuery[] {
  return typeof capacity === 'string'
    ? [
        { promql, nodeLabel },
        { promql: capacity, nodeLabel },
      ]
    : [{ promql, nodeLabel }];
}

function queryKey({ promql, nodeLabel = '' }: NodeVectorQuery): string {
  return `${nodeLabel}\n${promql}`;
}

function readingOf(
  { key, spec }: WantedSignal,
  byQuery: ReadonlyMap<string, Result<NodeVector> | undefined>,
  readMs: number,
): Result<SignalReading> {
  const [values, capacities] = queriesOf(spec).map((query) => byQuery.get(queryKey(query)));
  if (values === undefined || !values.ok) return values ?? NOT_ANSWERED;
  if (capacities !== undefined && !capacities.ok) return capacities;
  const answers = { samples: values.value.samples, capacities: capacities?.value.samples, readMs };
  return { ok: true, value: signalReading(key, spec, answers) };
}

const NOT_ANSWERED = { ok: false, problem: 'the query was not answered' } as const;
