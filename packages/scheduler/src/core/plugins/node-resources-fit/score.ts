import { mulDivInt64, subInt64 } from '@catamaran/model';
import { CPU_AND_MEMORY, type ResourceWeight, type ScoringStrategy, type ShapePoint } from './args.js';
import type { ResourceUse } from './resource-use.js';

const MAX_NODE_SCORE = 100;
/** Shape points score 0..10. */
const SHAPE_SCALE = 10;

export type ResourceUseOf = (name: string) => ResourceUse | undefined;

/** Score 0..100 of a node from the use of its resources, in 64-bit whole numbers as kube-scheduler computes it. */
export type Strategy = (useOf: ResourceUseOf) => number;

export function compileStrategy({ type, resources, requestedToCapacityRatio }: ScoringStrategy): Strategy {
  const weighted = resources === undefined || resources.length === 0 ? CPU_AND_MEMORY : resources;
  switch (type) {
    case 'LeastAllocated':
      return (useOf) => weightedMean(weighted, useOf, leastAllocated);
    case 'MostAllocated':
      return (useOf) => weightedMean(weighted, useOf, mostAllocated);
    case 'RequestedToCapacityRatio': {
      const shape = requestedToCapacityRatio?.shape ?? [];
      return (useOf) => ratioMean(weighted, useOf, shape);
    }
  }
}

export function leastAllocated({ allocatable, requested }: ResourceUse): number {
  if (requested > allocatable) return 0;
  return Number(mulDivInt64(subInt64(allocatable, requested), MAX_NODE_SCORE, allocatable));
}

export function mostAllocated({ allocatable, requested }: ResourceUse): number {
  return Number(mulDivInt64(requested > allocatable ? allocatable : requested, MAX_NODE_SCORE, allocatable));
}

function weightedMean(
  resources: readonly ResourceWeight[],
  useOf: ResourceUseOf,
  scoreOf: (use: ResourceUse) => number,
): number {
  let sum = 0;
  let weights = 0;
  for (const { name, weight } of resources) {
    const use = useOf(name);
    if (use === undefined) continue;
    sum += scoreOf(use) * weight;
    weights += weight;
  }
  return weights === 0 ? 0 : Math.floor(sum / weights);
}

/** Resources that score 0 are left out of the mean, which is rounded. */
function ratioMean(
  resources: readonly ResourceWeight[],
  useOf: ResourceUseOf,
  shape: readonly ShapePoint[],
): number {
  let sum = 0;
  let weights = 0;
  for (const { name, weight } of resources) {
    const use = useOf(name);
    const score = use === undefined ? 0 : alongShape(shape, utilization(use));
    if (score <= 0) continue;
    sum += score * weight;
    weights += weight;
  }
  return weights === 0 ? 0 : Math.round(sum / weights);
}

function utilization({ allocatable, requested }: ResourceUse): number {
  return requested > allocatable ? 100 : Number(mulDivInt64(requested, 100, allocatable));
}

/** The broken line through the points, in whole numbers truncated toward zero. */
export function alongShape(shape: readonly ShapePoint[], percent: number): number {
  let before: ShapePoint | undefined;
  for (const point of shape) {
    if (percent <= point.utilization) {
      if (before === undefined) return point.score * SHAPE_SCALE;
      const rise = (point.score - before.score) * SHAPE_SCALE;
      const run = point.utilization - before.utilization;
      return before.score * SHAPE_SCALE + Math.trunc((rise * (percent - before.utilization)) / run);
    }
    before = point;
  }
  return (before?.score ?? 0) * SHAPE_SCALE;
}
