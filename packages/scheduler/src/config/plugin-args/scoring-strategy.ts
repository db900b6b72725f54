import {
  choiceReader,
  integerReader,
  isNull,
  listReader,
  objectReader,
  type Reader,
  type Report,
  readString,
} from '../reading.js';
import type { SourceNode } from '../source-node.js';

export interface ResourceWeight {
  readonly name: string;
  readonly weight: number;
}

export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

export type ScoringStrategyType = 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';

export interface ScoringStrategy {
  readonly type: ScoringStrategyType;
  readonly resources: readonly ResourceWeight[];
  readonly requestedToCapacityRatio: { readonly shape: readonly ShapePoint[] } | undefined;
}

const CPU_AND_MEMORY: readonly ResourceWeight[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

const readResource: Reader<ResourceWeight> = (node, report) => {
  const fields = objectReader({ name: readString, weight: integerReader({ min: 0, max: 100 }) })(
    node,
    report,
  );
  if (fields !== undefined && (fields.name === undefined || fields.name === '')) {
    report.missing(node, 'name', 'name is missing: write the resource, such as cpu');
    return undefined;
  }
  // Weight 0 means "not given": kube-scheduler sets 1.
  return fields?.name === undefined ? undefined : { name: fields.name, weight: fields.weight || 1 };
};

export const readResources: Reader<readonly ResourceWeight[]> = listReader(readResource);

export function orCpuAndMemory(resources: readonly ResourceWeight[] | undefined): readonly ResourceWeight[] {
  return resources === undefined || resources.length === 0 ? CPU_AND_MEMORY : resources;
}

const readPoint: Reader<ShapePoint> = (node, report) => {
  const fields = objectReader({
    utilization: integerReader({ min: 0, max: 100 }),
    score: integerReader({ min: 0, max: 10 }),
  })(node, report);
  return fields === undefined
    ? undefined
    : { utilization: fields.utilization ?? 0, score: fields.score ?? 0 };
};

/** A broken line: utilisation must rise strictly. */
export function readShape(node: SourceNode, report: Report): readonly ShapePoint[] | undefined {
  const points = listReader(readPoint)(node, report);
  if (points?.length === 0) {
    report.missing(node, '', 'needs at least one point {utilization, score}');
  }
  if (report.isReported(node.path)) return points;
  points?.forEach((point, index) => {
    const previous = points[index - 1];
    if (previous !== undefined && point.utilization <= previous.utilization) {
      report.problem(
        node,
        `utilization ${point.utilization} of point ${index} must be above ${previous.utilization} of the point before`,
      );
    }
  });
  return points;
}

const strategyShape = {
  type: choiceReader<ScoringStrategyType>(['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio']),
  resources: readResources,
  requestedToCapacityRatio: objectReader({ shape: readShape }),
};

const DEFAULT_STRATEGY: ScoringStrategy = {
  type: 'LeastAllocated',
  resources: CPU_AND_MEMORY,
  requestedToCapacityRatio: undefined,
};

export function readScoringStrategy(node: SourceNode, report: Report): ScoringStrategy | undefined {
  if (isNull(node)) {
    return undefined;
  }
  const fields = objectReader(strategyShape)(node, report);
  if (fields === undefined) {
    return undefined;
  }
  const type = fields.type ?? 'LeastAllocated';
  const shape = fields.requestedToCapacityRatio?.shape;
  if (type === 'RequestedToCapacityRatio' && shape === undefined) {
    report.missing(
      node,
      'requestedToCapacityRatio',
      'type RequestedToCapacityRatio needs requestedToCapacityRatio.shape',
    );
  }
  return {
    type,
    resources: orCpuAndMemory(fields.resources),
    requestedToCapacityRatio: shape === undefined ? undefined : { shape },
  };
}

export function orDefaultStrategy(strategy: ScoringStrategy | undefined): ScoringStrategy {
  return strategy ?? DEFAULT_STRATEGY;
}
