import { SUITES } from './suites.js';

// Runs the suite that the first argument names and hands its report to the parent process. Signals end it by `exit`,
// so that what the suite has started ends with it.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
const suite = SUITES.find(({ name }) => name === process.argv[2]);
const report = await suite?.run((line) => process.stderr.write(`  ${line}\n`));
process.send?.(report, () => process.exit(0));
