import { didYouMean, problem, type Result } from '@catamaran/model';
import { maskUserPart } from './mask-secrets.js';
import type { OptionOrigin, OptionOrigins, OptionSources, StagedOptions } from './option-sources.js';
import type { OptionSpec, OptionTable, OptionValues } from './option-spec.js';
import { decodeJson, decodeText } from './option-value.js';
import { placeInFile } from './options-file.js';
import { parseArgv } from './parse-argv.js';
import { secretProblem } from './secret-in-file.js';
import { unknownEnv } from './unknown-env.js';

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
  const origins = Object.freeze(staging.origins) as OptionOrigins<T>;
  if (staging.problems.length > 0) {
    return { ok: false, problems: staging.problems, values, origins };
  }
  return {
    ok: true,
    values,
    origins,
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
    if (file === undefined) {
      return;
    }
    this.problems.push(...(file.problems ?? []));
    for (const [key, value] of Object.entries(file.values)) {
      const spec = Object.hasOwn(this.#table, key) ? this.#table[key] : undefined;
      const line = file.lines?.[key];
      if (spec === undefined || spec.onlyFlag === true) {
        this.problems.push(placeInFile(file.path, line, `${key}: unknown key${this.#meantKey(key)}`));
        continue;
      }
      const secret = secretProblem(this.#table, { key, spec, value });
      const decoded = secret === undefined ? decodeJson(spec, value) : problem(secret);
      const placed = decoded.ok ? decoded : problem(placeInFile(file.path, line, decoded.problem));
      this.#set({ key, spec, origin: 'file', spelling: key }, placed);
    }
  }

  /** People write keys as flags, too. */
  #meantKey(written: string): string {
    const keys = Object.keys(this.#table).filter((key) => this.#table[key]?.onlyFlag !== true);
    const byFlag = keys.find((key) => this.#table[key]?.name === written);
    return byFlag === undefined ? didYouMean(written, keys) : `; did you mean ${byFlag}?`;
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
    const unknown = unknownEnv(sources.env, {
      known,
      alsoRead: sources.alsoReadEnv ?? [],
      ownPrefixes: sources.ownEnvPrefixes ?? [],
      sharedPrefixes: sources.sharedEnvPrefixes ?? [],
    });
    this.problems.push(...unknown.problems);
    this.notes.push(...unknown.notes);
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
