import { OperatorError } from '@catamaran/platform';
import type { Explanation } from '@catamaran/scheduler';

type Json = Readonly<Record<string, unknown>>;

/**
 * The newest decision of an answer of `/debug/decisions`; undefined when there is none.
 * @throws OperatorError when it is something else.
 */
export function newestDecision(body: unknown): Explanation | undefined {
  const items = isMap(body) ? body.items : undefined;
  if (!Array.isArray(items)) throw notADecision();
  return items.length === 0 ? undefined : decisionOf(items[0]);
}

/** @throws OperatorError when it is no decision. */
export function decisionOf(value: unknown): Explanation {
  const isDecision =
    isMap(value) &&
    ['pod', 'time', 'profile', 'outcome'].every((field) => typeof value[field] === 'string') &&
    (value.chosen === null || typeof value.chosen === 'string') &&
    typeof value.omittedNodes === 'number' &&
    Array.isArray(value.nodes) &&
    value.nodes.every(isNode);
  if (!isDecision) throw notADecision();
  return value as unknown as Explanation;
}

function isNode(value: unknown): boolean {
  return (
    isMap(value) && typeof value.name === 'string' && isMap(value.scores) && typeof value.total === 'number'
  );
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notADecision(): OperatorError {
  return new OperatorError(
    "the answer is no decision of Catamaran's scheduler: is --scheduler its secure port, and of this version?",
  );
}
