import { expect } from 'chai';
import { packingSettings, readTargetLoadPackingArgs, type TargetLoadPackingArgs } from './args.js';

function read(raw: unknown): TargetLoadPackingArgs {
  const outcome = readTargetLoadPackingArgs(raw);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value as TargetLoadPackingArgs;
}

function problems(raw: unknown): readonly string[] {
  const outcome = readTargetLoadPackingArgs(raw);
  return outcome.ok ? [] : outcome.problems.map(({ path, text }) => `${path}: ${text}`);
}

function warnings(raw: unknown): readonly string[] {
  return readTargetLoadPackingArgs(raw).warnings.map(({ path, text }) => `${path}: ${text}`);
}

const UNEXPANDED = ['$', '{PROM_URL}'].join('');

/** Arguments, the field's whole problem. */
const REFUSED: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [
    { targetUtilization: 150 },
    "targetUtilization: 150 is above 100: it is a percentage of the node's CPU, give 1 to 100",
  ],
  [
    { targetUtilization: 101 },
    "targetUtilization: 101 is above 100: it is a percentage of the node's CPU, give 1 to 100",
  ],
  [{ targetUtilization: 52.5 }, 'targetUtilization: expected a whole number, got 52.5'],
  [{ targetUtilization: '40' }, 'targetUtilization: expected a whole number, got "40": remove the quotes'],
  [{ defaultRequestsMultiplier: 1.8 }, 'defaultRequestsMultiplier: expected a string, got 1.8: quote it'],
  [{ defaultRequestsMultiplier: 1 }, 'defaultRequestsMultiplier: expected a string, got 1: quote it'],
  [
    { defaultRequestsMultiplier: '' },
    'defaultRequestsMultiplier: an empty text is not a finite decimal number: give one such as "1.5", or leave it out',
  ],
  [
    { defaultRequestsMultiplier: 'abc' },
    'defaultRequestsMultiplier: "abc" is not a finite decimal number: give one such as "1.5", or leave it out',
  ],
  [
    { defaultRequestsMultiplier: '-1' },
    'defaultRequestsMultiplier: "-1" is negative: a pod can\'t be expected to use less than nothing',
  ],
  [
    { defaultRequestsMultiplier: 'NaN' },
    'defaultRequestsMultiplier: "NaN" is not a finite decimal number: give one such as "1.5", or leave it out',
  ],
  [
    { defaultRequestsMultiplier: '1e999' },
    'defaultRequestsMultiplier: "1e999" is not a finite decimal number: give one such as "1.5", or leave it out',
  ],
  [{ defaultRequests: { cpu: '1K' } }, 'defaultRequests.cpu: "1K" has an unknown suffix: did you mean "k"?'],
  [{ defaultRequests: { cpu: '-1' } }, 'defaultRequests.cpu: -1 is negative: give 0 or more'],
  [{ defaultRequests: ['cpu'] }, 'defaultRequests: expected a map such as {cpu: 1000m}'],
  [
    { watcherAddress: '' },
    'watcherAddress: it is empty: give a URL such as http://127.0.0.1:2020, or leave it out',
  ],
  [
    { watcherAddress: 'watcher:2020' },
    'watcherAddress: "watcher:2020" is not a URL: it must begin with http:// or https:// and a host',
  ],
  [
    { watcherAddress: 'u:S?/"@watcher:2020' },
    'watcherAddress: "***@watcher:2020" is not a URL: it must begin with http:// or https:// and a host',
  ],
  [
    { watcherAddress: 'https://u:S/x@y@watcher' },
    'watcherAddress: "https://***@watcher" has an @ after the host: write special characters of user and password percent-encoded',
  ],
  [
    { metricProvider: { type: 'Prometheus', address: UNEXPANDED } },
    `metricProvider.address: "${UNEXPANDED}" is not a URL: an unexpanded variable?`,
  ],
  [
    { metricProvider: { type: 'Prometheus', address: 'http://{{ .Values.host }}' } },
    'metricProvider.address: "http://{{ .Values.host }}" is not a URL: an unrendered template?',
  ],
  [
    { metricProvider: { type: 'Datadog' } },
    'metricProvider.type: "Datadog" is not one of KubernetesMetricsServer, Prometheus, SignalFx',
  ],
  [
    { metricProvider: { Token: 'abc' } },
    'metricProvider.Token: unknown field "Token": did you mean "token"?',
  ],
  [
    { metricProvider: { insecureSkipVerify: 'true' } },
    'metricProvider.insecureSkipVerify: expected true or false, got "true": remove the quotes',
  ],
  [{ metricsMaxAge: 5 }, 'metricsMaxAge: 5 has no unit: write 5s for seconds or 5m for minutes'],
  [
    { metricsMaxAge: '5 minutes' },
    'metricsMaxAge: "5 minutes" is not a duration: give one such as "5m" or "1m30s"',
  ],
  [
    { metricsMaxAge: '-5m' },
    'metricsMaxAge: "-5m" would refuse every figure: give more than 0, or 0s for no limit',
  ],
  [
    { missingMetrics: 'ignore' },
    'missingMetrics: "ignore" is not one of zeroScore, skip, useRequests, error',
  ],
  [{ whenBlind: 'skip' }, 'whenBlind: "skip" is not one of zeroScore, useRequests'],
  [{ unmeasuredPods: true }, 'unmeasuredPods: expected a string, got true'],
];

