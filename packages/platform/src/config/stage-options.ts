import type { Result } from '@catamaran/model';
import { maskUserPart } from './mask-secrets.js';
import { misspeltEnvNotes } from './misspelt-env.js';
import { didYouMean } from './nearest-name.js';
import type { OptionSpec, OptionTable, OptionValues } from './option-spec.js';
import { decodeJson, decodeText } from './option-value.js';
import { parseArgv } from './parse-argv.js';

export type OptionOrigin = 'flag' | 'env' | 'file' | 'default';

export interface OptionSources {
  /** Without the program's own name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A parsed configuration file, whose keys are those of the table. */
  readonly file?: { readonly path: string; readonly values: Readonly<Record<string, unknown>> };
  /** Variables that the program reads outside the table, so that they don't count as misspelt. */
  readonly alsoReadEnv?: readonly string[];
  /** Words that are not flags are given back; otherwise they are a problem. */
  readonly allowPositionals?: boolean;
}

export type StagedOptions<T extends OptionTable> =
  | {
      readonly ok: true;
      /** Frozen, by key of the table; durations in milliseconds. */
      readonly values: OptionValues<T>;
      readonly origins: { readonly [K in keyof T]: OptionOrigin };
      /** Things to log at start: deprecated and effectless options, variables that look misspelt. */
      readonly notes: readonly string[];
      /** `--help` or `-h` was given: values are then the defaults, whatever else was said. */
      readonly helpRequested: boolean;
      readonly positionals: readonly string[];
    }
  | {
      readonly ok: false;
      /** One sentence for each thing that is wrong, beginning with the flag, variable or file key. */
      readonly problems: readonly string[];
      /** What could be read, so that checks of the caller's own can report in the same breath. */
      readonly values: OptionValues<T>;
    };

/**
 * Reads a program's options. A flag beats the environment, that beats the file, that beats the default; all problems
 * are reported at once. Repeated lists and maps add up, of other repeated flags the last counts.
 * @throws TypeError when a default in the table is not of its option's type.
 */
export function stageOptions<const T extends OptionTable>(
  table: T,
  sources: OptionSources,
): StagedOptions<T> {
  const argv = parseArgv(table, sources.argv);
  const staging = new Staging(table);
  if (!argv.helpRequested) {
    staging.readFile(sources.file);
    staging.readEnv(sources);
    staging.readFlags(argv.flags);
    staging.problems.push(...argv.problems);
    if (sources.allowPositionals !== true) {
      staging.refusePositionals(argv.positionals, sources.argv);
    }
  }
  const values = Object.freeze(staging.values) as OptionValues<T>;
  if (staging.problems.length > 0) {
    return { ok: false, problems: staging.problems, values };
  }
  return {
    ok: true,
    values,
    origins: Object.freeze(staging.origins) as { readonly [K in keyof T]: OptionOrigin },
    notes: staging.notes,
    helpRequested: argv.helpRequested,
    positionals: argv.positionals,
  };
}

class Staging {
  readonly values: Record<string, unknown> = {};
  readonly origins: Record<string, OptionOrigin> = {};
  readonly notes: string[] = [];
  readonly problems: string[] = [];
  readonly #table: OptionTable;

  constructor(table: OptionTable) {
    this.#table = table;
    for (const [key, spec] of Object.entries(table)) {
      this.values[key] = defaultValue(spec);
      this.origins[key] = 'default';
    }
  }

  readFile(file: OptionSources['file']): void {
    for (const [key, value] of Object.entries(file?.values ?? {})) {
      const path = `${file?.path ?? ''}: ${key}`;
      const spec = Object.hasOwn(this.#table, key) ? this.#table[key] : undefined;
      if (spec === undefined) {
        this.problems.push(`${path}: unknown key${didYouMean(key, Object.keys(this.#table))}`);
      } else {
        this.#set({ key, spec, origin: 'file', spelling: path }, decodeJson(spec, value));
      }
    }
  }

  readEnv(sources: OptionSources): void {
    const known: string[] = [];
    for (const [key, spec] of Object.entries(this.#table)) {
      if (spec.env === undefined) {
        continue;
      }
      known.push(spec.env);
      const text = sources.env[spec.env];
      if (text !== undefined && (text !== '' || spec.type === 'boolean')) {
        this.#set({ key, spec, origin: 'env', spelling: spec.env }, decodeText(spec, text, 'env'));
      }
    }
    this.notes.push(...misspeltEnvNotes(sources.env, known, sources.alsoReadEnv ?? []));
  }

  readFlags(
    flags: readonly { readonly key: string; readonly text: string; readonly spelling: string }[],
  ): void {
    for (const { key, text, spelling } of flags) {
      const spec = this.#table[key];
      if (spec !== undefined) {
        this.#set({ key, spec, origin: 'flag', spelling }, decodeText(spec, text, 'flag'));
      }
    }
  }

  refusePositionals(positionals: readonly string[], argv: readonly string[]): void {
    for (const word of positionals) {
      const before = argv[argv.indexOf(word) - 1] ?? '';
      const spec = Object.values(this.#table).find(({ name }) => before === `--${name}`);
      const remedy = spec?.type === 'boolean' ? `; a boolean takes its value after =: ${before}=${word}` : '';
      this.problems.push(`${maskUserPart(word)}: unexpected argument${remedy}`);
    }
  }

  #set(
    source: { key: string; spec: OptionSpec; origin: OptionOrigin; spelling: string },
    decoded: Result<unknown>,
  ): void {
    const { key, spec, origin, spelling } = source;
    if (!decoded.ok) {
      this.problems.push(`${spelling}: ${decoded.problem}`);
      return;
    }
    const repeated = origin === 'flag' && this.origins[key] === 'flag';
    this.values[key] = freeze(repeated ? joined(this.values[key], decoded.value) : decoded.value);
    this.origins[key] = origin;
    if (!repeated) {
      this.#note(spec, spelling);
    }
  }

  #note(spec: OptionSpec, spelling: string): void {
    if (spec.noEffect !== undefined) {
      this.notes.push(`${spelling} is accepted but has no effect: ${spec.noEffect}`);
    } else if (spec.deprecated !== undefined) {
      this.notes.push(`${spelling} is deprecated: ${spec.deprecated}`);
    }
  }
}

function defaultValue(spec: OptionSpec): unknown {
  if (spec.default === undefined) {
    return undefined;
  }
  const decoded = decodeJson(spec, spec.default);
  if (!decoded.ok) {
    throw new TypeError(`the default of --${spec.name}: ${decoded.problem}`);
  }
  return freeze(decoded.value);
}

function joined(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) {
    return [...(earlier as unknown[]), ...(later as unknown[])];
  }
  return isObject(earlier) && isObject(later) ? { ...earlier, ...later } : later;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function freeze(value: unknown): unknown {
  return isObject(value) ? Object.freeze(value) : value;
}
