// The reporter of all tests, which also says on stderr what runs and how long it took: a log of an hour shows life,
// and where it stood still.
'use strict';

const { Runner } = require('mocha');
const SummaryReporter = require('../scripts/mocha-reporter.cjs');

const HEARTBEAT_MS = 20_000;

class E2eReporter extends SummaryReporter {
  constructor(runner, options) {
    super(runner, options);
    const { EVENT_HOOK_BEGIN, EVENT_TEST_BEGIN, EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_SUITE_BEGIN } =
      Runner.constants;
    let running = { title: 'nothing yet', sinceMs: Date.now() };
    const begin = (title) => {
      running = { title, sinceMs: Date.now() };
    };
    const seconds = () => ((Date.now() - running.sinceMs) / 1000).toFixed(1);
    runner.on(EVENT_SUITE_BEGIN, (suite) => suite.root || say(`  ${suite.fullTitle()}`));
    runner.on(EVENT_HOOK_BEGIN, (hook) => begin(hook.title));
    runner.on(EVENT_TEST_BEGIN, (test) => begin(test.title));
    runner.on(EVENT_TEST_PASS, (test) => say(`    ✓ ${test.title} (${seconds()} s)`));
    runner.on(EVENT_TEST_FAIL, (test, error) =>
      say(`    ✗ ${test.title} (${seconds()} s): ${error.message}`),
    );
    const heartbeat = setInterval(() => say(`    … ${running.title}, ${seconds()} s`), HEARTBEAT_MS);
    heartbeat.unref();
  }
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

module.exports = E2eReporter;
