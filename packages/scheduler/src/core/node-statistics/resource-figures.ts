import type { Metric } from '@catamaran/model';

/** What was measured of one resource, in percent of the node's capacity. */
export interface ResourceFigures {
  readonly averagePercent: number;
  /** 0 where no deviation was sent. */
  readonly deviationPercent: number;
}

/**
 * Average and deviation of a resource, as Trimaran's risk plugins pick them: the last AVG; where there is none the last
 * Latest or unnamed entry; the last STD. A deviation without an average measures nothing.
 */
export function resourceFigures(
  metrics: readonly Metric[],
  type: 'CPU' | 'Memory',
): ResourceFigures | undefined {
  let average: number | undefined;
  let latest: number | undefined;
  let deviationPercent = 0;
  for (const metric of metrics) {
    if (metric.type !== type || !isPlausible(metric)) continue;
    if (metric.operator === 'AVG') average = metric.value;
    else if (metric.operator === 'Latest' || metric.operator === '') latest = metric.value;
    else if (metric.operator === 'STD') deviationPercent = metric.value;
  }
  const averagePercent = average ?? latest;
  return averagePercent === undefined ? undefined : { averagePercent, deviationPercent };
}

/** The first CPU entry with operator AVG or Latest, as Peaks picks it. */
export function firstCpuPercent(metrics: readonly Metric[]): number | undefined {
  return metrics.find((metric) => isCpuUse(metric) && isPlausible(metric))?.value;
}

/** The last such entry, as TargetLoadPacking picks it. */
export function lastCpuPercent(metrics: readonly Metric[]): number | undefined {
  return metrics.findLast((metric) => isCpuUse(metric) && isPlausible(metric))?.value;
}

/** Whether there is a figure of any other resource, such as bandwidth. */
export function hasOtherFigures(metrics: readonly Metric[]): boolean {
  return metrics.some((metric) => metric.type !== 'CPU' && metric.type !== 'Memory' && isPlausible(metric));
}

function isCpuUse({ type, operator }: Metric): boolean {
  return type === 'CPU' && (operator === 'AVG' || operator === 'Latest');
}

/** Negative and non-finite samples count as not there. */
function isPlausible({ value }: Metric): boolean {
  return Number.isFinite(value) && value >= 0;
}
