import { isJsonObject } from './merge-patch.js';

/** What JSON a field takes; fields that are not named take anything. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  /** A quantity, or a port: both kinds of value are written both ways. */
  | 'scalar'
  | { readonly listOf: Shape }
  | { readonly mapOf: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

/** Where a value is not of its shape, in the words of a decoder: `spec.containers: expected a list, got boolean`. */
export function shapeProblems(value: unknown, shape: Shape, path = ''): string[] {
  if (typeof shape === 'string') {
    const fits = shape === 'scalar' ? ['string', 'number'].includes(typeof value) : typeof value === shape;
    const wanted = shape === 'scalar' ? 'string or number' : shape;
    return fits ? [] : [`${path}: expected ${wanted}, got ${typeName(value)}`];
  }
  if ('listOf' in shape) {
    if (!Array.isArray(value)) return [`${path}: expected a list, got ${typeName(value)}`];
    return value.flatMap((item, index) => shapeProblems(item, shape.listOf, `${path}[${index}]`));
  }
  if (!isJsonObject(value)) return [`${path}: expected an object, got ${typeName(value)}`];
  return Object.entries(value).flatMap(([key, entry]) => {
    const below = path === '' ? key : `${path}.${key}`;
    if ('mapOf' in shape) return shapeProblems(entry, shape.mapOf, below);
    const known = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    return known === undefined ? [] : shapeProblems(entry, known, below);
  });
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}
