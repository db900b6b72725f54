// `npm run fix`: what a machine can mend of what `npm run check` finds.
import { FIXES } from './check/steps.mjs';
import { runTool } from './check/tools.mjs';

let exitCode = 0;
for (const tool of FIXES) {
  exitCode = (await runTool(tool)) === 0 ? exitCode : 1;
}
process.exitCode = exitCode;
