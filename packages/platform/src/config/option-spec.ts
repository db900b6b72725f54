export type OptionType = 'string' | 'boolean' | 'integer' | 'number' | 'duration' | 'list' | 'map';

/** One option of a program: how it is spelt on the command line and in the environment, and what it may be. */
export interface OptionSpec {
  /** Flag name without dashes, kebab-case. */
  readonly name: string;
  /** Environment variable that sets it too. An empty variable counts as unset (for booleans: as false). */
  readonly env?: string;
  readonly type: OptionType;
  /** Of the option's own type; for `duration` a Go duration such as `1m30s`. */
  readonly default?: string | boolean | number | readonly string[] | Readonly<Record<string, string>>;
  /** One sentence for `--help` and the reference page. */
  readonly description: string;
  /** The value is never printed; of an address with a `user part` only that is not. */
  readonly secret?: boolean | 'user part';
  /** Not to be set by a configuration file: it says where that file is. */
  readonly onlyFlag?: boolean;
  /** One letter, for `-v 6`, `-v=6` and `-v6`. */
  readonly shorthand?: string;
  /** Allowed values of a string, or of each item of a list. */
  readonly choices?: readonly string[];
  /** Bounds of a number, inclusive; of a duration in milliseconds. */
  readonly min?: number;
  readonly max?: number;
  /** What to use instead; using the option gives a note. */
  readonly deprecated?: string;
  /** What a flag without a value stands for, as in `--version`; it then never takes the next word. A boolean's is `true`. */
  readonly alone?: string;
  /** Heading in `--help`; `Flags` unless given. */
  readonly group?: string;
  /** Accepted, but nothing happens: one line says why. */
  readonly noEffect?: string;
}

/** Options by the name under which the program reads them (camelCase); also their keys in a configuration file. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

type Plain<S extends OptionSpec> = S['type'] extends 'boolean'
  ? boolean
  : S['type'] extends 'integer' | 'number' | 'duration'
    ? number
    : S['type'] extends 'list'
      ? readonly string[]
      : S['type'] extends 'map'
        ? Readonly<Record<string, string>>
        : S extends { readonly choices: readonly (infer Choice extends string)[] }
          ? Choice
          : string;

/** Value of an option; durations are milliseconds. Undefined only where the option has no default. */
export type OptionValue<S extends OptionSpec> = S extends {
  readonly default: string | boolean | number | object;
}
  ? Plain<S>
  : Plain<S> | undefined;

export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]: OptionValue<T[K]> };

/** Keeps the literal types of a table, from which `stageOptions` derives the type of each value. */
export function defineOptions<const T extends OptionTable>(table: T): T {
  return table;
}
