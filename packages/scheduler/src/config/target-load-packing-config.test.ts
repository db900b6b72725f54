import { maskSecrets } from '@catamaran/platform';
import { expect } from 'chai';
import { loadSchedulerConfig } from './load-scheduler-config.js';

const FRAME = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: trimaran
  plugins: {score: {enabled: [{name: TargetLoadPacking}]}}
  pluginConfig:
  - name: TargetLoadPacking
    args:
      ARGS
`;
const ARGS = 'profiles[0].pluginConfig[0].args';

function load(args: string) {
  return loadSchedulerConfig(FRAME.replace('ARGS', args), 'c.yaml');
}

function argsOf(args: string): Record<string, unknown> {
  const loaded = load(args);
  expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
  return loaded.ok
    ? (loaded.config.profiles[0]?.pluginArgs.TargetLoadPacking as Record<string, unknown>)
    : {};
}

/** Field case, arguments, path of the one problem below args, part of its text. */
const REFUSED: readonly (readonly [string, string, string, string])[] = [
  [
    'C39 a capital letter',
    '{metricProvider: {type: Prometheus, address: "http://p", Token: abc}}',
    '.metricProvider.Token',
    'unknown field "Token": did you mean "token"?',
  ],
  [
    'C39 a variable that was not expanded',
    `{metricProvider: {type: Prometheus, address: "$\{PROM_URL}"}}`,
    '.metricProvider.address',
    `"$\{PROM_URL}" is not a URL: an unexpanded variable?`,
  ],
  ['C43 target 150', '{targetUtilization: 150}', '.targetUtilization', '150 is above 100'],
  ['C43 target 101', '{targetUtilization: 101}', '.targetUtilization', '101 is above 100'],
  ['C43 target 52.5', '{targetUtilization: 52.5}', '.targetUtilization', 'expected a whole number, got 52.5'],
  [
    'C43 target as text',
    '{targetUtilization: "40"}',
    '.targetUtilization',
    'expected a whole number, got "40": remove the quotes',
  ],
  [
    'C44 multiplier as number',
    '{defaultRequestsMultiplier: 1.8}',
    '.defaultRequestsMultiplier',
    'expected a string, got 1.8: quote it',
  ],
  ['C44 multiplier 1', '{defaultRequestsMultiplier: 1}', '.defaultRequestsMultiplier', 'quote it'],
  ['C44 empty multiplier', '{defaultRequestsMultiplier: ""}', '.defaultRequestsMultiplier', 'an empty text'],
  ['C44 multiplier abc', '{defaultRequestsMultiplier: abc}', '.defaultRequestsMultiplier', '"abc"'],
  [
    'C44 multiplier -1',
    '{defaultRequestsMultiplier: "-1"}',
    '.defaultRequestsMultiplier',
    '"-1" is negative',
  ],
  ['C44 multiplier NaN', '{defaultRequestsMultiplier: "NaN"}', '.defaultRequestsMultiplier', '"NaN"'],
  ['C44 multiplier Inf', '{defaultRequestsMultiplier: "Inf"}', '.defaultRequestsMultiplier', '"Inf"'],
  [
    'a provider that is not known',
    '{metricProvider: {type: Datadog}}',
    '.metricProvider.type',
    '"Datadog" is not one of',
  ],
  ['a quantity that is none', '{defaultRequests: {cpu: 1x}}', '.defaultRequests.cpu', '1x'],
  [
    'an age without unit',
    '{metricsMaxAge: "300"}',
    '.metricsMaxAge',
    '300 has no unit: write 300s for seconds or 300m for minutes',
  ],
  ['an unknown policy', '{whenBlind: guess}', '.whenBlind', '"guess" is not one of zeroScore, useRequests'],
  [
    'flat keys of 2021',
    '{metricProviderType: Prometheus}',
    '.metricProviderType',
    'unknown field "metricProviderType"',
  ],
  ['args as a list', '[]', '', 'expected a map of arguments'],
  [
    'args of another version',
    '{apiVersion: kubescheduler.config.k8s.io/v1beta2}',
    '.apiVersion',
    'expected kubescheduler',
  ],
];

/** Field case, arguments, effective value of one field. */
const ACCEPTED: readonly (readonly [string, string, string, unknown])[] = [
  ['C43 target 100', '{targetUtilization: 100}', 'targetUtilization', 100],
  ['C43 target 60.0', '{targetUtilization: 60.0}', 'targetUtilization', 60],
  ['C43 target 6e1', '{targetUtilization: 6e1}', 'targetUtilization', 60],
  ['C43 target 0 means the default', '{targetUtilization: 0}', 'targetUtilization', 40],
  ['C43 target -5 means the default', '{targetUtilization: -5}', 'targetUtilization', 40],
  ['C44 multiplier "1.8"', '{defaultRequestsMultiplier: "1.8"}', 'defaultRequestsMultiplier', '1.8'],
  ['C44 multiplier "1e1"', '{defaultRequestsMultiplier: "1e1"}', 'defaultRequestsMultiplier', '1e1'],
  ['quantities as numbers', '{defaultRequests: {cpu: 2}}', 'defaultRequests', { cpu: 2 }],
  [
    'C38 insecureSkipVerify',
    '{metricProvider: {type: Prometheus, address: "https://p.example", insecureSkipVerify: true, token: x}}',
    'metricProvider',
    { type: 'Prometheus', address: 'https://p.example', insecureSkipVerify: true, token: 'x' },
  ],
  ['no arguments: the Metrics Server', 'null', 'metricProvider', { type: 'KubernetesMetricsServer' }],
  [
    'their own kind',
    '{apiVersion: kubescheduler.config.k8s.io/v1, kind: TargetLoadPackingArgs, targetUtilization: 70}',
    'targetUtilization',
    70,
  ],
];

describe('TargetLoadPacking in a configuration file', () => {
  for (const [sentence, args, path, text] of REFUSED) {
    it(`refuses ${sentence}`, () => {
      const loaded = load(args);
      const problems = loaded.ok ? [] : loaded.problems;
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(/ \(c\.yaml, line [89]\)$/);
      expect(problems[0]).to.satisfy(
        (line: string) => line.startsWith(`${ARGS}${path}: `),
        `path of ${problems[0]}`,
      );
      expect(problems[0]).to.include(text);
    });
  }

  for (const [sentence, args, field, value] of ACCEPTED) {
    it(`accepts ${sentence}`, () => {
      expect(argsOf(args)[field]).to.deep.equal(value);
    });
  }

  it('C43: says that a target of 0 means the default', () => {
    const [warning] = load('{targetUtilization: 0}').warnings;
    expect(warning).to.match(/args\.targetUtilization: 0 means the default 40.*\(c\.yaml, line 9\)$/);
  });

  it('C45: watcherAddress wins over metricProvider, whose type then does not matter', () => {
    const args = '{watcherAddress: "http://w.example:2020", metricProvider: {type: Nonsense}}';
    expect(argsOf(args))
      .to.include({ watcherAddress: 'http://w.example:2020' })
      .and.not.have.property('metricProvider');
    expect(load(args).warnings).to.have.length(1);
  });

  it('C45: arguments of a plugin that is not enabled are checked all the same', () => {
    const text = FRAME.replace(/ {2}plugins:.*\n/, '').replace('ARGS', '{targetUtilization: 150}');
    const loaded = loadSchedulerConfig(text, 'c.yaml');
    expect(loaded.ok ? [] : loaded.problems).to.have.length(1);
  });

  it('C46: what is shown of the configuration has no secrets', () => {
    const args =
      '{metricProvider: {type: Prometheus, address: "https://user:hunter2@p.example", token: very-secret-token}}';
    const loaded = load(args);
    const shown = JSON.stringify(maskSecrets(loaded.ok ? loaded.config : {}));
    expect(shown)
      .to.include('p.example')
      .and.not.match(/hunter2|very-secret/);
  });

  it('C38: no secret is in an error either', () => {
    const loaded = load('{metricProvider: {type: Prometheus, token: very-secret-token, adress: x}}');
    expect(loaded.ok ? [] : loaded.problems).to.have.length(1);
    expect(JSON.stringify(loaded)).to.not.include('very-secret');
  });

  it('fills in defaults when the plugin is enabled without any pluginConfig', () => {
    const text = FRAME.slice(0, FRAME.indexOf('  pluginConfig'));
    const loaded = loadSchedulerConfig(text, 'c.yaml');
    expect(loaded.ok && loaded.config.profiles[0]?.pluginArgs.TargetLoadPacking).to.include({
      targetUtilization: 40,
    });
  });
});
