import { expect } from 'chai';
import { scaledCurve, seededCurve } from './seeded-curve.js';
import { SeededRandom } from './seeded-random.js';
import { curveFromPercents, meanShare, shareAt, steadyCurve } from './usage-curve.js';

describe('usage curves', () => {
  it('turns percent of the own CPU into a share, begins at the first sample and repeats', () => {
    const curve = curveFromPercents([10, 20, 30], 1);
    expect([0, 1, 2, 3].map((step) => shareAt(curve, step))).to.deep.equal([0.2, 0.3, 0.1, 0.2]);
    expect(shareAt(curve, -1)).to.equal(0.1);
    expect(shareAt(steadyCurve(0.7), 99)).to.equal(0.7);
  });

  it('makes a day whose mean is the level, that is never negative and differs with the seed', () => {
    const shape = { level: 0.6, swing: 0.3, periodSamples: 36, noise: 0.1 };
    const curve = seededCurve(shape, new SeededRandom(7));
    expect(curve.samples).to.have.length(288);
    expect(meanShare(curve)).to.be.within(0.54, 0.66);
    expect(Math.min(...curve.samples)).to.be.at.least(0.02);
    expect(Math.max(...curve.samples) - Math.min(...curve.samples)).to.be.above(0.3);
    expect(seededCurve(shape, new SeededRandom(7))).to.deep.equal(curve);
    expect(seededCurve(shape, new SeededRandom(8))).not.to.deep.equal(curve);
    expect(scaledCurve(curve, 2).samples[5]).to.equal((curve.samples[5] ?? 0) * 2);
  });
});

describe('SeededRandom', () => {
  it('gives known numbers for a known seed, so that a run can be repeated elsewhere', () => {
    const random = new SeededRandom(1);
    expect([random.next(), random.next()]).to.deep.equal([0.6270739405881613, 0.002735721180215478]);
  });

  it('keeps streams of different purposes and seeds apart', () => {
    const draw = (seed: number, purpose: string): number => SeededRandom.for(seed, purpose).next();
    expect(new Set([draw(1, 'a'), draw(1, 'b'), draw(2, 'a'), draw(2, 'b')]).size).to.equal(4);
    expect(draw(1, 'a')).to.equal(draw(1, 'a'));
  });

  it('picks by weight, stays in range and shuffles without loss', () => {
    const random = new SeededRandom(3);
    const choices = [
      { value: 'often', weight: 9 },
      { value: 'seldom', weight: 1 },
    ];
    const picks = Array.from({ length: 2000 }, () => random.pick(choices));
    expect(picks.filter((pick) => pick === 'often').length).to.be.within(1720, 1880);
    expect(Array.from({ length: 500 }, () => random.below(3)).every((n) => n >= 0 && n < 3)).to.equal(true);
    expect(random.shuffled([1, 2, 3, 4]).sort((a, b) => a - b)).to.deep.equal([1, 2, 3, 4]);
    expect(() => random.pick([])).to.throw(RangeError);
  });
});
