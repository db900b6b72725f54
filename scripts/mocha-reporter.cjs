// Mocha's spec reporter on stdout, closed by the one line that people and CI read: "N passed, N failed".
'use strict';

const { reporters } = require('mocha');

class SummaryReporter extends reporters.Dot {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const skipped = pending > 0 ? `, ${pending} skipped` : '';
    process.stdout.write(`${passes} passed, ${failures} failed${skipped}\n`);
  }
}

module.exports = SummaryReporter;
