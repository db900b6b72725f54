import { isMap } from './reading.js';

/** Keys of an answer that hold sentences for people. */
const TOLD = new Set(['errors', 'error', 'message', 'warnings']);
/** Nothing that is told lies deeper. */
const MAX_DEPTH = 4;

/** An answer whose sentences for people are masked; its data stays as it is. */
export function maskTold(value: unknown, mask: (text: string) => string): unknown {
  if (!isMap(value)) return value;
  const told = Object.entries(value).filter(([key]) => TOLD.has(key));
  const masked = told.map(([key, item]) => [key, maskDeep(item, mask)]);
  return told.length === 0 ? value : { ...value, ...(Object.fromEntries(masked) as object) };
}

function maskDeep(value: unknown, mask: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item: unknown) => maskDeep(item, mask, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [mask(key), maskDeep(item, mask, depth + 1)]),
  );
}
