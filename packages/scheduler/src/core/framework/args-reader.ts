import { nearestName } from '@catamaran/model';
import type { ArgsNote, ArgsOutcome } from '../config/args-validator.js';
import { areRelated, fieldPath } from '../config/value-path.js';

/** Reads plugin arguments field by field and collects everything that is wrong with them. */
export class ArgsReader {
  readonly problems: ArgsNote[] = [];
  readonly warnings: ArgsNote[] = [];
  /** Paths that misspelt fields were most likely meant for. */
  readonly #meant: string[] = [];

  outcome(value: unknown): ArgsOutcome {
    const { problems, warnings } = this;
    return problems.length > 0 ? { ok: false, problems, warnings } : { ok: true, value, warnings };
  }

  problem(path: string, text: string): void {
    this.problems.push({ path, text });
  }

  warn(path: string, text: string): void {
    this.warnings.push({ path, text });
  }

  /** A problem with what is not given; said only where nothing was said of the same place, above or below it. */
  missing(path: string, text: string): void {
    if (!this.isReported(path)) this.problem(path, text);
  }

  /** Whether there is a problem with this value, with what holds it or with a part of it, be it a misspelt name. */
  isReported(path: string): boolean {
    const places = [...this.problems.map((problem) => problem.path), ...this.#meant];
    return places.some((place) => areRelated(place, path));
  }

  /** The fields of a map; absent counts as empty, an unknown field is a problem. */
  map(value: unknown, path: string, known: readonly string[]): Readonly<Record<string, unknown>> {
    if (value === undefined || value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      this.problem(path, `expected a map, got ${describe(value)}`);
      return {};
    }
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) this.#unknown(key, path, known);
    }
    return value as Readonly<Record<string, unknown>>;
  }

  #unknown(key: string, path: string, known: readonly string[]): void {
    const nearest = nearestName(key, known);
    if (nearest !== undefined) this.#meant.push(fieldPath(path, nearest));
    const remedy =
      nearest === undefined ? `the fields are ${known.join(', ')}` : `did you mean "${nearest}"?`;
    this.problem(fieldPath(path, key), `unknown field "${key}": ${remedy}`);
  }

  /** The items of a list; absent counts as empty. */
  list(value: unknown, path: string): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.problem(path, `expected a list, got ${describe(value)}`);
    return [];
  }

  string(value: unknown, path: string): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    const remedy = typeof value === 'number' ? ': quote it' : '';
    this.problem(path, `expected a string, got ${describe(value)}${remedy}`);
    return undefined;
  }

  boolean(value: unknown, path: string): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'boolean') return value;
    const remedy = value === 'true' || value === 'false' ? ': remove the quotes' : '';
    this.problem(path, `expected true or false, got ${describe(value)}${remedy}`);
    return undefined;
  }

  integer(value: unknown, path: string): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    const remedy = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? ': remove the quotes' : '';
    this.problem(path, `expected a whole number, got ${describe(value)}${remedy}`);
    return undefined;
  }

  number(value: unknown, path: string): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    const remedy = typeof value === 'string' && NUMBER.test(value) ? ': remove the quotes' : '';
    this.problem(path, `expected a finite number, got ${describe(value)}${remedy}`);
    return undefined;
  }

  choice<T extends string>(value: unknown, path: string, choices: readonly T[]): T | undefined {
    const text = this.string(value, path);
    if (text === undefined) return undefined;
    const found = choices.find((choice) => choice === text);
    if (found === undefined) this.problem(path, `"${text}" is not one of ${choices.join(', ')}`);
    return found;
  }
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
