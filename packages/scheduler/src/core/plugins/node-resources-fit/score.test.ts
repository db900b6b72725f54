import { expect } from 'chai';
import { alongShape, leastAllocated, mostAllocated } from './score.js';

describe('NodeResourcesFit strategies', () => {
  it('least and most allocated, in whole numbers', () => {
    expect([
      leastAllocated(1000, 3000),
      leastAllocated(3000, 3000),
      leastAllocated(3001, 3000),
    ]).to.deep.equal([66, 0, 0]);
    expect([mostAllocated(1000, 3000), mostAllocated(3000, 3000), mostAllocated(9000, 3000)]).to.deep.equal([
      33, 100, 100,
    ]);
  });

  it('64-bit sums where a double would round', () => {
    const allocatable = 4611686018427387904n;
    expect(leastAllocated(allocatable - (63n * allocatable - 1n) / 100n, allocatable)).to.equal(62);
  });

  /** Percent, score on the line 0 → 0, 40 → 8, 100 → 10, and on 20 → 10, 70 → 3. */
  const rows: readonly (readonly [number, number, number])[] = [
    [0, 0, 100],
    [20, 40, 100],
    [33, 66, 82],
    [40, 80, 72],
    [70, 90, 30],
    [99, 99, 30],
    [100, 100, 30],
  ];
  for (const [percent, rising, falling] of rows) {
    it(`a broken line at ${percent} %`, () => {
      const up = [
        { utilization: 0, score: 0 },
        { utilization: 40, score: 8 },
        { utilization: 100, score: 10 },
      ];
      const down = [
        { utilization: 20, score: 10 },
        { utilization: 70, score: 3 },
      ];
      expect([alongShape(up, percent), alongShape(down, percent)]).to.deep.equal([rising, falling]);
    });
  }
});
