import { WINDOW_SECONDS } from '@catamaran/model';
import type { NodeList } from '../../nodes/node-catalogue.js';
import type { SeriesNodes } from './node-names.js';
import type { Ask, ResourceReading } from './source-reader.js';

const LONGEST_MS = WINDOW_SECONDS['15m'] * 1000;

export interface HistoryContext {
  readonly readings: readonly ResourceReading[];
  readonly nodes: SeriesNodes;
  readonly list: NodeList | undefined;
  readonly nowMs: number;
  readonly ask: Ask;
  /** Takes a sentence for each query that failed. */
  readonly failures: string[];
}

/**
 * Which nodes have samples of an earlier machine of their name in the windows. Once the list of nodes was watched for
 * as long as the longest window, it tells. Before that, Prometheus is asked once for each young node when its series
 * began: one query a resource, and only then.
 */
export class NameHistory {
  /** Of the first list; NaN before it. */
  #watchedSinceMs = Number.NaN;
  /** Whether the series of a resource began before the node did; the past does not change. */
  readonly #began = new Map<string, boolean>();

  /** By node, the time before which samples are of another machine, in Unix milliseconds. */
  async replacedAtMs(context: HistoryContext): Promise<ReadonlyMap<string, number>> {
    const { list, nowMs, readings } = context;
    if (list === undefined) return new Map();
    if (Number.isNaN(this.#watchedSinceMs)) this.#watchedSinceMs = nowMs;
    if (this.#watchedSinceMs <= nowMs - LONGEST_MS) {
      this.#began.clear();
      return list.replacedAtMs;
    }
    const replaced = new Map(list.replacedAtMs);
    const young = youngNodes(list, nowMs);
    if (young.size === 0) return replaced;
    for (const reading of readings) {
      for (const node of await this.#inherited(reading, young, context)) {
        replaced.set(node, young.get(node) ?? nowMs);
      }
    }
    return replaced;
  }

  async #inherited(
    reading: ResourceReading,
    young: ReadonlyMap<string, number>,
    context: HistoryContext,
  ): Promise<readonly string[]> {
    const key = (node: string): string => `${reading.resource} ${node} ${young.get(node)}`;
    const measured = [...measuredNodes(reading, context.nodes)].filter((node) => young.has(node));
    const unknown = measured.filter((node) => !this.#began.has(key(node)));
    if (unknown.length > 0) {
      const beganMs = await firstSamplesMs(reading, context);
      // Where nobody tells, figures that may be another machine's are not served.
      if (beganMs === undefined) return measured.filter((node) => this.#began.get(key(node)) !== false);
      for (const node of unknown) {
        const atMs = beganMs.get(node);
        if (atMs !== undefined) this.#began.set(key(node), atMs <= (young.get(node) ?? 0));
      }
    }
    return measured.filter((node) => this.#began.get(key(node)) === true);
  }
}

/** Those that the longest window is older than, with the time of their creation. */
function youngNodes({ nodes }: NodeList, nowMs: number): ReadonlyMap<string, number> {
  const young = new Map<string, number>();
  for (const [name, { metadata }] of nodes) {
    const createdMs = Date.parse(metadata.creationTimestamp ?? '');
    if (createdMs > nowMs - LONGEST_MS) young.set(name, createdMs);
  }
  return young;
}

function measuredNodes({ averages }: ResourceReading, nodes: SeriesNodes): ReadonlySet<string> {
  const measured = new Set<string>();
  for (const answer of averages.values()) {
    for (const series of answer.ok ? answer.value.series : []) {
      const node = nodes.nodeOf(series);
      if (node !== undefined) measured.add(node);
    }
  }
  return measured;
}

/** When the series of each node began within the longest window, to the minute; undefined when nobody tells. */
async function firstSamplesMs(
  { resource, source }: ResourceReading,
  { ask, nodes, failures }: HistoryContext,
): Promise<ReadonlyMap<string, number> | undefined> {
  const promql = `min_over_time(timestamp(${source.average('5m')})[15m:1m])`;
  const answer = await ask(promql);
  if (!answer.ok) {
    failures.push(`age of the ${resource} series: ${answer.problem}; query: ${promql}`);
    return undefined;
  }
  const began = new Map<string, number>();
  for (const [position, series] of answer.value.series.entries()) {
    const node = nodes.nodeOf(series);
    const atMs = (answer.value.values[position] ?? Number.NaN) * 1000;
    if (node !== undefined) began.set(node, Math.min(began.get(node) ?? atMs, atMs));
  }
  return began;
}
