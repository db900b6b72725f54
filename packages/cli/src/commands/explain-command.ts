import { helpText } from '@catamaran/platform';
import { EXPLAIN_OPTIONS, readExplainOptions } from '../explain/options.js';
import { type Command, done } from './command.js';

const DEFAULT_COLUMNS = 80;

export const explainCommand: Command = {
  name: 'explain',
  summary: 'Says why a running scheduler put a pod where it did, or where it would put one.',
  run: async ({ argv, env, stop }) => {
    const options = readExplainOptions(argv, env);
    if (options === undefined) {
      const program = {
        name: 'catamaran explain',
        summary: explainCommand.summary,
        usage: 'NAMESPACE/POD | pod/NAME [-n NAMESPACE] | --file FILE [flags]',
      };
      process.stdout.write(helpText(program, EXPLAIN_OPTIONS));
      return undefined;
    }
    const { explainDecision } = await import('../explain/explain.js');
    const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);
    const columns = process.stdout.columns ?? DEFAULT_COLUMNS;
    await explainDecision(options, { columns, writeLine }, stop);
    return done(0);
  },
};
