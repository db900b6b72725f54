/** Something wrong with a plugin's arguments. */
export interface ArgsProblem {
  /** Below the arguments: `targetUtilization`, `scoringStrategy.resources[0].weight`; empty for the whole. */
  readonly path: string;
  /** Value, limit and remedy. */
  readonly text: string;
  /** For an unknown field: the fields there are, so that the nearest can be named. */
  readonly known?: readonly string[];
}

/** Arguments with defaults applied, or all problems at once. Warnings don't stop the start. */
export type ArgsOutcome<Args> =
  | { readonly ok: true; readonly args: Args; readonly warnings: readonly ArgsProblem[] }
  | { readonly ok: false; readonly problems: readonly ArgsProblem[] };

/** Reads arguments field by field and collects what is wrong with them. */
export class ArgsReader {
  readonly problems: ArgsProblem[] = [];
  readonly warnings: ArgsProblem[] = [];

  outcome<Args>(args: () => Args): ArgsOutcome<Args> {
    if (this.problems.length > 0) return { ok: false, problems: this.problems };
    return { ok: true, args: args(), warnings: this.warnings };
  }

  problem(path: string, text: string): void {
    this.problems.push({ path, text });
  }

  warn(path: string, text: string): void {
    this.warnings.push({ path, text });
  }

  /** The fields of a map; absent counts as empty. `apiVersion` and `kind` are allowed on the arguments themselves. */
  map(value: unknown, path: string, known: readonly string[]): Readonly<Record<string, unknown>> {
    if (value === undefined || value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      this.problem(path, `expected a map, got ${describe(value)}`);
      return {};
    }
    const allowed = path === '' ? [...known, 'apiVersion', 'kind'] : known;
    for (const key of Object.keys(value)) {
      if (allowed.includes(key)) continue;
      this.problems.push({ path: join(path, key), text: 'unknown field', known });
    }
    return value as Readonly<Record<string, unknown>>;
  }

  list(value: unknown, path: string): readonly unknown[] | undefined {
    if (value === undefined || value === null) return undefined;
    if (Array.isArray(value)) return value as readonly unknown[];
    this.problem(path, `expected a list, got ${describe(value)}`);
    return undefined;
  }

  string(value: unknown, path: string): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    this.problem(path, `expected a string, got ${describe(value)}: quote it`);
    return undefined;
  }

  boolean(value: unknown, path: string): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'boolean') return value;
    this.problem(path, `expected true or false, got ${describe(value)}`);
    return undefined;
  }

  integer(value: unknown, path: string): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    const remedy = typeof value === 'string' && /^[+-]?\d+$/.test(value) ? ': remove the quotes' : '';
    this.problem(path, `expected a whole number, got ${describe(value)}${remedy}`);
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

export function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? `"${value}"` : String(value);
}
