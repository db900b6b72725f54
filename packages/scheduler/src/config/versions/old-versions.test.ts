import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import type { ProfileConfig, SchedulerConfig } from '../../core/config/scheduler-config.js';
import { convertSchedulerConfig, loadSchedulerConfig } from '../load-scheduler-config.js';

const GROUP = 'kubescheduler.config.k8s.io';
const BETAS = ['v1beta1', 'v1beta2', 'v1beta3'] as const;
type Version = (typeof BETAS)[number] | 'v1';

const head = (version: Version): string =>
  `apiVersion: ${GROUP}/${version}\nkind: KubeSchedulerConfiguration\n`;

function load(version: Version, body = '') {
  return loadSchedulerConfig(head(version) + body, 'c.yaml');
}

function configOf(version: Version, body = ''): SchedulerConfig {
  const loaded = load(version, body);
  expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
  if (!loaded.ok) throw new Error('not loaded');
  return loaded.config;
}

/** A profile with these plugins and configs. */
const profile = (plugins: string, pluginConfig = '[]'): string =>
  `profiles: [{schedulerName: s, plugins: ${plugins}, pluginConfig: ${pluginConfig}}]`;

function only(config: SchedulerConfig): ProfileConfig {
  const [first, second] = config.profiles;
  if (first === undefined || second !== undefined) throw new Error('expected one profile');
  return first;
}

const weightsOf = (config: SchedulerConfig): Readonly<Record<string, number>> =>
  Object.fromEntries(only(config).plugins.score.map(({ name, weight }) => [name, weight]));

function strategyOf(config: SchedulerConfig): unknown {
  const fit = only(config).pluginArgs.NodeResourcesFit as { readonly scoringStrategy: unknown };
  return fit.scoringStrategy;
}

