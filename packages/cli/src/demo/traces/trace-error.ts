import { OperatorError } from '@catamaran/platform';

const SHOWN = 10;

/** A trace folder that can't be used: one sentence for each thing wrong with it, with path, line, column and value. */
export class TraceError extends OperatorError {
  override readonly name = 'TraceError';

  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const shown = problems.slice(0, SHOWN);
    const rest = problems.length - shown.length;
    super([...shown, ...(rest > 0 ? [`and ${rest} more problems of this kind`] : [])].join('\n'));
    this.problems = problems;
  }
}
