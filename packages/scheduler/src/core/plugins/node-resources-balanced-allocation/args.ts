import type { ResourceWeight } from '../node-resources-fit/args.js';

export interface NodeResourcesBalancedAllocationArgs {
  /** Which resources should be used evenly; weights are always 1. */
  readonly resources: readonly ResourceWeight[];
}
