/** A JSON object. */
export type JsonMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
