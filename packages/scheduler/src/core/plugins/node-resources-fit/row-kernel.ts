import type { Int64 } from '@catamaran/model';
import type { RowKernel } from '../../framework/plugin.js';
import type { NodeInfo } from '../../state/node-info.js';
import { type AskedResource, isAlwaysCounted } from './resource-use.js';

/** Above this a hundredfold is no safe integer: such amounts are left to 64-bit arithmetic. */
const MAX_PLAIN_AMOUNT = 2 ** 53 / 100;

/** NaN for what a row can't hold exactly. */
export function plainAmount(amount: Int64): number {
  return typeof amount === 'number' && amount <= MAX_PLAIN_AMOUNT ? amount : Number.NaN;
}

interface MeanKernel {
  readonly resources: readonly Pick<AskedResource, 'name' | 'weight'>[];
  /** Both above 0 or 0, `requested` not above `allocatable`. */
  readonly scoreOf: (requested: number, allocatable: number) => number;
  /** The score of a resource that is asked for more than there is. */
  readonly exceeded: number;
}

/** The weighted mean of `score.ts` for resources in plain numbers: two numbers a resource, what there is and is used. */
export function meanKernel(
  { resources, scoreOf, exceeded }: MeanKernel,
  amountsOf: {
    readonly allocatable: (node: NodeInfo, name: string) => Int64;
    readonly used: (node: NodeInfo, name: string) => Int64;
  },
): RowKernel<readonly AskedResource[]> {
  return {
    width: 2 * resources.length,
    digest: (node, _state, row) => {
      resources.forEach(({ name }, index) => {
        row[2 * index] = plainAmount(amountsOf.allocatable(node, name));
        row[2 * index + 1] = plainAmount(amountsOf.used(node, name));
      });
    },
    value: (asked, table, at) => {
      let sum = 0;
      let weights = 0;
      let cell = at;
      for (const resource of asked) {
        const allocatable = table[cell] ?? Number.NaN;
        const requested = (table[cell + 1] ?? Number.NaN) + plainAmount(resource.asked);
        cell += 2;
        if (Number.isNaN(allocatable + requested)) return Number.NaN;
        if (allocatable === 0 || !isAlwaysCounted(resource)) continue;
        const score = requested > allocatable ? exceeded : scoreOf(requested, allocatable);
        sum += score * resource.weight;
        weights += resource.weight;
      }
      return weights === 0 ? 0 : Math.floor(sum / weights);
    },
  };
}
