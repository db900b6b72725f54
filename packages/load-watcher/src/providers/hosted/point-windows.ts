import { WINDOW_DURATIONS, WINDOW_SECONDS } from '@catamaran/model';
import type { FigureNames, Resource } from '../../core/figures/figure-rows.js';
import { FigureTable } from '../../core/figures/figure-table.js';
import type { Absence, AbsenceReason, WindowFigures } from '../../core/figures/figures.js';
import { type Implausible, judgePercent } from '../../core/figures/plausibility.js';
import { DEFAULT_SAMPLE_TIME_LIMITS, judgeSampleTime } from '../../core/figures/sample-time.js';
import type { Interruptible } from '../../event-loop.js';
import type { Point } from './reading.js';

/** The points of one resource of one node. */
export interface NodeSeries {
  readonly node: string;
  readonly resource: Resource;
  /** Earlier points are of another machine of that name; NaN where nobody tells. */
  readonly createdMs: number;
  readonly points: readonly Point[];
}

export interface PointWindowsContext {
  readonly answered: ReadonlySet<Resource>;
  readonly nowMs: number;
  readonly names: FigureNames;
}

export interface PointWindows {
  readonly windows: readonly WindowFigures[];
  readonly absences: readonly Absence[];
  readonly has: (node: string, resource: Resource) => boolean;
}

interface UsableSeries extends NodeSeries {
  readonly newestMs: number;
}

/** The windows say which points are too old for them. */
const ANY_AGE = { ...DEFAULT_SAMPLE_TIME_LIMITS, maxAgeMs: Number.POSITIVE_INFINITY };
/** Series between two possible interruptions: about a millisecond of work. */
const SERIES_PER_PIECE = 100;

/**
 * Mean and deviation of each window `(end − W, end]` over the points that are good: finite, from 0 to ten times the
 * capacity, not from the future, not older than the node. What is left out is counted by reason for each series. A
 * series whose newest good point is stale has no figure at all.
 */
export function* pointWindows(
  series: readonly NodeSeries[],
  context: PointWindowsContext,
): Interruptible<PointWindows> {
  const absences: Absence[] = [];
  const usable: UsableSeries[] = [];
  for (const [position, entry] of series.entries()) {
    if (position % SERIES_PER_PIECE === 0) yield;
    const good = goodPoints(entry, context.nowMs, absences);
    if (good !== undefined) usable.push(good);
  }
  const fresh = withoutStale(usable, context.nowMs, absences);
  const windows: WindowFigures[] = [];
  const tables: FigureTable[] = [];
  const complete = context.answered.has('CPU') && context.answered.has('Memory');
  for (const duration of WINDOW_DURATIONS) {
    const endUnixSeconds = Math.floor(context.nowMs / 1000);
    const startUnixSeconds = endUnixSeconds - WINDOW_SECONDS[duration];
    const table = new FigureTable(context.names);
    for (const [position, entry] of fresh.entries()) {
      if (position % SERIES_PER_PIECE === 0) yield;
      addWindow(table, entry, {
        startMs: context.nowMs - WINDOW_SECONDS[duration] * 1000,
        names: context.names,
      });
    }
    tables.push(table);
    windows.push({ duration, startUnixSeconds, endUnixSeconds, complete, nodes: table.build() });
  }
  return {
    windows,
    absences: [...absences, ...tables.flatMap((table) => table.absences)],
    has: (node, resource) => tables.some((table) => table.has(node, resource)),
  };
}

/** Undefined when no point is good; each reason for which points are left out is one absence. */
function goodPoints(entry: NodeSeries, nowMs: number, absences: Absence[]): UsableSeries | undefined {
  const { node: subject, resource: metric } = entry;
  const left = new Map<AbsenceReason, { count: number; readonly detail: string }>();
  const points: Point[] = [];
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const point of entry.points) {
    const bad = judgePoint(point, entry.createdMs, nowMs);
    if (bad === undefined) {
      points.push(point);
      newestMs = Math.max(newestMs, point.unixMs);
      continue;
    }
    const known = left.get(bad.reason);
    if (known === undefined) left.set(bad.reason, { count: 1, detail: bad.detail });
    else known.count += 1;
  }
  for (const [reason, { count, detail }] of left) {
    absences.push({
      subject,
      metric,
      reason,
      detail: `${count} of ${entry.points.length} points: ${detail}`,
    });
  }
  if (points.length > 0) return { ...entry, points, newestMs };
  if (left.size === 0) {
    absences.push({
      subject,
      metric,
      reason: 'no-sample',
      detail: 'the series has no point in the last 15 minutes',
    });
  }
  return undefined;
}

function judgePoint({ unixMs, percent }: Point, createdMs: number, nowMs: number): Implausible | undefined {
  if (!Number.isFinite(unixMs)) return { reason: 'malformed-item', detail: 'the point has no time' };
  const bad = judgePercent(percent);
  if (bad !== undefined) return bad;
  if (unixMs < createdMs) {
    const since = new Date(createdMs).toISOString();
    return {
      reason: 'older-than-node',
      detail: `they were measured before the node was created at ${since}`,
    };
  }
  return judgeSampleTime(unixMs, nowMs, ANY_AGE);
}

/** A series that has ended counts for nothing; it is worth a word only where no other of the node goes on. */
function withoutStale(
  usable: readonly UsableSeries[],
  nowMs: number,
  absences: Absence[],
): readonly UsableSeries[] {
  const judged = usable.map((entry) => ({
    entry,
    stale: judgeSampleTime(entry.newestMs, nowMs, DEFAULT_SAMPLE_TIME_LIMITS),
  }));
  const fresh = judged.filter(({ stale }) => stale === undefined).map(({ entry }) => entry);
  const measured = new Set(fresh.map(({ node, resource }) => `${resource} ${node}`));
  for (const { entry, stale } of judged) {
    if (stale === undefined || measured.has(`${entry.resource} ${entry.node}`)) continue;
    absences.push({ subject: entry.node, metric: entry.resource, ...stale });
  }
  return fresh;
}

/** Of the population; one point tells nothing of a deviation. */
function addWindow(
  table: FigureTable,
  { node, resource, points, newestMs }: UsableSeries,
  { startMs, names }: { readonly startMs: number; readonly names: FigureNames },
): void {
  const values = points.filter(({ unixMs }) => unixMs > startMs).map(({ percent }) => percent);
  if (values.length === 0) return;
  const source = names.names[resource];
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  table.add({ node, resource, statistic: 'AVG', percent: average, source });
  if (values.length > 1) {
    const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
    table.add({ node, resource, statistic: 'STD', percent: Math.sqrt(squares / values.length), source });
  }
  table.sampledAt(node, newestMs);
}
