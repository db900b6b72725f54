import { isJsonObject, type JsonObject } from '../api/merge-patch.js';

/** The text at a path of an object; empty when there is none. */
export function textAt(object: object, ...path: readonly string[]): string {
  const value = valueAt(object, path);
  return typeof value === 'string' ? value : '';
}

/** The objects in the list at a path. */
export function objectsAt(object: object, ...path: readonly string[]): readonly JsonObject[] {
  const value = valueAt(object, path);
  return Array.isArray(value) ? (value as readonly unknown[]).filter((item) => isJsonObject(item)) : [];
}

/** Text for a cell: `<none>` where there is nothing to say. */
export function orNone(text: string): string {
  return text === '' ? '<none>' : text;
}

export function valueAt(object: object, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) {
    if (!isJsonObject(value)) return undefined;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
