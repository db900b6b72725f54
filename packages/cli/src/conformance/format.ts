/** Outcome of replaying one recorded entry. `skipped` is only for plugins or formats that have no code yet. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly expected: string; readonly got: string }
  | { readonly kind: 'skipped'; readonly why: string };

export interface Entry {
  /** Unique within the file, for the report. */
  readonly id: string;
  run(): Outcome | Promise<Outcome>;
}

/** A recording format: recognises a parsed file and lists its entries. */
export interface RecordingFormat {
  readonly name: string;
  /**
   * @param documents the file's JSON documents: one for a .json file, one a line for .jsonl.
   * @returns undefined when the file is of another format.
   */
  entries(documents: readonly unknown[]): readonly Entry[] | undefined;
}
