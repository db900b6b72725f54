import { expect } from 'chai';
import { EvaluationTime, standingStill } from './evaluation-time.js';
import { figureSources } from './query.js';
import type { ResourceReading } from './source-reader.js';

const START_MS = 1_800_000_000_000;

function readingsAt(evaluatedMs: number): readonly ResourceReading[] {
  const [source] = figureSources('CPU', { matcher: '', nodeLabel: undefined, userQueries: {} });
  if (source === undefined) throw new Error('CPU has no source');
  const value = {
    series: new Int32Array(0),
    values: new Float64Array(0),
    evaluatedMs,
    notes: [],
    isPartial: false,
  };
  const averages = new Map([['5m', { ok: true, value }]] as const);
  return [{ resource: 'CPU', source, tried: [], averages, deviations: new Map() }];
}

describe('EvaluationTime', () => {
  const rows: [sentence: string, evaluated: readonly number[], ageSeconds: number][] = [
    ['moves on: the answers are of now', [0, 60, 120], 0],
    ['stands still: they are of when it last moved', [0, 0, 0], 120],
    ['stood still and moves again', [0, 0, 60], 0],
    ['is set back: a clock was set', [0, 60, -3_600], 0],
    ['is hours behind and moves', [-7_200, -7_140, -7_080], 0],
    ['is not told', [Number.NaN, Number.NaN, Number.NaN], 0],
  ];
  for (const [sentence, evaluated, ageSeconds] of rows) {
    it(`the time of the server ${sentence}`, () => {
      const time = new EvaluationTime();
      const ages = evaluated.map((seconds, refresh) => {
        const nowMs = START_MS + refresh * 60_000;
        return (nowMs - time.asOfMs(readingsAt(START_MS + seconds * 1000), nowMs)) / 1000;
      });
      expect(ages.at(-1)).to.equal(ageSeconds);
    });
  }

  it('is told after more than a minute', () => {
    expect(standingStill(START_MS, START_MS + 60_000)).to.equal(undefined);
    expect(standingStill(START_MS, START_MS + 61_000)).to.match(/^the answers are those of 61 s ago, /);
  });
});
