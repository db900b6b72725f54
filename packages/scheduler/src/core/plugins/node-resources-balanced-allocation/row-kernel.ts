import type { RowKernel } from '../../framework/plugin.js';
import { type AskedResource, allocatableOf, statedRequest } from '../node-resources-fit/resource-use.js';
import { plainAmount } from '../node-resources-fit/row-kernel.js';
import { evennessOfTwo, improvement } from './score.js';

const ALLOCATABLE = 0;
const USED = 1;
const EVENNESS = 4;

/**
 * The score for two resources that every node has: for each what there is and is used, then the evenness without the
 * pod. Undefined for other sets of resources, and NaN for nodes that lack one of the two.
 */
export function balancedKernel(names: readonly string[]): RowKernel<readonly AskedResource[]> | undefined {
  const [first, second] = names;
  if (first === undefined || second === undefined || names.length !== 2) return undefined;
  if (!names.every((name) => name === 'cpu' || name === 'memory')) return undefined;
  return {
    width: 5,
    digest: (node, _state, row) => {
      [first, second].forEach((name, index) => {
        row[2 * index + ALLOCATABLE] = plainAmount(allocatableOf(node, name)) || Number.NaN;
        row[2 * index + USED] = plainAmount(statedRequest(node, name));
      });
      row[EVENNESS] = evennessOfTwo(share(row, 0, 0), share(row, 2, 0));
    },
    value: ([a, b], table, at) => {
      if (a === undefined || b === undefined) return Number.NaN;
      const after = evennessOfTwo(
        share(table, at, plainAmount(a.asked)),
        share(table, at + 2, plainAmount(b.asked)),
      );
      return improvement(table[at + EVENNESS] ?? Number.NaN, after);
    },
  };
}

function share(table: Float64Array, at: number, asked: number): number {
  const allocatable = table[at + ALLOCATABLE] ?? Number.NaN;
  return Math.min(1, ((table[at + USED] ?? Number.NaN) + asked) / allocatable);
}
