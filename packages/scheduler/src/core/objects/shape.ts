/** A field that is not of the type Kubernetes gives it. It counts as missing. */
export interface FieldDamage {
  /** As people write it: `spec.tolerations[0].key`. */
  readonly path: string;
  /** `expected a list, got a string`. */
  readonly text: string;
}

/**
 * What a part of an object must look like. As in Go's decoder, null stands for absent and unknown fields are nobody's
 * business.
 */
export interface Shape {
  /** Quick: most objects are as they should be. */
  fits(value: unknown): boolean;
  /** The value without nulls and without what does not fit; undefined where nothing is left. */
  mend(value: unknown, path: string, damage: FieldDamage[]): unknown;
}

/** Of one JSON type. */
function scalar(name: string, fits: (value: unknown) => boolean): Shape {
  return {
    fits,
    mend: (value, path, damage) => {
      if (fits(value)) return value;
      if (value !== null && value !== undefined)
        damage.push({ path, text: `expected ${name}, ${got(value)}` });
      return undefined;
    },
  };
}

export const text = scalar('a string', (value) => typeof value === 'string');
export const number = scalar('a number', (value) => typeof value === 'number');
export const flag = scalar('true or false', (value) => typeof value === 'boolean');
/** Looked at elsewhere, or not at all. */
export const anything = scalar('anything', (value) => value !== null && value !== undefined);

export function listOf(item: Shape): Shape {
  return {
    fits: (value) => Array.isArray(value) && value.every((one) => item.fits(one)),
    mend: (value, path, damage) => {
      if (!Array.isArray(value)) return refuse(value, { path, wanted: 'a list', damage });
      return value.flatMap((one, index) => item.mend(one, `${path}[${index}]`, damage) ?? []);
    },
  };
}

/** A map from any name to values of one shape. */
export function mapOf(item: Shape): Shape {
  return {
    fits: (value) => {
      if (!isRecord(value)) return false;
      for (const key in value) if (!item.fits(value[key])) return false;
      return true;
    },
    mend: (value, path, damage) => {
      if (!isRecord(value)) return refuse(value, { path, wanted: 'a map', damage });
      return mended(value, (key) => item.mend(value[key], `${path}.${key}`, damage));
    },
  };
}

/** A map with these fields; others are kept as they are. Without one that is `needed` nothing of it is left. */
export function record(fields: Readonly<Record<string, Shape>>, needed: readonly string[] = []): Shape {
  const shapes = new Map(Object.entries(fields));
  return {
    fits: (value) => {
      if (!isRecord(value)) return false;
      // Objects have few of the fields they could have: this is much quicker than asking for each.
      for (const key in value) {
        const member = value[key];
        if (member !== undefined && shapes.get(key)?.fits(member) === false) return false;
      }
      return needed.every((key) => value[key] !== undefined);
    },
    mend: (value, path, damage) => {
      if (!isRecord(value)) return refuse(value, { path, wanted: 'a map', damage });
      const prefix = path === '' ? '' : `${path}.`;
      const result = mended(value, (key) => {
        const shape = Object.hasOwn(fields, key) ? fields[key] : undefined;
        return shape === undefined ? value[key] : shape.mend(value[key], `${prefix}${key}`, damage);
      });
      const missing = needed.filter((key) => result[key] === undefined);
      for (const key of missing.filter((name) => isAbsent(value[name]))) {
        damage.push({ path: `${prefix}${key}`, text: 'is missing' });
      }
      return missing.length === 0 ? result : undefined;
    },
  };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mended(
  value: Readonly<Record<string, unknown>>,
  mend: (key: string) => unknown,
): Readonly<Record<string, unknown>> {
  const entries = Object.keys(value).flatMap((key) => {
    const member = mend(key);
    return member === undefined ? [] : [[key, member] as const];
  });
  return Object.fromEntries(entries);
}

function refuse(
  value: unknown,
  at: { readonly path: string; readonly wanted: string; readonly damage: FieldDamage[] },
): undefined {
  if (value === null || value === undefined) return undefined;
  at.damage.push({ path: at.path, text: `expected ${at.wanted}, ${got(value)}` });
  return undefined;
}

function got(value: unknown): string {
  if (Array.isArray(value)) return 'got a list';
  if (typeof value === 'object') return 'got a map';
  return `got ${JSON.stringify(value)?.slice(0, 40) ?? typeof value}`;
}
