import { expect } from 'chai';
import fc from 'fast-check';
import type { Absence } from '../../core/figures/figures.js';
import { runAtOnce } from '../../event-loop.js';
import { type NodeSeries, type PointWindows, pointWindows } from './point-windows.js';

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const NAMES = { names: { CPU: 'cpu', Memory: 'memory' }, rollup: '' };

/** Minutes before now, and percent. */
type MinutePoint = readonly [minutesAgo: number, percent: number];

function series(points: readonly MinutePoint[], over: Partial<NodeSeries> = {}): NodeSeries {
  return {
    node: 'n1',
    resource: 'CPU',
    createdMs: Number.NaN,
    points: points.map(([minutesAgo, percent]) => ({ unixMs: NOW_MS - minutesAgo * MINUTE_MS, percent })),
    ...over,
  };
}

function windowsOf(...all: readonly NodeSeries[]): PointWindows {
  const context = { answered: new Set(['CPU', 'Memory'] as const), nowMs: NOW_MS, names: NAMES };
  return runAtOnce(pointWindows(all, context));
}

function figures({ windows }: PointWindows): Record<string, string[]> {
  return Object.fromEntries(
    windows.map(({ duration, nodes }) => [
      duration,
      [...nodes].flatMap(([node, { metrics }]) =>
        metrics.map(({ type, operator, value }) => `${node} ${type} ${operator} ${value}`),
      ),
    ]),
  );
}

function reasons(absences: readonly Absence[]): string[] {
  return absences.map(({ subject, metric, reason, detail }) => `${subject} ${metric} ${reason}: ${detail}`);
}

describe('windows over points', () => {
  it('each has the mean and the deviation of its own points', () => {
    const points: readonly MinutePoint[] = [
      [1, 10],
      [4, 30],
      [6, 50],
      [12, 90],
    ];
    expect(figures(windowsOf(series(points)))).to.deep.equal({
      '15m': ['n1 CPU AVG 45', `n1 CPU STD ${Math.sqrt(875)}`],
      '10m': ['n1 CPU AVG 30', `n1 CPU STD ${Math.sqrt(800 / 3)}`],
      '5m': ['n1 CPU AVG 20', 'n1 CPU STD 10'],
    });
  });

  it('one point is an average, and no deviation', () => {
    expect(figures(windowsOf(series([[1, 0]])))['5m']).to.deep.equal(['n1 CPU AVG 0']);
  });

  it('a window without a point of its own has no figure, a longer one has', () => {
    const point = [series([[4.9, 40]]), series([[5, 60]], { node: 'n2' })];
    expect(figures(windowsOf(...point))).to.deep.equal({
      '15m': ['n1 CPU AVG 40', 'n2 CPU AVG 60'],
      '10m': ['n1 CPU AVG 40', 'n2 CPU AVG 60'],
      '5m': ['n1 CPU AVG 40'],
    });
  });

  it('above capacity is a figure, ten times that is a wrong unit', () => {
    const windows = windowsOf(series([[1, 104]]), series([[1, 1001]], { node: 'n2' }));
    expect(figures(windows)['15m']).to.deep.equal(['n1 CPU AVG 104']);
    expect(reasons(windows.absences)[0]).to.match(/^n2 CPU implausible: 1 of 1 points: 1001 % is above/);
  });

  const bad: [sentence: string, point: MinutePoint, over: Partial<NodeSeries>, reason: RegExp][] = [
    ['NaN', [1, Number.NaN], {}, /^n1 CPU non-finite: 1 of 2 points: the sample is NaN$/],
    [
      'infinite',
      [1, Number.POSITIVE_INFINITY],
      {},
      /^n1 CPU non-finite: 1 of 2 points: the sample is Infinity$/,
    ],
    ['negative', [1, -1], {}, /^n1 CPU negative: 1 of 2 points: -1 % is below 0$/],
    ['of the future', [-3, 99], {}, /^n1 CPU future-sample: 1 of 2 points: the sample is 180 s ahead/],
    ['without a time', [Number.NaN, 99], {}, /^n1 CPU malformed-item: 1 of 2 points: the point has no time$/],
    [
      'older than the node, of an earlier machine of its name',
      [10, 99],
      { createdMs: NOW_MS - 5 * MINUTE_MS },
      /^n1 CPU older-than-node: 1 of 2 points: they were measured before the node was created at 20/,
    ],
  ];
  for (const [sentence, point, over, reason] of bad) {
    it(`a point that is ${sentence} is left out, told, and costs no other`, () => {
      const windows = windowsOf(series([point, [2, 40]], over));
      expect(figures(windows)['15m']).to.deep.equal(['n1 CPU AVG 40']);
      expect(reasons(windows.absences)).to.have.length(1);
      expect(reasons(windows.absences)[0]).to.match(reason);
    });
  }

  it('a series that has ended has no figure in any window', () => {
    const windows = windowsOf(series([[6, 1]]), series([[1, 50]], { resource: 'Memory' }));
    expect(figures(windows)['15m']).to.deep.equal(['n1 Memory AVG 50']);
    expect(reasons(windows.absences)[0]).to.match(/^n1 CPU stale-sample: the sample is 360 s old/);
  });

  it('a series that has ended is nothing beside one of the same node that goes on', () => {
    const windows = windowsOf(series([[6, 99]]), series([[1, 20]]));
    expect(figures(windows)['15m']).to.deep.equal(['n1 CPU AVG 20']);
    expect(windows.absences).to.deep.equal([]);
  });

  it('of two series of one node the higher counts, and both are told', () => {
    const windows = windowsOf(series([[1, 20]]), series([[1, 30]]));
    expect(figures(windows)['15m']).to.deep.equal(['n1 CPU AVG 30']);
    expect(reasons(windows.absences)[0]).to.match(/^n1 CPU duplicate-series: .*20 % and 30 %/);
  });

  it('a series without points is a missing sample', () => {
    expect(reasons(windowsOf(series([])).absences)).to.deep.equal([
      'n1 CPU no-sample: the series has no point in the last 15 minutes',
    ]);
  });

  it('tells the time of the newest point behind the older of the two resources', () => {
    const windows = windowsOf(series([[1, 1]]), series([[2, 1]], { resource: 'Memory' }));
    expect(windows.windows[0]?.nodes.get('n1')?.sampleUnixMs).to.equal(NOW_MS - 2 * MINUTE_MS);
  });

  it('whatever the points: figures are finite, within the points, and the same in any order', () => {
    const point = fc.tuple(
      fc.integer({ min: -5, max: 20 }),
      fc.oneof(fc.double({ min: -10, max: 1_200 }), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)),
    );
    fc.assert(
      fc.property(fc.array(point, { maxLength: 20 }), (points) => {
        const windows = windowsOf(series(points));
        for (const { nodes } of windows.windows) {
          for (const { operator, value } of nodes.get('n1')?.metrics ?? []) {
            expect(Number.isFinite(value)).to.equal(true);
            if (operator === 'AVG') expect(value).to.be.within(0, 1_000.000_001);
          }
        }
        const count = ({ windows: all }: PointWindows) =>
          all.map(({ nodes }) => nodes.get('n1')?.metrics.length ?? 0);
        expect(count(windowsOf(series([...points].reverse())))).to.deep.equal(count(windows));
      }),
    );
  });
});