describe('older versions of the configuration', () => {
  describe('the weights of default plugins are those of the declared version', () => {
    for (const [version, taints, affinity] of [
      ['v1beta1', 1, 1],
      ['v1beta2', 1, 1],
      ['v1beta3', 3, 2],
      ['v1', 3, 2],
    ] as const) {
      for (const [sentence, body] of [
        ['without profiles', ''],
        ['with an empty list of profiles', 'profiles: []'],
        ['with a profile that names nothing', 'profiles: [{schedulerName: default-scheduler}]'],
        ['with another plugin', profile('{score: {enabled: [{name: TargetLoadPacking}]}}')],
      ] as const) {
        it(`${version} ${sentence}`, () => {
          expect(weightsOf(configOf(version, body))).to.include({
            TaintToleration: taints,
            NodeAffinity: affinity,
            NodeResourcesFit: 1,
            NodeResourcesBalancedAllocation: 1,
          });
        });
      }

      it(`${version}: a weight that is given stays, a plugin that is disabled stays off`, () => {
        const body = profile(
          '{score: {enabled: [{name: TaintToleration, weight: 7}], disabled: [{name: NodeAffinity}]}}',
        );
        const weights = weightsOf(configOf(version, body));
        expect(weights).to.include({ TaintToleration: 7 }).and.not.have.property('NodeAffinity');
      });

      it(`${version}: with all scores off nothing comes back`, () => {
        const body = profile('{score: {disabled: [{name: "*"}], enabled: [{name: TargetLoadPacking}]}}');
        expect(weightsOf(configOf(version, body))).to.deep.equal({ TargetLoadPacking: 1 });
      });
    }

    it('C36: with nothing left to defaults the same body means the same in each version', () => {
      const body = `${profile(
        '{score: {disabled: [{name: "*"}], enabled: [{name: TargetLoadPacking, weight: 2}]}}',
        '[{name: TargetLoadPacking, args: {targetUtilization: 70, defaultRequests: {cpu: "2"}}}]',
      )}\npodMaxBackoffSeconds: 20\nclientConnection: {qps: 7}`;
      for (const version of BETAS) expect(configOf(version, body)).to.deep.equal(configOf('v1', body));
    });

    it('C36: a version gone for long, and one of the future, are refused naming those that are read', () => {
      for (const version of ['v1alpha2', 'v2', 'v1beta4']) {
        const loaded = load(version as Version);
        expect(loaded.ok ? [] : loaded.problems).to.deep.equal([
          `apiVersion: no kind "KubeSchedulerConfiguration" is registered for version "${GROUP}/${version}": supported are ${GROUP}/v1, v1beta3, v1beta2 and v1beta1 (c.yaml, line 1)`,
        ]);
      }
    });
  });

  describe('C41: NodeResourcesLeastAllocated and its kin', () => {
    const MOST = { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 3 }] };

    it('v1beta1: disabled, NodeResourcesFit no longer scores but still filters', () => {
      const config = configOf(
        'v1beta1',
        profile('{score: {disabled: [{name: NodeResourcesLeastAllocated}]}}'),
      );
      expect(weightsOf(config)).to.not.have.property('NodeResourcesFit');
      expect(only(config).plugins.filter.map(({ name }) => name)).to.include('NodeResourcesFit');
      const { warnings } = load(
        'v1beta1',
        profile('{score: {disabled: [{name: NodeResourcesLeastAllocated}]}}'),
      );
      expect(warnings).to.have.length(1);
    });

    for (const version of ['v1beta2', 'v1beta3', 'v1'] as const) {
      it(`${version}: disabled, it has no effect, with a warning; enabled or configured it is refused`, () => {
        const disabled = profile('{score: {disabled: [{name: NodeResourcesLeastAllocated}]}}');
        expect(weightsOf(configOf(version, disabled))).to.include({ NodeResourcesFit: 1 });
        expect(load(version, disabled).warnings.join('\n')).to.include(
          'disabling "NodeResourcesLeastAllocated" has no effect since v1beta2',
        );
        const enabled = load(version, profile('{score: {enabled: [{name: NodeResourcesLeastAllocated}]}}'));
        const configured = load(version, profile('{}', '[{name: NodeResourcesLeastAllocated, args: {}}]'));
        for (const loaded of [enabled, configured]) {
          expect(loaded.ok ? [] : loaded.problems).to.have.length(1);
          expect(loaded.ok || loaded.problems[0]).to.include(
            'use NodeResourcesFit with scoringStrategy type LeastAllocated',
          );
        }
      });
    }

    for (const [sentence, plugins, pluginConfig, weight, strategy] of [
      [
        'enabled with a weight',
        '{score: {disabled: [{name: NodeResourcesLeastAllocated}], enabled: [{name: NodeResourcesLeastAllocated, weight: 5}]}}',
        '[]',
        5,
        { type: 'LeastAllocated' },
      ],
      [
        'configured only',
        '{}',
        '[{name: NodeResourcesLeastAllocated, args: {resources: [{name: memory, weight: 2}]}}]',
        1,
        { type: 'LeastAllocated', resources: [{ name: 'memory', weight: 2 }] },
      ],
      [
        'replaced by NodeResourcesMostAllocated',
        '{score: {disabled: [{name: NodeResourcesLeastAllocated}], enabled: [{name: NodeResourcesMostAllocated, weight: 4}]}}',
        `[{name: NodeResourcesMostAllocated, args: {apiVersion: ${GROUP}/v1beta1, kind: NodeResourcesMostAllocatedArgs, resources: [{name: cpu, weight: 3}]}}]`,
        4,
        MOST,
      ],
      [
        'all off but RequestedToCapacityRatio, beside other arguments of NodeResourcesFit',
        '{score: {disabled: [{name: "*"}], enabled: [{name: RequestedToCapacityRatio}]}}',
        '[{name: RequestedToCapacityRatio, args: {shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}], resources: [{name: cpu, weight: 3}]}}, {name: NodeResourcesFit, args: {ignoredResources: [example.com/x]}}]',
        1,
        {
          type: 'RequestedToCapacityRatio',
          resources: [{ name: 'cpu', weight: 3 }],
          requestedToCapacityRatio: {
            shape: [
              { utilization: 0, score: 0 },
              { utilization: 100, score: 10 },
            ],
          },
        },
      ],
    ] as const) {
      it(`v1beta1: ${sentence}, it is a strategy of NodeResourcesFit`, () => {
        const config = configOf('v1beta1', profile(plugins, pluginConfig));
        expect(weightsOf(config).NodeResourcesFit).to.equal(weight);
        expect(strategyOf(config)).to.deep.include(strategy);
      });
    }

    it('v1beta1: the other arguments of NodeResourcesFit are kept', () => {
      const config = configOf(
        'v1beta1',
        profile(
          '{}',
          '[{name: NodeResourcesFit, args: {ignoredResources: [example.com/x]}}, {name: NodeResourcesLeastAllocated, args: {resources: [{name: cpu, weight: 9}]}}]',
        ),
      );
      expect(only(config).pluginArgs.NodeResourcesFit).to.deep.include({
        ignoredResources: ['example.com/x'],
      });
      expect(strategyOf(config)).to.deep.include({ resources: [{ name: 'cpu', weight: 9 }] });
    });

    for (const [sentence, plugins, text] of [
      [
        'NodeResourcesMostAllocated beside the default',
        '{score: {enabled: [{name: NodeResourcesMostAllocated}]}}',
        'profiles[0].plugins.score.enabled[0].name: "NodeResourcesMostAllocated" beside NodeResourcesLeastAllocated can\'t be kept: v1 has one strategy of NodeResourcesFit a profile, so leave one enabled and disable NodeResourcesLeastAllocated (c.yaml, line 3)',
      ],
      [
        'two of them',
        '{score: {disabled: [{name: "*"}], enabled: [{name: NodeResourcesLeastAllocated}, {name: NodeResourcesMostAllocated}]}}',
        '"NodeResourcesMostAllocated" beside NodeResourcesLeastAllocated can\'t be kept',
      ],
    ] as const) {
      it(`v1beta1: refuses ${sentence}, which one strategy can't express`, () => {
        const loaded = load('v1beta1', profile(plugins));
        expect(loaded.ok || loaded.problems[0]).to.include(text);
      });
    }

    it('v1beta1: arguments of one that does not score are left out with a warning', () => {
      const { warnings } = load('v1beta1', profile('{}', '[{name: NodeResourcesMostAllocated, args: {}}]'));
      expect(warnings.join('\n')).to.include(
        'pluginConfig[0].name: NodeResourcesMostAllocated does not score: its args have no effect',
      );
    });
  });

  describe('other plugins that are gone', () => {
    for (const [version, name, text] of [
      ['v1beta1', 'NodePreferAvoidPods', 'its work is done by taints of nodes'],
      ['v1beta1', 'SelectorSpread', 'its work is done by PodTopologySpread of the default set'],
      ['v1beta2', 'SelectorSpread', 'its work is done by PodTopologySpread of the default set'],
      ['v1beta3', 'EBSLimits', 'its work is done by NodeVolumeLimits of the default set'],
    ] as const) {
      it(`${version}: ${name} is left out with a warning`, () => {
        const loaded = load(version, profile(`{score: {enabled: [{name: ${name}, weight: 10000}]}}`));
        expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
        expect(loaded.warnings.join('\n')).to.include(`plugin "${name}" is left out, it is gone: ${text}`);
      });
    }

    for (const [version, name, text] of [
      ['v1beta1', 'NodeLabel', 'use NodeAffinity with addedAffinity'],
      ['v1beta1', 'ServiceAffinity', 'use InterPodAffinity'],
      ['v1beta2', 'NodePreferAvoidPods', 'use node taints'],
      ['v1beta2', 'RequestedToCapacityRatio', 'scoringStrategy type RequestedToCapacityRatio'],
      ['v1', 'SelectorSpread', 'use PodTopologySpread'],
      ['v1', 'EvenPodsSpread', 'use PodTopologySpread'],
    ] as const) {
      it(`${version}: ${name} is refused with its replacement`, () => {
        const loaded = load(version, profile(`{score: {enabled: [{name: ${name}}]}}`));
        expect(loaded.ok || loaded.problems.join('\n')).to.include(text);
      });
    }
  });

  it('v1beta1: constraints of PodTopologySpread that are listed are meant to be used', () => {
    const args = '{defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}';
    const body = profile('{}', `[{name: PodTopologySpread, args: ${args}}]`);
    expect(only(configOf('v1beta1', body)).pluginArgs.PodTopologySpread).to.include({
      defaultingType: 'List',
    });
    expect(load('v1beta2', body)).to.include({ ok: false });
  });

  it('fields that are gone are left out, with a warning where they said something', () => {
    const body =
      'healthzBindAddress: "0.0.0.0:10251"\nmetricsBindAddress: ":0"\nleaderElection: {resourceLock: endpoints}';
    for (const version of ['v1beta1', 'v1beta2'] as const) {
      expect(configOf(version, body).leaderElection.resourceLock).to.equal('leases');
      expect(load(version, body).warnings.slice(1)).to.deep.equal([
        'healthzBindAddress: "0.0.0.0:10251" has no effect, the field is gone: probes are answered at --secure-port, in the clear with --address and --port (c.yaml, line 3)',
        'leaderElection.resourceLock: "endpoints" is gone from Kubernetes 1.24 on: leases are used (c.yaml, line 5)',
      ]);
    }
    const later = load('v1beta3', 'healthzBindAddress: ""');
    expect(later.ok || later.problems[0]).to.include('unknown field "healthzBindAddress"');
  });

  it('multiPoint came with v1beta3', () => {
    const body = profile('{multiPoint: {enabled: [{name: TargetLoadPacking}]}}');
    for (const version of ['v1beta1', 'v1beta2'] as const) {
      const loaded = load(version, body);
      expect(loaded.ok || loaded.problems[0]).to.equal(
        `profiles[0].plugins.multiPoint: ${GROUP}/${version} has no multiPoint: enable the plugins point by point (c.yaml, line 3)`,
      );
    }
    expect(weightsOf(configOf('v1beta3', body))).to.include({ TargetLoadPacking: 1 });
  });

  describe('arguments', () => {
    for (const version of BETAS) {
      it(`C38 ${version}: insecureSkipVerify is known, and the token is in no message`, () => {
        const args = `{apiVersion: ${GROUP}/${version}, kind: TargetLoadPackingArgs, metricProvider: {type: Prometheus, address: "https://p.example", insecureSkipVerify: true, token: very-secret}}`;
        const body = profile(
          '{score: {enabled: [{name: TargetLoadPacking}]}}',
          `[{name: TargetLoadPacking, args: ${args}}]`,
        );
        const loaded = load(version, body);
        expect(only(configOf(version, body)).pluginArgs.TargetLoadPacking).to.deep.include({
          metricProvider: {
            type: 'Prometheus',
            address: 'https://p.example',
            insecureSkipVerify: true,
            token: 'very-secret',
          },
        });
        expect(loaded.warnings.join('\n')).to.include('***').and.not.include('very-secret');
      });

      it(`${version}: those of another version are refused`, () => {
        const body = profile('{}', `[{name: TargetLoadPacking, args: {apiVersion: ${GROUP}/v1alpha1}}]`);
        const loaded = load(version, body);
        expect(loaded.ok ? [] : loaded.problems).to.deep.equal([
          `profiles[0].pluginConfig[0].args.apiVersion: expected ${GROUP}/${version}, got ${GROUP}/v1alpha1: correct it or leave it out (c.yaml, line 3)`,
        ]);
      });
    }
  });

  describe('published files', () => {
    const published = (name: string): string =>
      readFileSync(new URL(`../testdata/${name}`, import.meta.url), 'utf8');

    it("Trimaran's of v1beta1: only TargetLoadPacking and plugins that go by neither request scores", () => {
      const loaded = loadSchedulerConfig(published('trimaran-v1beta1.yaml'), 'scheduler-config.yaml');
      expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
      if (!loaded.ok) return;
      const weights = weightsOf(loaded.config);
      expect(weights).to.include({ TargetLoadPacking: 1, TaintToleration: 1, NodeAffinity: 1 });
      expect(weights).to.not.have.any.keys('NodeResourcesFit', 'NodeResourcesBalancedAllocation');
      expect(only(loaded.config).pluginArgs.TargetLoadPacking).to.deep.include({
        watcherAddress: 'http://127.0.0.1:2020',
        targetUtilization: 40,
      });
    });

    it('that of the five traffic plugins loads, and nothing else scores', () => {
      const loaded = loadSchedulerConfig(published('traffic-v1beta1.yaml'), 'scheduler-config.yaml');
      expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
      expect(loaded.ok && weightsOf(loaded.config)).to.deep.equal({
        CPUTraffic: 3,
        MemoryTraffic: 4,
        DiskSpaceTraffic: 3,
        NetworkTraffic: 2,
      });
    });

    for (const name of ['trimaran-v1beta1.yaml', 'traffic-v1beta1.yaml']) {
      it(`the file that the warning about ${name} prints means the same, without a warning`, () => {
        const loaded = loadSchedulerConfig(published(name), 'old.yaml');
        const [warning = ''] = loaded.warnings;
        const printed = warning.slice(warning.indexOf('\n') + 1);
        const again = loadSchedulerConfig(printed, 'new.yaml');
        expect(again.warnings.filter((text) => text.startsWith('apiVersion'))).to.deep.equal([]);
        expect(again.ok && again.config).to.deep.equal(loaded.ok && loaded.config);
      });
    }
  });

  describe('whatever the file', () => {
    const name = fc.constantFrom(
      'NodeResourcesLeastAllocated',
      'NodeResourcesMostAllocated',
      'NodeResourcesBalancedAllocation',
      'TaintToleration',
      'NodeAffinity',
      'TargetLoadPacking',
      'SelectorSpread',
      'NodePreferAvoidPods',
    );
    const set = fc.record(
      {
        enabled: fc.uniqueArray(fc.record({ name, weight: fc.integer({ min: 0, max: 9 }) }), {
          selector: (entry) => entry.name,
          maxLength: 4,
        }),
        disabled: fc.array(fc.record({ name: fc.oneof(name, fc.constant('*')) }), { maxLength: 4 }),
      },
      { requiredKeys: [] },
    );
    const pluginConfig = fc.uniqueArray(
      fc.oneof(
        fc.record({
          name: fc.constantFrom('NodeResourcesLeastAllocated', 'NodeResourcesMostAllocated'),
          args: fc.record({
            resources: fc.constant([{ name: 'cpu', weight: 2 }]),
          }),
        }),
        fc.record({
          name: fc.constant('NodeResourcesFit'),
          args: fc.record({ ignoredResources: fc.constant(['example.com/y', 'n', '1e3']) }),
        }),
        fc.record({
          name: fc.constant('TargetLoadPacking'),
          args: fc.record({ targetUtilization: fc.integer({ min: 1, max: 100 }) }),
        }),
      ),
      { selector: (entry) => entry.name, maxLength: 4 },
    );
    const anyProfile = fc.record(
      { plugins: fc.record({ score: set }, { requiredKeys: [] }), pluginConfig },
      { requiredKeys: [] },
    );
    const file = fc.record({
      version: fc.constantFrom<Version>(...BETAS, 'v1'),
      profiles: fc.array(anyProfile, { maxLength: 2 }),
    });

    it('what convert writes means what the old file meant, and converting it again changes nothing', () => {
      fc.assert(
        fc.property(file, ({ version, profiles }) => {
          const named = profiles.map((each, index) => ({ schedulerName: `s${index}`, ...each }));
          const text = head(version) + stringify({ profiles: named });
          const loaded = loadSchedulerConfig(text, 'old.yaml');
          const converted = convertSchedulerConfig(text, 'old.yaml');
          expect(converted.ok).to.equal(loaded.ok);
          if (!converted.ok || !loaded.ok) return;
          const written = stringify(converted.document);
          const again = loadSchedulerConfig(written, 'new.yaml');
          expect(again.ok ? again.config : again.problems).to.deep.equal(loaded.config);
          expect(again.warnings).to.deep.equal([]);
          expect(converted.warnings.join('\n')).to.not.match(/:\n|:$|config convert/);
          const twice = convertSchedulerConfig(written, 'new.yaml');
          expect(twice.ok && stringify(twice.document)).to.equal(written);
          expect(parse(written)).to.include({ apiVersion: `${GROUP}/v1` });
        }),
      );
    });
  });
});
