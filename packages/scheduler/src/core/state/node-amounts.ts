import { addInt64, type Int64, type ResourceAmounts } from '@catamaran/model';

/** The resources every node has in a field of their own; all others (extended, huge pages) by name. */
export interface NodeAmounts {
  readonly cpuMilli: Int64;
  readonly memoryBytes: Int64;
  readonly ephemeralStorageBytes: Int64;
  readonly others: ResourceAmounts;
}

export function toNodeAmounts(amounts: ResourceAmounts): NodeAmounts {
  const others = new Map(amounts);
  for (const name of ['cpu', 'memory', 'ephemeral-storage', 'pods']) others.delete(name);
  return {
    cpuMilli: amounts.get('cpu') ?? 0,
    memoryBytes: amounts.get('memory') ?? 0,
    ephemeralStorageBytes: amounts.get('ephemeral-storage') ?? 0,
    others: others.size === 0 ? NO_OTHERS : others,
  };
}

const NO_OTHERS: ResourceAmounts = new Map();

export const ZERO_AMOUNTS: NodeAmounts = {
  cpuMilli: 0,
  memoryBytes: 0,
  ephemeralStorageBytes: 0,
  others: NO_OTHERS,
};

export function addNodeAmounts(a: NodeAmounts, b: NodeAmounts): NodeAmounts {
  return {
    cpuMilli: addInt64(a.cpuMilli, b.cpuMilli),
    memoryBytes: addInt64(a.memoryBytes, b.memoryBytes),
    ephemeralStorageBytes: addInt64(a.ephemeralStorageBytes, b.ephemeralStorageBytes),
    others: addOthers(a.others, b.others),
  };
}

function addOthers(a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, addInt64(sum.get(name) ?? 0, amount));
  return sum;
}
