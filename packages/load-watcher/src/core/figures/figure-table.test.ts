import { expect } from 'chai';
import { type Figure, FigureTable } from './figure-table.js';
import { judgeSampleTime } from './sample-time.js';

const NAMES = { names: { CPU: 'cpu-series', Memory: 'memory-series' }, rollup: '15m' };

function figure(
  resource: 'CPU' | 'Memory',
  statistic: 'AVG' | 'STD' | 'Latest',
  percent: number,
  node = 'n1',
): Figure {
  return { node, resource, statistic, percent, source: 'src' };
}

function build(...figures: Figure[]) {
  const table = new FigureTable(NAMES);
  for (const one of figures) table.add(one);
  const nodes = [...table.build()].map(([node, { metrics }]) => [
    node,
    metrics.map(({ type, operator, value }) => `${type} ${operator} ${value}`),
  ]);
  return { nodes: Object.fromEntries(nodes) as object, reasons: table.absences.map(({ reason }) => reason) };
}

describe('FigureTable', () => {
  it('puts averages before deviations and CPU before memory, whatever the order they came in', () => {
    const { nodes } = build(
      figure('Memory', 'STD', 1),
      figure('CPU', 'STD', 2),
      figure('Memory', 'AVG', 3),
      figure('CPU', 'AVG', 4),
    );
    expect(nodes).to.deep.equal({ n1: ['CPU AVG 4', 'Memory AVG 3', 'CPU STD 2', 'Memory STD 1'] });
  });

  it('names figures as the Go service does, CPU and memory only (D6): series and window, or nothing for the latest sample', () => {
    const table = new FigureTable(NAMES);
    table.add(figure('CPU', 'AVG', 1));
    table.add(figure('Memory', 'Latest', 2));
    expect(table.build().get('n1')?.metrics).to.deep.equal([
      { name: 'cpu-series', type: 'CPU', operator: 'AVG', rollup: '15m', value: 1 },
      { name: '', type: 'Memory', operator: 'Latest', rollup: '', value: 2 },
    ]);
  });

  const dropped: [sentence: string, figures: Figure[], nodes: object, reasons: string[]][] = [
    ['NaN is dropped (C14, D5)', [figure('CPU', 'AVG', Number.NaN)], {}, ['non-finite']],
    ['an infinity is dropped (C15)', [figure('CPU', 'AVG', Number.NEGATIVE_INFINITY)], {}, ['non-finite']],
    ['a negative figure is dropped', [figure('CPU', 'AVG', -0.001)], {}, ['negative']],
    [
      '0 and negative zero stay',
      [figure('CPU', 'AVG', 0), figure('Memory', 'AVG', -0)],
      { n1: ['CPU AVG 0', 'Memory AVG 0'] },
      [],
    ],
    ['above capacity stays (C01)', [figure('Memory', 'AVG', 104.04)], { n1: ['Memory AVG 104.04'] }, []],
    ['ten times the capacity stays', [figure('CPU', 'AVG', 1000)], { n1: ['CPU AVG 1000'] }, []],
    ['more than that is a wrong unit', [figure('CPU', 'AVG', 1000.1)], {}, ['implausible']],
    ['a deviation without an average is left out', [figure('CPU', 'STD', 3)], {}, []],
    [
      'of several series the highest counts (C12 merges, D9)',
      [figure('CPU', 'AVG', 30), figure('CPU', 'AVG', 34), figure('CPU', 'AVG', 32)],
      { n1: ['CPU AVG 34'] },
      ['duplicate-series', 'duplicate-series'],
    ],
  ];
  for (const [sentence, figures, nodes, reasons] of dropped) {
    it(sentence, () => {
      expect(build(...figures)).to.deep.equal({ nodes, reasons });
    });
  }

  it('what to do about several series of a node is up to the source', () => {
    const detailOf = (duplicateRemedy?: string): string | undefined => {
      const table = new FigureTable({
        ...NAMES,
        ...(duplicateRemedy === undefined ? {} : { duplicateRemedy }),
      });
      for (const percent of [1, 2]) table.add(figure('CPU', 'AVG', percent));
      return table.absences[0]?.detail;
    };
    expect(detailOf()).to.equal('several series give its AVG: 1 % and 2 %; the higher one counts');
    expect(detailOf('do x')).to.equal(
      'several series give its AVG: 1 % and 2 %; the higher one counts: do x',
    );
  });

  it('says which figure is wrong and what to check', () => {
    const table = new FigureTable(NAMES);
    table.add(figure('CPU', 'AVG', 4200));
    expect(table.absences).to.deep.equal([
      {
        subject: 'n1',
        metric: 'CPU',
        reason: 'implausible',
        detail: 'AVG of src: 4200 % is above 1000 %: check the unit that is declared for the query',
      },
    ]);
  });
});

describe('judgeSampleTime', () => {
  const limits = { maxAgeMs: 300_000, maxAheadMs: 120_000 };
  const rows: [sentence: string, aheadSeconds: number, reason: string | undefined][] = [
    ['now', 0, undefined],
    ['as old as allowed', -300, undefined],
    ['older than allowed', -301, 'stale-sample'],
    ['clocks ten minutes apart, ours ahead', -600, 'stale-sample'],
    ['a little ahead', 120, undefined],
    ['clocks ten minutes apart, ours behind', 600, 'future-sample'],
  ];
  for (const [sentence, aheadSeconds, reason] of rows) {
    it(sentence, () => {
      expect(judgeSampleTime(1e12 + aheadSeconds * 1000, 1e12, limits)?.reason).to.equal(reason);
    });
  }
});
