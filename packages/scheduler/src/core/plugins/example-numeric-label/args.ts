import type { ArgsOutcome } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';

export interface NumericLabelArgs {
  /** The node label to read. */
  readonly label: string;
  /** The number that scores 100; larger ones do too. */
  readonly best: number;
}

export const NUMERIC_LABEL_DEFAULTS: NumericLabelArgs = { label: 'example.com/rank', best: 10 };

/** Checks and completes the arguments; all problems at once. */
export function readNumericLabelArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', ['label', 'best']);
  const label = reader.string(fields.label, 'label') ?? NUMERIC_LABEL_DEFAULTS.label;
  const best = reader.integer(fields.best, 'best') ?? NUMERIC_LABEL_DEFAULTS.best;
  if (best < 1) reader.problem('best', `${best} is below 1: give the number that scores 100`);
  return reader.outcome({ label, best });
}
