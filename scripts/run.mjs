// The one entry of all npm scripts: makes the workspace ready (dependencies, compiled code), then runs the command.
// Plain Node.js without dependencies, so that a machine with only Node.js and npm can run it.
import { refuseOldNode } from './node-version.mjs';

refuseOldNode();

const { COMMANDS } = await import('./commands.mjs');
const { makeReady } = await import('./bootstrap.mjs');
const { runChild } = await import('./child.mjs');

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
if (command === undefined) {
  process.stderr.write(`usage: node scripts/run.mjs ${Object.keys(COMMANDS).join('|')} [arguments]\n`);
  process.exit(2);
}
await makeReady({ build: command.needsBuild });
if (command.argv !== undefined) {
  process.exitCode = await runChild(command.argv(args));
}
