import type { OptionTable, OptionValues } from './option-spec.js';
import type { OptionsFile } from './options-file.js';

export type OptionOrigin = 'flag' | 'env' | 'file' | 'default';

export type OptionOrigins<T extends OptionTable> = { readonly [K in keyof T]: OptionOrigin };

export interface OptionSources {
  /** Without the program's own name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A configuration file, whose keys are those of the table. */
  readonly file?: OptionsFile;
  /** Variables that the program reads outside the table, so that they don't count as misspelt. */
  readonly alsoReadEnv?: readonly string[];
  /** Variables that begin so are this program's own: an unknown one is a problem, not somebody else's. */
  readonly ownEnvPrefixes?: readonly string[];
  /** Of variables that others have, too: only a near miss of a known name is a problem. */
  readonly sharedEnvPrefixes?: readonly string[];
  /** Words that are not flags are given back; otherwise they are a problem. */
  readonly allowPositionals?: boolean;
}

export type StagedOptions<T extends OptionTable> =
  | {
      readonly ok: true;
      /** Frozen, by key of the table; durations in milliseconds. */
      readonly values: OptionValues<T>;
      readonly origins: OptionOrigins<T>;
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
      readonly origins: OptionOrigins<T>;
    };
