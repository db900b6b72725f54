// `npm run check`: every step runs even when an earlier one fails; each failure names the command that mends it.
import { STEPS } from './check/steps.mjs';
import { runTool } from './check/tools.mjs';

const failed = [];
for (const step of STEPS) {
  const started = Date.now();
  process.stdout.write(`\n— ${step.name}\n`);
  let good = true;
  for (const tool of step.tools) {
    good = (await runTool(tool)) === 0 && good;
  }
  const took = `${((Date.now() - started) / 1000).toFixed(1)} s`;
  if (good) {
    process.stdout.write(`  ok (${took})\n`);
  } else {
    failed.push(step);
    process.stdout.write(`  failed (${took}); to mend it: ${step.mend}\n`);
  }
}
if (failed.length > 0) {
  process.stdout.write(`\n${failed.length} of ${STEPS.length} checks failed:\n`);
  for (const { name, mend } of failed) {
    process.stdout.write(`  ${name}: ${mend}\n`);
  }
} else {
  process.stdout.write(`\nall ${STEPS.length} checks passed\n`);
}
process.exitCode = failed.length > 0 ? 1 : 0;
