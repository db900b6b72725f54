import { runMain } from '@catamaran/platform';
import { measure } from './benchmark.js';
import { watcherDocumentBenchmarks } from './cases/watcher-document.js';
import { reportLine } from './report.js';
import { reportDecisions } from './scheduler/report-decide.js';

const SIZES = [10, 100, 1000, 5000];

/** `npm run bench [-- WORD…]`: only benchmarks whose name has all the words. */
await runMain('bench', async ({ argv }) => {
  for (const size of SIZES) {
    for (const benchmark of watcherDocumentBenchmarks(size)) {
      if (argv.every((word) => benchmark.name.includes(word))) {
        process.stdout.write(`${reportLine(benchmark, measure(benchmark))}\n`);
      }
    }
  }
  if (argv.every((word) => 'scheduler decisions'.includes(word))) {
    reportDecisions((line) => process.stdout.write(`${line}\n`));
  }
  return undefined;
});
