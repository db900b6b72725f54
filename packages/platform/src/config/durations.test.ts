import { expect } from 'chai';
import fc from 'fast-check';
import { formatDuration, parseDuration, roughDuration } from './durations.js';

describe('durations', () => {
  const good: [text: string, ms: number, why: string][] = [
    ['0', 0, 'a bare zero needs no unit'],
    ['500ms', 500, 'milliseconds are not minutes and seconds'],
    ['1m30s', 90_000, 'parts add up'],
    ['1h2m3s4ms', 3_723_004, 'all units down'],
    ['1.5h', 5_400_000, 'fractions'],
    ['.5s', 500, 'no digit before the point'],
    ['1.s', 1_000, 'no digit after the point'],
    ['-2s', -2_000, 'the sign holds for the whole'],
    ['+3s', 3_000, 'a plus sign'],
    ['250us', 0.25, 'below the millisecond'],
    ['1µs', 0.001, 'micro sign'],
    ['1μs', 0.001, 'Greek mu'],
    ['30s30s', 60_000, 'a repeated unit adds up, as in Go'],
  ];
  for (const [text, ms, why] of good) {
    it(`${why}: ${text}`, () => {
      expect(parseDuration(text)).to.deep.equal({ ok: true, value: ms });
    });
  }

  const bad: [text: string, problem: string][] = [
    ['30', '30 has no unit; write 30s for seconds or 30ms for milliseconds'],
    ['', '"" is not a duration; write for example 500ms, 30s or 1m30s'],
    ['1d', '"1d" is not a duration; write for example 500ms, 30s or 1m30s'],
    ['1 m', '"1 m" is not a duration; write for example 500ms, 30s or 1m30s'],
    ['.s', '".s" is not a duration; write for example 500ms, 30s or 1m30s'],
    ['1m-30s', '"1m-30s" is not a duration; write for example 500ms, 30s or 1m30s'],
    ['9999999h', '9999999h is longer than the longest duration, 2562047h'],
  ];
  for (const [text, problem] of bad) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(parseDuration(text)).to.deep.equal({ ok: false, problem });
    });
  }

  const shown: [ms: number, text: string][] = [
    [0, '0s'],
    [90, '90ms'],
    [1_500, '1s500ms'],
    [60_000, '1m'],
    [5_400_000, '1h30m'],
    [3_723_004, '1h2m3s4ms'],
    [0.25, '0.25ms'],
    [-2_000, '-2s'],
  ];
  for (const [ms, text] of shown) {
    it(`shows ${ms} ms as ${text}`, () => {
      expect(formatDuration(ms)).to.equal(text);
    });
  }

  const rough: [ms: number, text: string][] = [
    [0, '0s'],
    [999, '0s'],
    [42_900, '42s'],
    [300_000, '5m'],
    [303_999, '5m3s'],
    [7_260_000, '2h1m'],
    [7_201_000, '2h'],
    [86_400_000, '1d'],
    [28_439_584_865, '329d3h'],
    [-121_000, '-2m1s'],
  ];
  for (const [ms, text] of rough) {
    it(`tells people ${ms} ms as ${text}`, () => {
      expect(roughDuration(ms)).to.equal(text);
    });
  }

  it('reads back what it wrote, for every number of milliseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).to.deep.equal({ ok: true, value: ms });
      }),
    );
  });
});
