import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { compileProfile } from '../core/cycle/profile.js';
import { scoreAll } from '../core/cycle/score-all.js';
import { cluster, cycleOf, pod, tellSignals } from '../core/plugins/measured-cluster.test.js';
import { loadSchedulerConfig } from './load-scheduler-config.js';

const DOCS = new URL('../../../../docs/', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, DOCS), 'utf8');

const PUBLISHED = new URL('./testdata/traffic-v1beta1.yaml', import.meta.url);

const GUIDE = textOf('guides/signals.md');

function configOf(name: string) {
  const loaded = loadSchedulerConfig(textOf(`samples/${name}`), name);
  expect(loaded.ok ? loaded.warnings : loaded.problems).to.deep.equal([]);
  if (!loaded.ok) throw new Error(name);
  return loaded.config;
}

/** The first table after the heading: names of its columns, then its rows. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const section = GUIDE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return cells.filter((_, index) => index !== 1);
}

/** Heading of the guide, sample. */
const EXAMPLES = [
  ['GPU utilisation', 'signals-gpu.yaml'],
  ['Disk I/O wait', 'signals-io-wait.yaml'],
  ['CPU and memory together', 'signals-cpu-and-memory.yaml'],
] as const;

describe('the samples that go by signals', () => {
  for (const name of [...EXAMPLES.map(([, sample]) => sample), 'load-ceiling.yaml', 'traffic-plugins.yaml']) {
    it(`${name} is read without a remark`, () => {
      configOf(name);
    });
  }

  for (const name of [...EXAMPLES.map(([, sample]) => sample), 'load-ceiling.yaml']) {
    it(`${name} stands in the guide as it is`, () => {
      expect(GUIDE).to.include(`\`\`\`yaml\n${textOf(`samples/${name}`)}\`\`\``);
    });
  }

  for (const [heading, sample] of EXAMPLES) {
    it(`${heading}: the scores of the guide`, () => {
      const [head = [], ...rows] = tableUnder(heading);
      const args = configOf(sample).profiles[0]?.pluginArgs.NodeSignals as {
        readonly signals: readonly { readonly name: string; readonly unit?: string }[];
      };
      const state = cluster(Object.fromEntries(rows.map(([node = '']) => [node, {}])));
      const samples = Object.fromEntries(
        args.signals.map(({ name, unit }) => {
          const column = head.indexOf(name);
          const values = rows.flatMap((row) => {
            const percent = Number((row[column] ?? '').replace(' %', ''));
            if (Number.isNaN(percent)) return [];
            return [[row[0] ?? '', unit === 'ratio' ? percent / 100 : percent] as const];
          });
          return [name, values] as const;
        }),
      );
      tellSignals(state, { plugin: 'NodeSignals', args: { ...args } }, { samples });
      const cycle = cycleOf(state, pod('pending', {}));
      const profile = compileProfile({
        schedulerName: 'test',
        percentageOfNodesToScore: undefined,
        plugins: { filter: [], score: [{ name: 'NodeSignals', weight: 1 }] },
        pluginArgs: { NodeSignals: args },
      });
      const scored = scoreAll(cycle, profile, [...cycle.snapshot.nodes()]);
      expect(rows).to.have.length.above(2);
      expect(Object.fromEntries(scored.map(({ node, total }) => [node, total]))).to.deep.equal(
        Object.fromEntries(rows.map((row) => [row[0], Number(row.at(-1))])),
      );
    });
  }
});

describe('the file of the five Prometheus plugins, as published', () => {
  it('is read as it is: one warning says what to write instead, one each that a device means nothing', () => {
    const loaded = loadSchedulerConfig(readFileSync(PUBLISHED, 'utf8'), 'published.yaml');
    expect(loaded.ok).to.equal(true);
    const [version = '', ...devices] = loaded.warnings;
    expect(version).to.contain('apiVersion: kubescheduler.config.k8s.io/v1\n');
    expect(devices.map((text) => /"eth0" has no effect: (\w+) does/.exec(text)?.[1])).to.deep.equal([
      'CPUTraffic',
      'MemoryTraffic',
      'DiskSpaceTraffic',
    ]);
    const [profile] = loaded.ok ? loaded.config.profiles : [];
    expect(profile?.plugins.score).to.deep.equal([
      { name: 'CPUTraffic', weight: 3 },
      { name: 'MemoryTraffic', weight: 4 },
      { name: 'DiskSpaceTraffic', weight: 3 },
      { name: 'NetworkTraffic', weight: 2 },
    ]);
    expect(profile?.pluginArgs.NetworkTraffic).to.deep.equal({
      ip: 'http://172.19.32.140:9090',
      deviceName: 'eth0',
      timeRange: 60,
      metricsMaxAge: '5m',
      missingMetrics: 'zeroScore',
    });
  });
});
