import { expect } from 'chai';
import {
  LOW_RISK_OVER_COMMITMENT_DEFAULTS,
  overCommitmentSettings,
  readLowRiskOverCommitmentArgs,
} from './args.js';

/** Given, weights. */
const WEIGHTS: readonly (readonly [unknown, { readonly cpu: number; readonly memory: number }])[] = [
  [undefined, { cpu: 0.5, memory: 0.5 }],
  [{}, { cpu: 0.5, memory: 0.5 }],
  [
    { cpu: 0, memory: 1 },
    { cpu: 0, memory: 1 },
  ],
  [{ cpu: 1 }, { cpu: 1, memory: 0.5 }],
  [{ memory: 0.2 }, { cpu: 0.5, memory: 0.2 }],
  [
    { cpu: -1, memory: 2 },
    { cpu: 0.5, memory: 0.5 },
  ],
  [
    { cpu: null, memory: 0.3 },
    { cpu: 0.5, memory: 0.3 },
  ],
];

function value(raw: unknown): unknown {
  const outcome = readLowRiskOverCommitmentArgs(raw);
  return outcome.ok ? outcome.value : outcome.problems;
}

function warnings(raw: unknown): readonly string[] {
  return readLowRiskOverCommitmentArgs(raw).warnings.map(({ path, text }) => `${path}: ${text}`);
}

describe('LowRiskOverCommitment arguments', () => {
  it('nothing gives the defaults of upstream', () => {
    expect(readLowRiskOverCommitmentArgs(undefined)).to.deep.equal({
      ok: true,
      warnings: [],
      value: { ...LOW_RISK_OVER_COMMITMENT_DEFAULTS, metricProvider: { type: 'KubernetesMetricsServer' } },
    });
    expect(LOW_RISK_OVER_COMMITMENT_DEFAULTS.smoothingWindowSize).to.equal(5);
  });

  for (const [given, weights] of WEIGHTS) {
    it(`weights ${JSON.stringify(given)} are ${JSON.stringify(weights)}`, () => {
      expect(value({ riskLimitWeights: given })).to.deep.include({ riskLimitWeights: weights });
    });
  }

  for (const size of [0, -7]) {
    it(`a window of ${size} means the default, with a warning`, () => {
      expect(value({ smoothingWindowSize: size })).to.deep.include({ smoothingWindowSize: 5 });
      expect(warnings({ smoothingWindowSize: size })).to.deep.equal([
        `smoothingWindowSize: ${size} means the default 5: give 1 or more, or leave it out`,
      ]);
    });
  }

  it('warns of weights that are not used as they are', () => {
    expect(warnings({ riskLimitWeights: { cpu: -1, memory: 2, 'nvidia.com/gpu': 0.1 } })).to.deep.equal([
      'riskLimitWeights.cpu: -1 means the default 0.5: give 0 to 1, or leave it out',
      'riskLimitWeights.memory: 2 means the default 0.5: give 0 to 1, or leave it out',
      'riskLimitWeights.nvidia.com/gpu: has no effect: only cpu and memory are weighted',
    ]);
  });

  it('every problem is told at once', () => {
    const raw = {
      smoothingWindowSize: '5',
      riskLimitWeights: { cpu: '0.5', memory: [] },
      riskLimitWeight: 0.5,
    };
    const outcome = readLowRiskOverCommitmentArgs(raw);
    expect(outcome.ok ? [] : outcome.problems.map(({ path, text }) => `${path}: ${text}`)).to.deep.equal([
      'riskLimitWeight: unknown field "riskLimitWeight": did you mean "riskLimitWeights"?',
      'smoothingWindowSize: expected a whole number, got "5": remove the quotes',
      'riskLimitWeights.cpu: expected a finite number, got "0.5": remove the quotes',
      'riskLimitWeights.memory: expected a finite number, got a list',
    ]);
    expect(readLowRiskOverCommitmentArgs({ riskLimitWeights: 0.5 })).to.deep.include({
      problems: [{ path: 'riskLimitWeights', text: 'expected a map, got 0.5' }],
    });
  });

  it('settings hold what the plugin uses', () => {
    const { load, ...own } = overCommitmentSettings({ smoothingWindowSize: 3, unmeasuredPods: 'count' });
    expect(own).to.deep.equal({ windowSize: 3, weights: { cpu: 0.5, memory: 0.5 } });
    expect([load.countsUnmeasured, overCommitmentSettings({}).load.countsUnmeasured]).to.deep.equal([
      true,
      false,
    ]);
  });
});
