import { expect } from 'chai';
import { loadSchedulerConfig } from '../config/load-scheduler-config.js';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import { loadPoliciesOf, loadSources } from './load-source.js';

const MODELS = 'nodePowerModel: {n1: {k1: 1, k2: 1}}';

/** @param plugins one profile's load-aware plugins, each with its arguments as YAML. */
function configOf(...plugins: readonly (readonly [string, string])[]): SchedulerConfig {
  const enabled = plugins.map(([name]) => `{name: ${name}}`).join(', ');
  const args = plugins.map(([name, text]) => `  - {name: ${name}, args: {${text}}}\n`).join('');
  const loaded = loadSchedulerConfig(
    `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: packing
  plugins: {score: {enabled: [${enabled}]}}
  pluginConfig:
${args}`,
    'config.yaml',
  );
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

function policies(...plugins: readonly (readonly [string, string])[]): readonly unknown[] {
  return configOf(...plugins)
    .profiles.flatMap(loadPoliciesOf)
    .map(({ name, source, plugins: readers, figures, maxAgeMs }) => [
      name,
      source.key,
      readers.join(),
      figures,
      maxAgeMs,
    ]);
}

describe('load sources of a profile', () => {
  it('are none without a plugin that goes by load', () => {
    expect(policies(['NodeResourcesFit', ''])).to.deep.equal([]);
  });

  it('are those of every plugin that goes by load', () => {
    for (const [plugin, figures] of [
      ['TargetLoadPacking', 'cpu'],
      ['LoadVariationRiskBalancing', 'average'],
      ['LowRiskOverCommitment', 'average'],
    ] as const) {
      expect(policies([plugin, 'watcherAddress: "http://w:2020"'])).to.deep.equal([
        ['packing', 'http://w:2020', plugin, figures, undefined],
      ]);
    }
    expect(policies(['Peaks', `WatcherAddress: "http://w:2020", ${MODELS}`])).to.deep.equal([
      ['packing', 'http://w:2020', 'Peaks', 'cpu', undefined],
    ]);
  });

  it('are shared by plugins that name the same watcher: the shortest age counts', () => {
    expect(
      policies(
        ['LoadVariationRiskBalancing', 'watcherAddress: "http://w:2020", metricsMaxAge: 5m'],
        ['TargetLoadPacking', 'watcherAddress: "http://w:2020"'],
        ['LowRiskOverCommitment', 'watcherAddress: "http://w:2020", metricsMaxAge: 2m'],
      ),
    ).to.deep.equal([
      [
        'packing',
        'http://w:2020',
        'LoadVariationRiskBalancing,TargetLoadPacking,LowRiskOverCommitment',
        'cpu',
        120_000,
      ],
    ]);
  });

  it('stay apart where plugins name different watchers', () => {
    const plugins = [
      ['TargetLoadPacking', 'watcherAddress: "http://w:2020"'],
      ['LoadVariationRiskBalancing', 'metricProvider: {type: Prometheus, address: "http://p:9090"}'],
    ] as const;
    expect(policies(...plugins)).to.deep.equal([
      ['packing', 'http://w:2020', 'TargetLoadPacking', 'cpu', undefined],
      [
        'packing in-process Prometheus http://p:9090',
        'in-process Prometheus http://p:9090',
        'LoadVariationRiskBalancing',
        'average',
        undefined,
      ],
    ]);
    expect(loadSources(configOf(...plugins)).map(({ key }) => key)).to.deep.equal([
      'http://w:2020',
      'in-process Prometheus http://p:9090',
    ]);
  });

  it('stay apart where the credentials or the TLS settings differ, which the names do not show', () => {
    const prometheus = (more: string): string =>
      `metricProvider: {type: Prometheus, address: "http://u:PASS@p:9090"${more}}`;
    const plugins = [
      ['TargetLoadPacking', prometheus(', token: tokA')],
      ['LoadVariationRiskBalancing', prometheus(', token: tokB')],
      ['LowRiskOverCommitment', prometheus(', token: tokB, insecureSkipVerify: true')],
    ] as const;
    const config = configOf(...plugins);
    expect(new Set(loadSources(config).map(({ key }) => key)).size).to.equal(3);
    const names = config.profiles.flatMap(loadPoliciesOf).map(({ name }) => name);
    expect(names.join()).to.not.match(/PASS|tok[AB]/);
  });
});
