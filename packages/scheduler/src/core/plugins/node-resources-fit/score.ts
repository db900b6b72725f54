import { addInt64, type Int64, mulDivInt64, subInt64 } from '@catamaran/model';
import type { RowKernel } from '../../framework/plugin.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { ResourceWeight, ScoringStrategy, ShapePoint } from './args.js';
import { type AskedResource, allocatableOf, countedAllocatable, nonZeroRequest } from './resource-use.js';
import { meanKernel } from './row-kernel.js';

const MAX_NODE_SCORE = 100;
/** Shape points score 0..10. */
const SHAPE_SCALE = 10;

/** Score 0..100 of a node with the pod on it, in 64-bit whole numbers as kube-scheduler computes it. */
export interface Strategy {
  score(node: NodeInfo, resources: readonly AskedResource[]): number;
  readonly kernel?: RowKernel<readonly AskedResource[]>;
}

export function compileStrategy(
  { type, requestedToCapacityRatio }: ScoringStrategy,
  resources: readonly ResourceWeight[],
): Strategy {
  const amounts = { allocatable: allocatableOf, used: nonZeroRequest };
  switch (type) {
    case 'LeastAllocated':
      return {
        score: (node, asked) => weightedMean(node, asked, leastAllocated),
        kernel: meanKernel(
          {
            resources,
            exceeded: 0,
            scoreOf: (used, all) => Math.floor(((all - used) * MAX_NODE_SCORE) / all),
          },
          amounts,
        ),
      };
    case 'MostAllocated':
      return {
        score: (node, asked) => weightedMean(node, asked, mostAllocated),
        kernel: meanKernel(
          {
            resources,
            exceeded: MAX_NODE_SCORE,
            scoreOf: (used, all) => Math.floor((used * MAX_NODE_SCORE) / all),
          },
          amounts,
        ),
      };
    case 'RequestedToCapacityRatio': {
      const shape = requestedToCapacityRatio?.shape ?? [];
      return { score: (node, asked) => ratioMean(node, asked, shape) };
    }
  }
}

/** @param allocatable above 0. */
export function leastAllocated(requested: Int64, allocatable: Int64): number {
  if (requested > allocatable) return 0;
  return Number(mulDivInt64(subInt64(allocatable, requested), MAX_NODE_SCORE, allocatable));
}

/** @param allocatable above 0. */
export function mostAllocated(requested: Int64, allocatable: Int64): number {
  return Number(mulDivInt64(requested > allocatable ? allocatable : requested, MAX_NODE_SCORE, allocatable));
}

function requestedWith(node: NodeInfo, { name, asked }: AskedResource): Int64 {
  return addInt64(nonZeroRequest(node, name), asked);
}

function weightedMean(
  node: NodeInfo,
  resources: readonly AskedResource[],
  scoreOf: (requested: Int64, allocatable: Int64) => number,
): number {
  let sum = 0;
  let weights = 0;
  for (const resource of resources) {
    const allocatable = countedAllocatable(node, resource);
    if (allocatable === 0) continue;
    sum += scoreOf(requestedWith(node, resource), allocatable) * resource.weight;
    weights += resource.weight;
  }
  return weights === 0 ? 0 : Math.floor(sum / weights);
}

/** Resources that score 0 are left out of the mean, which is rounded. */
function ratioMean(
  node: NodeInfo,
  resources: readonly AskedResource[],
  shape: readonly ShapePoint[],
): number {
  let sum = 0;
  let weights = 0;
  for (const resource of resources) {
    const allocatable = countedAllocatable(node, resource);
    if (allocatable === 0) continue;
    const requested = requestedWith(node, resource);
    const percent = requested > allocatable ? 100 : Number(mulDivInt64(requested, 100, allocatable));
    const score = alongShape(shape, percent);
    if (score <= 0) continue;
    sum += score * resource.weight;
    weights += resource.weight;
  }
  return weights === 0 ? 0 : Math.round(sum / weights);
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
