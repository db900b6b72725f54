import type { Absence, NodeFigures } from '../core/figures/figures.js';
import type { Interruptible } from '../event-loop.js';
import type { LoadWatcher } from '../service/load-watcher.js';

/** Of Prometheus: a query of the operator's own hides the times, and a failed scrape leaves none. */
const NO_SAMPLE_AGE =
  'null where the source does not tell, as with a query of your own that is no plain series, or where the last scrape failed; a node without a sample in the last 5 minutes has no figures';

/** Nodes between two possible interruptions: about a millisecond of work. */
const NODES_PER_PIECE = 50;

/** The body of `/debug/nodes`, as JSON: what each node's figures rest on, and why others are not there. */
export function* debugNodes(watcher: LoadWatcher, nowMs: number): Interruptible<string> {
  const last = watcher.lastRefresh;
  const served = watcher.serve();
  const absences = bySubject(last?.fetch?.absences ?? []);
  yield;
  const matchedBy = last?.fetch?.matchedBy?.();
  const names = [...new Set([...(served?.figures.nodes.keys() ?? []), ...absences.keys()])].sort();
  const head = JSON.stringify({
    refreshedAt: last === undefined ? null : new Date(last.startedAtMs).toISOString(),
    failure: last?.failure ?? null,
    failures: last?.fetch?.failures ?? [],
    notes: [...(last?.fetch?.warnings ?? []), ...(last?.fetch?.notes ?? [])],
    servedWindow: served?.figures.duration ?? null,
    dataAgeSeconds: served === undefined ? null : Math.round(nowMs / 1000 - served.figures.endUnixSeconds),
    sampleAgeNote: knowsSampleTimes(served?.figures.nodes) ? null : NO_SAMPLE_AGE,
  });
  const items: string[] = [];
  for (const [position, name] of names.entries()) {
    if (position % NODES_PER_PIECE === 0) yield;
    items.push(
      JSON.stringify({
        name,
        matchedBy: [...(matchedBy?.get(name) ?? [])],
        ...figuresOf(served?.figures.nodes.get(name), nowMs),
        absent: (absences.get(name) ?? []).map(absentOf),
      }),
    );
  }
  yield;
  return `${head.slice(0, -1)},"items":[${items.join(',')}]}`;
}

function knowsSampleTimes(nodes: ReadonlyMap<string, NodeFigures> = new Map()): boolean {
  return [...nodes.values()].every(({ sampleUnixMs }) => sampleUnixMs !== undefined);
}

function figuresOf(figures: NodeFigures | undefined, nowMs: number): object {
  if (figures === undefined) return { metrics: [], sources: [], sampleAgeSeconds: null };
  return {
    metrics: figures.metrics.map(({ type, operator, rollup, value }) => ({
      type,
      operator,
      rollup,
      value,
      unit: type === 'CPU' || type === 'Memory' ? 'percent of capacity' : '',
    })),
    sources: figures.sources,
    sampleAgeSeconds:
      figures.sampleUnixMs === undefined ? null : Math.round((nowMs - figures.sampleUnixMs) / 1000),
  };
}

function absentOf({ metric, reason, detail }: Absence): object {
  return { metric, reason, detail };
}

function bySubject(absences: readonly Absence[]): ReadonlyMap<string, readonly Absence[]> {
  const groups = new Map<string, Absence[]>();
  for (const absence of absences) {
    const group = groups.get(absence.subject);
    if (group === undefined) groups.set(absence.subject, [absence]);
    else group.push(absence);
  }
  return groups;
}
