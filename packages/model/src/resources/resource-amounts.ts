import type { ResourceList } from '../kubernetes/meta.js';
import { addInt64, type Int64, maxInt64 } from '../quantity/int64.js';
import { parseQuantity, quantityMilliValue, quantityValue } from '../quantity/quantity.js';

/**
 * Whole amounts by resource name: `cpu` in milli-CPU, everything else in its own unit (bytes, pieces). A name that is
 * absent was not stated, which is not the same as 0.
 */
export type ResourceAmounts = ReadonlyMap<string, Int64>;

export const NO_AMOUNTS: ResourceAmounts = new Map();

/** A quantity that could not be used: its field counts as missing, the others stand. */
export interface QuantityProblem {
  /** Path inside the object, as people write it: `spec.containers[app].resources.requests.cpu`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Reads a resource list; each quantity is rounded up on its own.
 *
 * @param problems collects what was left out: texts that are no quantity, and negative amounts.
 */
export function readAmounts(
  list: ResourceList | undefined,
  path: string,
  problems: QuantityProblem[],
): ResourceAmounts {
  if (list === undefined || list === null) return NO_AMOUNTS;
  const amounts = new Map<string, Int64>();
  for (const name of Object.keys(list)) {
    const amount = readAmount(name, list[name], { path: `${path}.${name}`, problems });
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

interface Report {
  readonly path: string;
  readonly problems: QuantityProblem[];
}

/** Most quantities are a plain whole number, `m` or not: these need no big numbers. */
const PLAIN = /^(\d{1,12})(m?)$/;

function readAmount(name: string, text: unknown, report: Report): Int64 | undefined {
  const plain = typeof text === 'string' ? PLAIN.exec(text) : null;
  if (plain !== null) return plainAmount(name, Number(plain[1]), plain[2] === 'm');
  const parsed = parseQuantity(text);
  if (!parsed.ok) {
    report.problems.push({ path: report.path, text: parsed.problem });
    return undefined;
  }
  const amount = name === 'cpu' ? quantityMilliValue(parsed.value) : quantityValue(parsed.value);
  if (amount >= 0) return amount;
  report.problems.push({ path: report.path, text: `"${String(text)}" is negative; amounts are 0 or more` });
  return undefined;
}

function plainAmount(name: string, digits: number, milli: boolean): number {
  if (name === 'cpu') return milli ? digits : digits * 1000;
  return milli ? Math.ceil(digits / 1000) : digits;
}

/** Sum for each name; a name that only one side states is kept. */
export function addAmounts(a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  return merge(a, b, addInt64);
}

/** The larger for each name; a name that only one side states is kept. */
export function maxAmounts(a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  return merge(a, b, maxInt64);
}

function merge(
  a: ResourceAmounts,
  b: ResourceAmounts,
  combine: (x: Int64, y: Int64) => Int64,
): ResourceAmounts {
  const merged = new Map(a);
  for (const [name, amount] of b) {
    const other = merged.get(name);
    merged.set(name, other === undefined ? amount : combine(other, amount));
  }
  return merged;
}
