import type { LabelSelectorRequirement } from '@catamaran/model';

export type Labels = Readonly<Record<string, string>>;

export const NO_LABELS: Labels = {};

/**
 * One expression of a selector. `Gt` and `Lt` (node selectors only) compare whole numbers; an unknown operator, or a
 * `Gt`/`Lt` without exactly one whole number, matches nothing.
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

function compares(
  value: string | undefined,
  values: readonly string[],
  test: (a: bigint, b: bigint) => boolean,
): boolean {
  const [limit] = values;
  if (value === undefined || limit === undefined || values.length !== 1) return false;
  return WHOLE_NUMBER.test(value) && WHOLE_NUMBER.test(limit) && test(BigInt(value), BigInt(limit));
}
