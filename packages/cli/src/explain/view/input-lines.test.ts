import { expect } from 'chai';
import fc from 'fast-check';
import { inputLines } from './input-lines.js';
import type { ExplainedNode } from './score-lines.js';

type Inputs = Readonly<Record<string, unknown>>;

/** By node; the first is chosen. */
function nodesOf(plugin: string, byNode: Readonly<Record<string, Inputs>>, points: readonly number[] = []) {
  return Object.entries(byNode).map(([name, inputs], at): ExplainedNode => {
    const own = points[at];
    const scores: Record<string, number> = own === undefined ? {} : { [plugin]: own };
    return { name, scores, total: own ?? 0, inputs: { [plugin]: inputs } };
  });
}

function lines(plugin: string, nodes: readonly ExplainedNode[]): readonly string[] {
  return inputLines(plugin, nodes, { chosen: nodes[0]?.name ?? null, columns: 80 });
}

const gpu = (parts: Inputs): Inputs => ({
  ageSeconds: 28,
  direction: 'spread',
  ceiling: 80,
  weight: 2,
  ...parts,
});
const traffic = (parts: Inputs): Inputs => ({ signal: 'disk-bytes', ageSeconds: 6, ...parts });
const measured = { unit: 'bytes per second', better: 'lower' };
const risk = (score: number): Inputs => ({
  branch: 'risk',
  metricsEndUnixSeconds: 1_800_000_000,
  metricsAgeSeconds: 60,
  cpuMilli: { capacity: 4000, used: 100 * score, deviation: 12.3456, pod: 500, mean: 0.123456, score },
  memoryMebibytes: { capacity: 2048, used: 1024, deviation: 1, pod: 256, mean: 0.5, score: 50 },
});

/** Sentence, plugin, inputs by node, points, what is printed. */
const ROWS: readonly (readonly [
  string,
  string,
  Readonly<Record<string, Inputs>>,
  readonly number[],
  string,
])[] = [
  [
    'NodeSignals: value, age and score of each signal on every node, or why there is none',
    'NodeSignals',
    {
      b: {
        signals: {
          gpu: gpu({ value: 20, percent: 20, score: 80 }),
          io: { ageSeconds: 5, value: 7, percent: 35, score: 65 },
        },
      },
      a: {
        signals: {
          gpu: gpu({ missing: 'no-sample', ifMissing: 'skip' }),
          io: { ageSeconds: 5, value: 4, percent: 20, score: 80 },
        },
      },
    },
    [375, 400],
    `NodeSignals
  gpu: age 28s, direction spread, ceiling 80.0 %, weight 2, if missing skip
  io: age 5s
node       percent  score  value  missing    points
* b   gpu   20.0 %     80                       375
      io    35.0 %     65      7
  a   gpu                         no sample     400
      io    20.0 %     80      4`,
  ],
  [
    'a traffic plugin: value with its unit, age and points',
    'DiskTraffic',
    {
      a: traffic({ value: 1_572_864, ...measured }),
      b: traffic({ missing: 'never-read', missingMetrics: 'zeroScore' }),
    },
    [88, 0],
    `DiskTraffic: signal disk bytes, age 6s, unit bytes/s, better lower, if missing
zeroScore
node      value  missing     points
* a   1.5 MiB/s                  88
  b              never read       0`,
  ],
  [
    'LoadVariationRiskBalancing: both resources in their units',
    'LoadVariationRiskBalancing',
    { a: risk(10), b: risk(20) },
    [30, 35],
    `LoadVariationRiskBalancing: branch risk, age 1m
  cpu: capacity 4000m, deviation 12.35m, this pod 500m, mean 0.1235
  memory: capacity 2.0 GiB, used 1.0 GiB, deviation 1.0 MiB, this pod 256.0 MiB,
  mean 0.5
node           used  score  points
* a   cpu     1000m     10      30
      memory            50
  b   cpu     2000m     20      35
      memory            50`,
  ],
  [
    'LoadCeiling: figures beside ceilings; what is old on all nodes has no lines',
    'LoadCeiling',
    {
      a: {
        mode: 'hard',
        ceilings: {
          cpu: { percent: null, ceiling: 80, missing: 'too-old' },
          io: { percent: 5, ceiling: 25, value: 5 },
        },
        gaps: [{ figure: 'cpu', reason: 'too-old' }],
      },
      b: {
        mode: 'hard',
        ceilings: {
          cpu: { percent: null, ceiling: 80, missing: 'too-old' },
          io: { percent: 9, ceiling: 25, value: 9 },
        },
        gaps: [{ figure: 'cpu', reason: 'too-old' }],
      },
    },
    [],
    `LoadCeiling: mode hard
  cpu: ceiling 80.0 %, missing too old
  io: ceiling 25.0 %
node      percent
* a   io    5.0 %
  b   io    9.0 %`,
  ],
  [
    'a plugin that says the same of every node has one line',
    'TaintToleration',
    { a: { intolerableSoftTaints: 0 }, b: { intolerableSoftTaints: 0 } },
    [100, 100],
    'TaintToleration: intolerable soft taints 0',
  ],
];

describe('inputLines', () => {
  for (const [sentence, plugin, byNode, points, text] of ROWS) {
    it(sentence, () => {
      expect(lines(plugin, nodesOf(plugin, byNode, points)).join('\n')).to.equal(text);
    });
  }

  it('columns that do not fit go into a second table; a long name of a node has its own line', () => {
    const names = Array.from({ length: 12 }, (_, at) => `numberOfThings${at}`);
    const of = (base: number): Inputs => Object.fromEntries(names.map((name, at) => [name, base + at]));
    const long = 'ip-10-0-0-0.eu-west-1.compute.internal';
    const printed = lines('Own', nodesOf('Own', { [long]: of(1000), b: of(2000) }));
    expect(printed.filter((line) => line.length > 80)).to.deep.equal([]);
    expect(printed.filter((line) => line === `* ${long}`)).to.have.length(2);
    expect(printed.join('\n')).to.match(/1011/);
  });

  it('whatever a plugin tells, each of its numbers is printed, for every node', () => {
    const number = fc.integer({ min: 0, max: 99_999 });
    const key = fc
      .stringMatching(/^[a-z]{3,8}$/)
      .filter((name) => !['value', 'percent', 'target', 'ceiling'].includes(name));
    const inputs = fc.dictionary(key, fc.oneof(number, fc.dictionary(key, number, { minKeys: 1 })), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(fc.array(inputs, { minLength: 1, maxLength: 4 }), (all) => {
        const byNode = Object.fromEntries(all.map((each, at) => [`node-${at}`, each]));
        const printed = lines('Own', nodesOf('Own', byNode))
          .join('\n')
          .split(/[\s,]+/);
        const told = all.flatMap((each) =>
          Object.values(each).flatMap((part) => (typeof part === 'number' ? [part] : Object.values(part))),
        );
        for (const each of told) expect(printed).to.include(String(each));
      }),
    );
  });
});
