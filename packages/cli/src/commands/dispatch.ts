import { didYouMean, type MainContext, type RunningProcess, UsageError } from '@catamaran/platform';
import type { Command } from './command.js';

/** Runs the command that the first argument names. Undefined when there was only help to print. */
export function dispatch(
  commands: readonly Command[],
  context: MainContext,
): Promise<RunningProcess | undefined> {
  const [name, ...argv] = context.argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(overview(commands));
    return Promise.resolve(undefined);
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const names = commands.map((candidate) => candidate.name);
    throw new UsageError([`${name}: no such command${didYouMean(name, names)}`]);
  }
  return command.run({ ...context, argv });
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return `Load-aware scheduling for Kubernetes.\n\nUsage: catamaran COMMAND [flags]\n\nCommands:\n${lines.join('\n')}\n\ncatamaran COMMAND --help lists the flags of a command.\n`;
}
