/**
 * A failure that whoever runs the program can mend: its message names what is wrong, where, and the remedy. `runMain`
 * prints the message alone, without a stack.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  /** What the process exits with when this ends it. */
  readonly exitCode: number = 1;
}

/** Wrong flags, variables or arguments: exit code 2. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError';
  override readonly exitCode = 2;
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines =
      problems.length === 1
        ? problems
        : [`${problems.length} problems:`, ...problems.map((text) => `  ${text}`)];
    super(`${lines.join('\n')}\nRun with --help for all options.`);
    this.problems = problems;
  }
}
