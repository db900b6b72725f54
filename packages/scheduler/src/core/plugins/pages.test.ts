import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { evaluate } from '../cycle/evaluate.js';
import { compileProfile } from '../cycle/profile.js';
import { cluster, cycleOf, type MeasuredNode, pod, scores, tellSignals } from './measured-cluster.test.js';
import { PLUGIN_ARGUMENTS } from './plugin-arguments.js';
import { TRAFFIC_KINDS } from './traffic/plugin.js';

const pageOf = (folder: string): string =>
  readFileSync(new URL(`./${folder}/README.md`, import.meta.url), 'utf8');

/** The rows of the table under the heading `Example`, head left out. */
function exampleOf(folder: string): readonly (readonly string[])[] {
  const [, example = ''] = pageOf(folder).split('\n## Example\n');
  const lines = (example.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const UNITS: Readonly<Record<string, number>> = { '%': 1, 'MB/s': 1e6 };

/** Undefined for `none`. */
function valueOfCell(cell: string): number | undefined {
  const [number = '', unit = ''] = cell.split(' ');
  return number === 'none' ? undefined : Number(number) * (UNITS[unit] ?? Number.NaN);
}

const PENDING = pod('pending', {});

/** Nodes of which nothing but signals is known. */
const bare = (names: readonly string[]) => cluster(Object.fromEntries(names.map((name) => [name, {}])));

describe('the folders of the plugins', () => {
  const at = (path: string): URL => new URL(`./${path}`, import.meta.url);
  const folders = readdirSync(at('.'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders.filter((folder) => existsSync(at(`${folder.name}/plugin.ts`)))) {
    it(`${name}: what it scores is worked out in score.ts`, () => {
      const plugin = readFileSync(at(`${name}/plugin.ts`), 'utf8');
      if (/\bscorePart\b|\bscore:/.test(plugin)) expect(plugin).to.include("from './score.js'");
    });
  }
});

describe('the pages of the plugins', () => {
  for (const { plugin, folder, texts, read, required } of PLUGIN_ARGUMENTS) {
    it(`${plugin}: what it does, a formula, all arguments, an example, and when not to use it`, () => {
      const page = pageOf(folder);
      expect(page.startsWith(`# ${plugin}\n`)).to.equal(true);
      expect(page).to.match(/\n {4}\S.*\n/);
      for (const name of Object.keys(texts)) expect(page, name).to.include(`| \`${name}\` |`);
      expect(page).to.include('\n## Example\n').and.to.include('\n## When not to use it\n');
      expect(read(required).ok, 'the required arguments suffice').to.equal(true);
    });
  }

  for (const { name, folder, signal } of TRAFFIC_KINDS) {
    it(`${name}: the scores of the example`, () => {
      const rows = exampleOf(folder);
      const question = { plugin: name, args: { ip: 'http://p' }, pod: PENDING };
      const state = bare(rows.map(([node = '']) => node));
      const samples = rows.flatMap(([node = '', cell = '']) => {
        const value = valueOfCell(cell);
        return value === undefined ? [] : [[node, value] as const];
      });
      tellSignals(state, question, { samples: { [signal]: samples } });
      const expected = Object.fromEntries(rows.map(([node, , score]) => [node, Number(score)]));
      expect(rows).to.have.length(3);
      expect(scores(state, question)).to.deep.equal(expected);
    });
  }

  it('NodeSignals: the scores of the example', () => {
    const rows = exampleOf('node-signals');
    const signal = (name: string, rule: object) => ({
      name,
      promQL: name,
      unit: 'percent',
      maxAge: '5m',
      weight: 1,
      missing: 'zeroScore',
      ...rule,
    });
    const signals = [
      signal('gpu', { direction: 'spread', weight: 3, ceiling: 90 }),
      signal('cpu', { direction: 'pack', target: 40 }),
    ];
    const question = {
      plugin: 'NodeSignals',
      args: { prometheus: { address: 'http://p' }, signals },
      pod: PENDING,
    };
    const state = bare(rows.map(([node = '']) => node));
    const column = (index: number) =>
      rows.flatMap((row) => {
        const value = valueOfCell(row[index] ?? '');
        return value === undefined ? [] : [[row[0] ?? '', value] as const];
      });
    tellSignals(state, question, { samples: { gpu: column(1), cpu: column(2) } });
    const expected = Object.fromEntries(rows.map(([node, , , score]) => [node, Number(score)]));
    expect(rows).to.have.length(5);
    expect(scores(state, question)).to.deep.equal(expected);
  });

  for (const [column, mode] of [
    [3, 'hard'],
    [4, 'soft'],
  ] as const) {
    it(`LoadCeiling: who stays in the example, ${mode}`, () => {
      const rows = exampleOf('load-ceiling');
      const nodes = rows.map(([name = '', cpu = '', memory = '']): [string, MeasuredNode] => [
        name,
        {
          metrics: [
            ['CPU', 'AVG', valueOfCell(cpu) ?? Number.NaN],
            ['Memory', 'AVG', valueOfCell(memory) ?? Number.NaN],
          ],
        },
      ]);
      const profile = compileProfile({
        schedulerName: 'test',
        percentageOfNodesToScore: undefined,
        plugins: { filter: [{ name: 'LoadCeiling', weight: 0 }], score: [] },
        pluginArgs: { LoadCeiling: { ceilings: { cpu: 80, memory: 90 }, mode } },
      });
      const { feasible } = evaluate(cycleOf(cluster(Object.fromEntries(nodes)), PENDING), profile, 0);
      const stays = rows.filter((row) => row[column] === 'stays').map(([name]) => name);
      expect(rows).to.have.length(3);
      expect(feasible).to.deep.equal(stays);
    });
  }

  it('TargetLoadPacking: the scores of the example', () => {
    const rows = exampleOf('target-load-packing');
    const use: Readonly<Record<string, number>> = { idle: 2, some: 20, full: 70 };
    const state = cluster(
      Object.fromEntries(
        Object.entries(use).map(([name, percent]) => [name, { metrics: [['CPU', 'AVG', percent]] }] as const),
      ),
    );
    const question = { plugin: 'TargetLoadPacking', pod: pod('pending', { requests: { cpu: '1' } }) };
    const expected = Object.fromEntries(rows.map(([node, , , score]) => [node, Number(score)]));
    expect(rows).to.have.length(3);
    expect(scores(state, question)).to.deep.equal(expected);
  });
});
