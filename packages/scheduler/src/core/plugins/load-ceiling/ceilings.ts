import { isPercent } from '../../signals/signal-args.js';
import { type Ceilings, isLoad } from './args.js';

/** The ceilings that an annotation sets; null: none holds for that name. */
export type CeilingOverrides = ReadonlyMap<string, number | null>;

const NO_OVERRIDES: CeilingOverrides = new Map();
const PART = /^\s*([a-z0-9][-a-z0-9]*)\s*=\s*(off|\d{1,3}(?:\.\d+)?)\s*$/;

/**
 * Reads `cpu=95,memory=off`, or `off` for all. Parts that can't be read, and percentages that are none, change nothing:
 * a slip of the pen must not lift a ceiling.
 */
export function readCeilingAnnotation(text: string | undefined, names: readonly string[]): CeilingOverrides {
  if (text === undefined) return NO_OVERRIDES;
  if (text.trim() === 'off') return new Map(names.map((name) => [name, null]));
  const overrides = new Map<string, number | null>();
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = PART.exec(part) ?? [];
    if (!names.includes(name)) continue;
    if (value === 'off') overrides.set(name, null);
    else if (isPercent(Number(value), !isLoad(name))) overrides.set(name, Number(value));
  }
  return overrides;
}

/** The ceilings with the overrides in their place; later ones win. */
export function withOverrides(ceilings: Ceilings, overrides: readonly CeilingOverrides[]): Ceilings {
  if (overrides.every(({ size }) => size === 0)) return ceilings;
  const changed: Record<string, number> = { ...ceilings };
  for (const [name, ceiling] of overrides.flatMap((each) => [...each])) {
    if (ceiling === null) delete changed[name];
    else changed[name] = ceiling;
  }
  return changed;
}
