import { type Int64, subInt64 } from '@catamaran/model';
import type { Rejection, RejectionCode, RowKernel } from '../../framework/plugin.js';
import type { NodeAmounts } from '../../state/node-amounts.js';
import type { NodeInfo } from '../../state/node-info.js';
import { NAME } from './name.js';

/** Whether the filter leaves an extended resource out. */
export type IsIgnored = (resourceName: string) => boolean;

/**
 * All shortfalls of a node, in kube-scheduler's order; undefined when the pod fits. Unresolvable when the pod asks for
 * more of something than the node has at all.
 */
export function shortfalls(wanted: NodeAmounts, node: NodeInfo, isIgnored: IsIgnored): Rejection | undefined {
  const { allocatable, requested } = node;
  const reasons: string[] = [];
  let code: RejectionCode = 'Unschedulable';
  if (node.pods.length + 1 > node.allocatablePods) reasons.push('Too many pods');
  const check = (name: string, amount: Int64, limit: { all: Int64; used: Int64 }): void => {
    if (amount <= 0 || amount <= subInt64(limit.all, limit.used)) return;
    reasons.push(`Insufficient ${name}`);
    if (amount > limit.all) code = 'UnschedulableAndUnresolvable';
  };
  check('cpu', wanted.cpuMilli, { all: allocatable.cpuMilli, used: requested.cpuMilli });
  check('memory', wanted.memoryBytes, { all: allocatable.memoryBytes, used: requested.memoryBytes });
  check('ephemeral-storage', wanted.ephemeralStorageBytes, {
    all: allocatable.ephemeralStorageBytes,
    used: requested.ephemeralStorageBytes,
  });
  for (const name of [...wanted.others.keys()].sort()) {
    if (isIgnored(name)) continue;
    const all = allocatable.others.get(name) ?? 0;
    check(name, wanted.others.get(name) ?? 0, { all, used: requested.others.get(name) ?? 0 });
  }
  return reasons.length === 0 ? undefined : { plugin: NAME, code, reasons };
}

/** The same question without the reasons: nothing is allocated for the many nodes that fit. */
export function fits(wanted: NodeAmounts, node: NodeInfo, isIgnored: IsIgnored): boolean {
  const { allocatable, requested } = node;
  if (node.pods.length + 1 > node.allocatablePods) return false;
  if (!leaves(wanted.cpuMilli, allocatable.cpuMilli, requested.cpuMilli)) return false;
  if (!leaves(wanted.memoryBytes, allocatable.memoryBytes, requested.memoryBytes)) return false;
  const storage = wanted.ephemeralStorageBytes;
  if (!leaves(storage, allocatable.ephemeralStorageBytes, requested.ephemeralStorageBytes)) return false;
  if (wanted.others.size === 0) return true;
  for (const [name, amount] of wanted.others) {
    if (isIgnored(name)) continue;
    if (!leaves(amount, allocatable.others.get(name) ?? 0, requested.others.get(name) ?? 0)) return false;
  }
  return true;
}

function leaves(amount: Int64, all: Int64, used: Int64): boolean {
  return amount <= 0 || amount <= subInt64(all, used);
}

/** What the pod wants, and whether CPU, memory and a place are all of it. */
export interface Wanted {
  readonly amounts: NodeAmounts;
  readonly cpuMilli: number;
  readonly memoryBytes: number;
}

/** CPU and memory are NaN when they must be compared beyond 2^53, or when the pod wants other things too. */
export function wanted(amounts: NodeAmounts): Wanted {
  const { cpuMilli, memoryBytes, ephemeralStorageBytes, others } = amounts;
  const simple =
    ephemeralStorageBytes === 0 &&
    others.size === 0 &&
    typeof cpuMilli === 'number' &&
    typeof memoryBytes === 'number';
  return {
    amounts,
    cpuMilli: simple ? cpuMilli : Number.NaN,
    memoryBytes: simple ? memoryBytes : Number.NaN,
  };
}

/** Free CPU, free memory, free places. */
export const fitKernel: RowKernel<Wanted> = {
  width: 3,
  digest: ({ allocatable, requested, allocatablePods, pods }, _state, row) => {
    row[0] = plainNumber(subInt64(allocatable.cpuMilli, requested.cpuMilli));
    row[1] = plainNumber(subInt64(allocatable.memoryBytes, requested.memoryBytes));
    row[2] = plainNumber(subInt64(allocatablePods, pods.length));
  },
  value: ({ cpuMilli, memoryBytes }, table, at) => {
    const freeCpu = table[at] ?? Number.NaN;
    const freeMemory = table[at + 1] ?? Number.NaN;
    const places = table[at + 2] ?? Number.NaN;
    if (Number.isNaN(cpuMilli + memoryBytes + freeCpu + freeMemory + places)) return Number.NaN;
    const fitting = places >= 1 && (cpuMilli <= 0 || cpuMilli <= freeCpu);
    return fitting && (memoryBytes <= 0 || memoryBytes <= freeMemory) ? 1 : 0;
  },
};

/** NaN for what a double can't hold. */
function plainNumber(amount: Int64): number {
  return typeof amount === 'number' ? amount : Number.NaN;
}
