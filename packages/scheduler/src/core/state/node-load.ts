import type { Metric, WatcherDocument } from '@catamaran/model';
import {
  firstCpuPercent,
  hasOtherFigures,
  lastCpuPercent,
  type ResourceFigures,
  resourceFigures,
} from '../node-statistics/resource-figures.js';

/** A node's measured figures, in percent of its capacity. Absent figures are undefined, never 0. */
export interface NodeLoad {
  /** The last usable CPU entry with operator AVG or Latest, as TargetLoadPacking picks it. */
  readonly cpuPercent: number | undefined;
  /** The first such entry, as Peaks picks it. */
  readonly firstCpuPercent: number | undefined;
  /** As the risk plugins pick them. */
  readonly cpu: ResourceFigures | undefined;
  readonly memory: ResourceFigures | undefined;
  /** There is a figure of another resource, such as bandwidth. */
  readonly hasOthers: boolean;
  /** All entries as the watcher sent them, for plugins that pick otherwise and for people. */
  readonly metrics: readonly Metric[];
}

/** What one watcher knows: the document, cut down to what scoring needs. */
export interface LoadReport {
  readonly endUnixSeconds: number;
  readonly source: string;
  readonly byNode: ReadonlyMap<string, NodeLoad>;
}

/** Nodes between two pauses: a millisecond or so. */
const STEP = 250;

/** Cut down to what scoring needs. */
export function loadReport(document: WatcherDocument): LoadReport {
  const steps = loadReportSteps(document);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same with pauses, so that a large document need not hold up anything. */
export function* loadReportSteps(document: WatcherDocument): Generator<void, LoadReport> {
  const byNode = new Map<string, NodeLoad>();
  for (const [name, metrics] of document.nodes) {
    byNode.set(name, nodeLoad(metrics));
    if (byNode.size % STEP === 0) yield;
  }
  return { endUnixSeconds: document.window.endUnixSeconds, source: document.source, byNode };
}

function nodeLoad(metrics: readonly Metric[]): NodeLoad {
  return {
    cpuPercent: lastCpuPercent(metrics),
    firstCpuPercent: firstCpuPercent(metrics),
    cpu: resourceFigures(metrics, 'CPU'),
    memory: resourceFigures(metrics, 'Memory'),
    hasOthers: hasOtherFigures(metrics),
    metrics,
  };
}

export function sameLoad(a: NodeLoad | undefined, b: NodeLoad | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.cpuPercent !== b.cpuPercent) return false;
  return (
    a.metrics.length === b.metrics.length &&
    a.metrics.every((metric, index) => sameMetric(metric, b.metrics[index]))
  );
}

function sameMetric(a: Metric, b: Metric | undefined): boolean {
  return (
    b !== undefined &&
    a.type === b.type &&
    a.operator === b.operator &&
    a.value === b.value &&
    a.rollup === b.rollup
  );
}
