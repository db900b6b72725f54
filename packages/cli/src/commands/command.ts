import type { MainContext, RunningProcess } from '@catamaran/platform';

/** A subcommand of `catamaran`. What it needs is imported when it runs, so that help and other commands stay quick. */
export interface Command {
  readonly name: string;
  /** One sentence for the list of commands. */
  readonly summary: string;
  /** @param context its `argv` begins after the command's name. */
  run(context: MainContext): Promise<RunningProcess | undefined>;
}

/** A command that is over when it returns, with the exit code it ended with. */
export function done(exitCode: number): RunningProcess {
  return { close: () => Promise.resolve(), finished: Promise.resolve(exitCode) };
}
