import type { WindowDuration } from '@catamaran/model';
import { expect } from 'chai';
import type { NodeFigures, WindowFigures } from '../figures/figures.js';
import { replaces, selectWindow } from './select-window.js';

const SECONDS: Record<string, number> = { '15m': 900, '10m': 600, '5m': 300 };

function window(duration: WindowDuration, complete: boolean, figures: number): { figures: WindowFigures } {
  const metric = { name: '', type: 'CPU', operator: 'AVG', rollup: '', value: 1 };
  const nodes = new Map<string, NodeFigures>();
  if (figures > 0)
    nodes.set('n', { metrics: Array(figures).fill(metric), sampleUnixMs: undefined, sources: [] });
  return {
    figures: {
      duration,
      startUnixSeconds: 1000 - (SECONDS[duration] ?? 0),
      endUnixSeconds: 1000,
      complete,
      nodes,
    },
  };
}

describe('selectWindow', () => {
  const rows: [sentence: string, windows: { figures: WindowFigures }[], served: string | undefined][] = [
    ['the longest (D1)', [window('5m', true, 2), window('15m', true, 2), window('10m', true, 2)], '15m'],
    [
      '10m when a query of 15m failed',
      [window('15m', false, 2), window('10m', true, 1), window('5m', true, 4)],
      '10m',
    ],
    [
      '5m when 15m and 10m failed: never nothing',
      [window('15m', false, 0), window('10m', false, 0), window('5m', true, 1)],
      '5m',
    ],
    [
      'no complete window: the one with the most figures',
      [window('15m', false, 1), window('10m', false, 3), window('5m', false, 2)],
      '10m',
    ],
    ['as many figures each: the longest of them', [window('5m', false, 2), window('10m', false, 2)], '10m'],
    ['a complete window without nodes is not served', [window('15m', true, 0), window('5m', false, 1)], '5m'],
    ['nothing', [], undefined],
  ];
  for (const [sentence, windows, served] of rows) {
    it(sentence, () => {
      expect(selectWindow(windows)?.figures.duration).to.equal(served);
      expect(selectWindow([...windows].reverse())?.figures.duration).to.equal(served);
    });
  }
});

describe('replaces', () => {
  const complete = window('15m', true, 2).figures;
  const partial = window('15m', false, 1).figures;
  const empty = window('15m', true, 0).figures;
  const rows: [sentence: string, next: WindowFigures, fresh: WindowFigures | undefined, yes: boolean][] = [
    ['complete figures always', complete, complete, true],
    ['partial ones where there is nothing', partial, undefined, true],
    ['partial ones replace partial ones', partial, partial, true],
    ['partial ones leave fresh complete ones', partial, complete, false],
    ['an empty answer never (D3)', empty, complete, false],
    ['an empty answer not even the first time', empty, undefined, false],
  ];
  for (const [sentence, next, fresh, yes] of rows) {
    it(sentence, () => {
      expect(replaces(next, fresh)).to.equal(yes);
    });
  }
});
