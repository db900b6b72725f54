import { reportDecisions } from './report-decide.js';

/** `node --expose-gc bench/dist/scheduler/decisions.js`: decisions a second, as Markdown. */
reportDecisions((line) => {
  process.stdout.write(`${line}\n`);
});
