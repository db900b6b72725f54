import { helpText } from '@catamaran/platform';
import { CONFIG_OPTIONS, readConfigCheckOptions } from '../config/options.js';
import { type Command, done } from './command.js';

export const configCommand: Command = {
  name: 'config',
  summary: "Checks a scheduler's configuration file and names everything that is wrong with it.",
  run: async ({ argv, env }) => {
    const options = readConfigCheckOptions(argv, env);
    if (options === undefined) {
      const program = {
        name: 'catamaran config',
        summary: configCommand.summary,
        usage: 'check FILE [flags]',
      };
      process.stdout.write(helpText(program, CONFIG_OPTIONS));
      return undefined;
    }
    const { checkConfig } = await import('../config/check.js');
    return done(checkConfig(options, (line) => void process.stdout.write(`${line}\n`)));
  },
};