describe('TargetLoadPacking arguments', () => {
  it("without any they are upstream's defaults", () => {
    expect(read(undefined)).to.deep.equal({
      targetUtilization: 40,
      defaultRequests: { cpu: '1000m' },
      defaultRequestsMultiplier: '1.5',
      metricProvider: { type: 'KubernetesMetricsServer' },
      missingMetrics: 'zeroScore',
      whenBlind: 'zeroScore',
      unmeasuredPods: 'upstream',
    });
  });

  it('as numbers', () => {
    const settings = packingSettings(
      read({
        targetUtilization: 100,
        defaultRequests: { cpu: 0.25 },
        defaultRequestsMultiplier: '1e1',
        metricsMaxAge: '1m30s',
        unmeasuredPods: 'ignore',
      }),
    );
    expect(settings).to.deep.equal({
      targetPercent: 100,
      defaultCpuMilli: 250,
      multiplier: 10,
      maxAgeMs: 90_000,
      missingMetrics: 'zeroScore',
      whenBlind: 'zeroScore',
      countsUnmeasured: false,
    });
  });

  it('default requests without CPU are 0', () => {
    expect(packingSettings(read({ defaultRequests: { memory: '1Gi' } })).defaultCpuMilli).to.equal(0);
  });

  for (const target of [0, -5]) {
    it(`a target of ${target} means the default, with a warning`, () => {
      expect(read({ targetUtilization: target }).targetUtilization).to.equal(40);
      expect(warnings({ targetUtilization: target })).to.deep.equal([
        `targetUtilization: ${target} means the default 40: give 1 to 100, or leave it out`,
      ]);
    });
  }

  it('a watcher address beats the provider, whose type does not matter then', () => {
    const raw = { watcherAddress: 'http://w.example:2020', metricProvider: { type: 'Datadog' } };
    expect(read(raw)).to.deep.include({ watcherAddress: 'http://w.example:2020' });
    expect(read(raw)).not.to.have.property('metricProvider');
    expect(warnings(raw)).to.deep.equal([
      'metricProvider: has no effect beside watcherAddress: remove one of the two',
    ]);
  });

  it('memory in thousandths of a byte is allowed, with a warning', () => {
    expect(warnings({ defaultRequests: { memory: '100m' } })).to.deep.equal([
      'defaultRequests.memory: "100m" is thousandths of a byte: did you mean "M" or "Mi"?',
    ]);
  });

  for (const [raw, problem] of REFUSED) {
    it(`refuses ${JSON.stringify(raw)}`, () => {
      expect(problems(raw)).to.deep.equal([problem]);
    });
  }

  it('tells all problems at once', () => {
    expect(
      problems({ targetUtilization: 101, defaultRequestsMultiplier: 2, targetUtilisation: 3 }),
    ).to.have.length(3);
  });
});
