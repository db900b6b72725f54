import { helpText, stageOptions, UsageError } from '@catamaran/platform';
import { RECORDING_FORMATS } from '../conformance/recording-formats.js';
import { runConformance } from '../conformance/run.js';
import { type Command, done } from './command.js';

export const conformanceCommand: Command = {
  name: 'conformance',
  summary: 'Replays recordings of the systems we replace and says where we differ.',
  run: async ({ argv, env }) => {
    const staged = stageOptions({}, { argv, env, allowPositionals: true });
    if (!staged.ok) throw new UsageError(staged.problems);
    if (staged.helpRequested) {
      const program = { name: 'catamaran conformance', summary: conformanceCommand.summary, usage: 'PATH…' };
      process.stdout.write(helpText(program, {}));
      return undefined;
    }
    if (staged.positionals.length === 0) {
      throw new UsageError(['no path given: name files or folders of recordings, such as conformance/']);
    }
    const writeLine = (line: string): void => {
      process.stdout.write(`${line}\n`);
    };
    return done(await runConformance(staged.positionals, { formats: RECORDING_FORMATS, writeLine }));
  },
};
