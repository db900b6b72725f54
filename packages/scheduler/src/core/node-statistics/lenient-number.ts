import type { ArgsReader } from '../framework/args-reader.js';

interface Leniency {
  readonly path: string;
  readonly fallback: number;
  readonly isFine: (value: number) => boolean;
  /** What to give instead: `1 or more`. */
  readonly want: string;
}

/** A number, or the default where it is left out. What is out of range means the default, as in Trimaran, with a warning. */
export function orDefault(
  reader: ArgsReader,
  value: number | undefined,
  { path, fallback, isFine, want }: Leniency,
): number {
  if (value === undefined || isFine(value)) return value ?? fallback;
  reader.warn(path, `${value} means the default ${fallback}: give ${want}, or leave it out`);
  return fallback;
}
