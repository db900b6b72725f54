import { helpText } from '@catamaran/platform';
import { CONFIG_OPTIONS, readConfigOptions } from '../config/options.js';
import { type Command, done } from './command.js';

export const configCommand: Command = {
  name: 'config',
  summary: "Checks a scheduler's configuration file, or converts an old one to v1.",
  run: async ({ argv, env, stop }) => {
    const options = readConfigOptions(argv, env);
    if (options === undefined) {
      const program = {
        name: 'catamaran config',
        summary: configCommand.summary,
        usage: 'check|convert FILE [flags]',
      };
      process.stdout.write(helpText(program, CONFIG_OPTIONS));
      return undefined;
    }
    const write = (text: string): void => void process.stdout.write(text);
    if (options.action === 'check') {
      const { checkConfig } = await import('../config/check.js');
      return done(await checkConfig(options, (line) => write(`${line}\n`), stop));
    }
    const { convertConfig } = await import('../config/convert.js');
    const tell = (line: string): void => void process.stderr.write(`${line}\n`);
    return done(await convertConfig(options, { write, tell }, stop));
  },
};
