import { type Command, done } from './command.js';

export const pictureCommand: Command = {
  name: 'picture',
  summary: 'Prints a frame of the demo and its result, as docs/assets/demo.txt shows them.',
  run: async ({ log, stop }) => {
    log.setLevel('warn');
    const { demoPicture } = await import('../demo/picture.js');
    process.stdout.write(`${(await demoPicture(log, stop)).join('\n')}\n`);
    return done(0);
  },
};
