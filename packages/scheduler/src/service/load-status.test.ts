import { type Logger, MetricsRegistry, silentLogger } from '@catamaran/platform';
import { expect } from 'chai';
import { type LoadPolicy, loadPoliciesOf } from './load-source.js';
import { LoadReporter, type LoadStatus } from './load-status.js';
import { schedulerMetrics } from './scheduler-metrics.js';
import { configOf } from './scheduler-world.test.js';

const WATCHER = 'watcherAddress: "http://w:2020"';

type Plugin = readonly [name: string, args: string];

function policyOf(...plugins: readonly Plugin[]): LoadPolicy {
  const named = (wanted: boolean) =>
    plugins.filter(([name]) => (name === 'LoadCeiling') === wanted).map(([name]) => `{name: ${name}}`);
  const args = plugins.map(([name, text]) => `  - {name: ${name}, args: {${WATCHER}, ${text}}}\n`).join('');
  const [policy] = configOf(`profiles:
- schedulerName: packer
  plugins: {score: {enabled: [${named(false).join()}]}, filter: {enabled: [${named(true).join()}]}}
  pluginConfig:
${args}`).profiles.flatMap(loadPoliciesOf);
  if (policy === undefined) throw new Error('no policy');
  return policy;
}

/** The first line that is logged. */
function said(policy: LoadPolicy, status: Partial<LoadStatus>): readonly [string, unknown, unknown] {
  const lines: [string, unknown, unknown][] = [];
  const note = (text: string, fields?: Readonly<Record<string, unknown>>): void =>
    void lines.push([text, fields?.age, fields?.consequence]);
  const log: Logger = { ...silentLogger, info: note, warn: note, with: () => log };
  const reporter = new LoadReporter(policy, { log, metrics: schedulerMetrics(new MetricsRegistry()) });
  reporter.report({ state: 'blind', ageMs: undefined, missingNodes: [], failure: undefined, ...status });
  return lines[0] ?? ['', undefined, undefined];
}

const CEILING: Plugin = ['LoadCeiling', 'ceilings: {cpu: 80}'];

/** Plugins, state and age, what is said to follow. */
const ROWS: readonly (readonly [string, readonly Plugin[], Partial<LoadStatus>, string])[] = [
  [
    'a profile without load scores',
    [CEILING],
    { state: 'stale', ageMs: 301_000 },
    'LoadCeiling lets every node pass (missingMetrics: pass)',
  ],
  [
    'a ceiling that wants figures',
    [['LoadCeiling', 'ceilings: {cpu: 80}, missingMetrics: reject']],
    {},
    'LoadCeiling refuses every node (missingMetrics: reject)',
  ],
  [
    'a score with its defaults',
    [['TargetLoadPacking', '']],
    {},
    'TargetLoadPacking scores every node alike (missingMetrics: zeroScore)',
  ],
  [
    'a score that goes by requests when blind',
    [['LoadVariationRiskBalancing', 'whenBlind: useRequests, missingMetrics: error']],
    {},
    'LoadVariationRiskBalancing goes by requests (whenBlind: useRequests)',
  ],
  [
    'a score that wants figures',
    [['TargetLoadPacking', 'missingMetrics: error']],
    {},
    'TargetLoadPacking fails each attempt (missingMetrics: error)',
  ],
  [
    'a score and a ceiling without any figures',
    [['TargetLoadPacking', 'missingMetrics: skip'], CEILING],
    {},
    'TargetLoadPacking scores every node alike (missingMetrics: skip); LoadCeiling lets every node pass (missingMetrics: pass)',
  ],
  [
    'a score without a limit beside a ceiling with one: only the ceiling suffers',
    [['TargetLoadPacking', 'metricsMaxAge: 0s'], CEILING],
    { state: 'stale', ageMs: 301_000 },
    'LoadCeiling lets every node pass (missingMetrics: pass)',
  ],
];

describe('LoadReporter', () => {
  for (const [sentence, plugins, status, consequence] of ROWS) {
    it(`says what is true for ${sentence}`, () => {
      expect(said(policyOf(...plugins), status)[2]).to.equal(consequence);
    });
  }

  it('does not call figures fresh that no age limits, and tells ages as people do', () => {
    const old: Partial<LoadStatus> = { state: 'fresh', ageMs: 28_439_584_865 };
    for (const args of ['', 'metricsMaxAge: 0s']) {
      expect(said(policyOf(['TargetLoadPacking', args]), old)).to.deep.equal([
        'load figures arrive; no maximum age is set',
        '329d3h',
        undefined,
      ]);
    }
    expect(said(policyOf(CEILING), { state: 'fresh', ageMs: 42_000 })).to.deep.equal([
      'load figures are fresh',
      '42s',
      undefined,
    ]);
  });
});
