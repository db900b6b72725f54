import { helpText } from '@catamaran/platform';
import { DEMO_OPTIONS, readDemoOptions } from '../demo/options.js';
import type { Command } from './command.js';

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Places pods by real load beside the same workload placed by requests, on an embedded cluster.',
  run: async (context) => {
    const options = readDemoOptions(context.argv, context.env);
    if (options === undefined) {
      process.stdout.write(helpText({ name: 'catamaran demo', summary: demoCommand.summary }, DEMO_OPTIONS));
      return undefined;
    }
    const { startDemo } = await import('../demo/demo.js');
    return startDemo(options, context);
  },
};
