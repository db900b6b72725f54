/** JSON without functions and undefined. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 7386: objects merge, null removes, everything else replaces. */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, applyMergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** Without the fields that are null, at any depth: writing null says the same as leaving out. */
export function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, withoutNestedNulls(value)]),
  );
}

function withoutNestedNulls(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutNestedNulls);
  return isJsonObject(value) ? withoutNulls(value) : value;
}
