/** A remark on plugin arguments; `path` is relative to `args`, for example `metricProvider.type`. */
export interface ArgsNote {
  readonly path: string;
  /** What is wrong, with the value, the limit and the remedy. */
  readonly text: string;
}

export type ArgsOutcome =
  | { readonly ok: true; readonly value: unknown; readonly warnings: readonly ArgsNote[] }
  | { readonly ok: false; readonly problems: readonly ArgsNote[]; readonly warnings: readonly ArgsNote[] };

/** Checks the decoded `args` of one plugin (undefined: not given) and fills in its defaults. */
export type ArgsValidator = (args: unknown) => ArgsOutcome;
