#!/usr/bin/env node
import { runMain } from '@catamaran/platform';
import { configCommand } from './commands/config-command.js';
import { conformanceCommand } from './commands/conformance-command.js';
import { demoCommand } from './commands/demo-command.js';
import { dispatch } from './commands/dispatch.js';
import { explainCommand } from './commands/explain-command.js';
import { pictureCommand } from './commands/picture-command.js';

await runMain('catamaran', (context) =>
  dispatch([demoCommand, explainCommand, configCommand, conformanceCommand, pictureCommand], context),
);
