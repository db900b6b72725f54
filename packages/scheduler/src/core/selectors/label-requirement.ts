import type { LabelSelectorRequirement } from '@catamaran/model';

export type Labels = Readonly<Record<string, string>>;

export const NO_LABELS: Labels = {};

/**
 * One expression of a selector. `Gt` and `Lt` (node selectors only) compare whole numbers; an unknown operator, or a
 * `Gt`/`Lt` without exactly one whole number of 64 bits, matches nothing.
 */
export function requirementMatches(requirement: LabelSelectorRequirement, labels: Labels): boolean {
  const { key, operator, values = [] } = requirement;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return compares(value, values, (a, b) => a > b);
    case 'Lt':
      return compares(value, values, (a, b) => a < b);
    default:
      return false;
  }
}

const WHOLE_NUMBER = /^[+-]?\d+$/;
const INT64_BITS = 64;

function compares(
  value: string | undefined,
  values: readonly string[],
  test: (a: bigint, b: bigint) => boolean,
): boolean {
  const [limit] = values;
  if (value === undefined || limit === undefined || values.length !== 1) return false;
  const [a, b] = [int64(value), int64(limit)];
  return a !== undefined && b !== undefined && test(a, b);
}

/** As kube-scheduler reads it: a number that does not fit into 64 bits is none. */
function int64(text: string): bigint | undefined {
  if (!WHOLE_NUMBER.test(text)) return undefined;
  const number = BigInt(text);
  return BigInt.asIntN(INT64_BITS, number) === number ? number : undefined;
}
