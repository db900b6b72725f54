import { helpText, runMain } from '@catamaran/platform';
import { BENCH_OPTIONS, readBenchOptions } from './options.js';
import { describeMachine } from './report/machine.js';
import { writePages } from './report/pages.js';
import { reportLines } from './report/text.js';
import type { Report } from './suite.js';
import { runSuite } from './suite-process.js';
import { SUITES } from './suites.js';

const HELP = {
  name: 'npm run bench --',
  summary: 'Measures ours against named rivals, in one run on this machine.',
  usage: '[NAME…] [flags]',
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await runMain('bench', async ({ argv, stop }) => {
  const options = readBenchOptions(
    argv,
    SUITES.map(({ name }) => name),
  );
  if (options === undefined) {
    print(helpText(HELP, BENCH_OPTIONS));
    print('Benchmarks:');
    for (const { name, summary } of SUITES) print(`  ${name.padEnd(24)}${summary}`);
    return undefined;
  }
  const machine = describeMachine();
  print(machine);
  const reports = new Map<string, Report>();
  for (const suite of SUITES.filter(({ name }) => options.names.includes(name))) {
    print(`\n${suite.name}: ${suite.summary}`);
    const report = await runSuite(suite, stop);
    if ('skipped' in report) {
      print(`  skipped: ${report.skipped}`);
      continue;
    }
    reports.set(suite.name, report);
    reportLines(report).forEach(print);
  }
  if (options.write) writePages(reports, machine).forEach(print);
  return undefined;
});
