// Mocha's dots and failures on stdout, then what was skipped by name, closed by the one line that people and CI read:
// "N passed, N failed[, N skipped]".
'use strict';

const { reporters, Runner } = require('mocha');

class SummaryReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    this.skipped = [];
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => this.skipped.push(test.fullTitle()));
  }

  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    for (const title of this.skipped) {
      process.stdout.write(`skipped: ${title}\n`);
    }
    process.stdout.write(
      `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`,
    );
  }
}

module.exports = SummaryReporter;
