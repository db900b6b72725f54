import { expect } from 'chai';
import {
  balancingSettings,
  LOAD_VARIATION_RISK_BALANCING_DEFAULTS,
  readLoadVariationRiskBalancingArgs,
} from './args.js';

function problems(raw: unknown): readonly string[] {
  const outcome = readLoadVariationRiskBalancingArgs(raw);
  return outcome.ok ? [] : outcome.problems.map(({ path, text }) => `${path}: ${text}`);
}

describe('LoadVariationRiskBalancing arguments', () => {
  it('nothing gives the defaults of upstream', () => {
    const outcome = readLoadVariationRiskBalancingArgs(undefined);
    expect(outcome).to.deep.equal({
      ok: true,
      warnings: [],
      value: {
        ...LOAD_VARIATION_RISK_BALANCING_DEFAULTS,
        metricProvider: { type: 'KubernetesMetricsServer' },
      },
    });
    expect(LOAD_VARIATION_RISK_BALANCING_DEFAULTS).to.include({
      safeVarianceMargin: 1,
      safeVarianceSensitivity: 1,
      unmeasuredPods: 'upstream',
    });
  });

  it('whole numbers, fractions and 0 are taken as they are', () => {
    const outcome = readLoadVariationRiskBalancingArgs({
      safeVarianceMargin: 0,
      safeVarianceSensitivity: 2.5,
      watcherAddress: 'http://127.0.0.1:2020',
    });
    expect(outcome.ok ? outcome.value : outcome).to.include({
      safeVarianceMargin: 0,
      safeVarianceSensitivity: 2.5,
      watcherAddress: 'http://127.0.0.1:2020',
    });
  });

  it('negative numbers mean the default, with a warning', () => {
    const outcome = readLoadVariationRiskBalancingArgs({
      safeVarianceMargin: -3,
      safeVarianceSensitivity: -0.5,
    });
    expect(outcome.ok ? outcome.value : outcome).to.include({
      safeVarianceMargin: 1,
      safeVarianceSensitivity: 1,
    });
    expect(outcome.warnings).to.deep.equal([
      { path: 'safeVarianceMargin', text: '-3 means the default 1: give 0 or more, or leave it out' },
      { path: 'safeVarianceSensitivity', text: '-0.5 means the default 1: give 0 or more, or leave it out' },
    ]);
  });

  it('every problem is told at once', () => {
    expect(
      problems({
        safeVarianceMargin: '2',
        safeVarianceSensitivity: Number.NaN,
        SafeVarianceMargin: 1,
        missingMetrics: 'ignore',
        watcherAddress: '',
      }),
    ).to.deep.equal([
      'SafeVarianceMargin: unknown field "SafeVarianceMargin": did you mean "safeVarianceMargin"?',
      'safeVarianceMargin: expected a finite number, got "2": remove the quotes',
      'safeVarianceSensitivity: expected a finite number, got NaN',
      'watcherAddress: it is empty: give a URL such as http://127.0.0.1:2020, or leave it out',
      'missingMetrics: "ignore" is not one of zeroScore, skip, useRequests, error',
    ]);
  });

  it('pods that are not measured yet count only when that is asked for', () => {
    const counts = (unmeasuredPods: 'upstream' | 'count' | 'ignore'): boolean =>
      balancingSettings({ unmeasuredPods }).load.countsUnmeasured;
    expect([counts('upstream'), counts('count'), counts('ignore')]).to.deep.equal([false, true, false]);
  });
});
