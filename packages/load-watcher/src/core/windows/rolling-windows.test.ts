import { expect } from 'chai';
import fc from 'fast-check';
import { RollingWindows } from './rolling-windows.js';

const MINUTE_MS = 60_000;
const FIVE_MINUTES = 300;

function fill(rolling: RollingWindows, values: readonly number[], node = 'n1'): number {
  values.forEach((CPU, minute) => {
    rolling.add(node, 'uid', { unixMs: minute * MINUTE_MS, percent: { CPU } });
  });
  return (values.length - 1) * MINUTE_MS;
}

describe('RollingWindows', () => {
  let rolling: RollingWindows;
  beforeEach(() => {
    rolling = new RollingWindows({ longestSeconds: 900, intervalSeconds: 60 });
  });
  const cpu = (endMs: number, seconds = FIVE_MINUTES, node = 'n1') =>
    rolling.statistics(node, 'CPU', { seconds, endMs });

  it('has average and population deviation over the samples of the window, its start excluded', () => {
    const endMs = fill(rolling, [99, 10, 20, 30, 40, 50]);
    expect(cpu(endMs)).to.deep.equal({ average: 30, deviation: Math.sqrt(200) });
  });

  it('a deviation of equal samples is 0', () => {
    expect(cpu(fill(rolling, [7, 7, 7, 7, 7, 7]))?.deviation).to.equal(0);
  });

  it('one sample has an average and no deviation', () => {
    rolling = new RollingWindows({ longestSeconds: 900, intervalSeconds: 300 });
    rolling.add('n1', 'uid', { unixMs: 0, percent: { CPU: 10 } });
    rolling.add('n1', 'uid', { unixMs: 5 * MINUTE_MS, percent: { CPU: 30 } });
    expect(cpu(5 * MINUTE_MS)).to.deep.equal({ average: 30, deviation: undefined });
  });

  it('is not full before samples reach back to within one interval of its start', () => {
    expect(cpu(fill(rolling, [1, 2, 3, 4]))).to.equal(undefined);
    expect(cpu(fill(rolling, [1, 2, 3, 4, 5]))?.average).to.equal(3);
  });

  it('the short window is full while the long one is not', () => {
    const endMs = fill(rolling, [1, 2, 3, 4, 5, 6]);
    expect(cpu(endMs, 300)?.average).to.equal(4);
    expect(cpu(endMs, 900)).to.equal(undefined);
  });

  it('goes on at once after clocks were set back, with nothing from before', () => {
    rolling.add('n1', 'uid', { unixMs: 20 * MINUTE_MS, percent: { CPU: 99 } });
    expect(cpu(fill(rolling, [1, 2, 3, 4, 5, 6]))?.average).to.equal(4);
  });

  it('a sample a little older than the last one is another replica, and changes nothing', () => {
    const endMs = fill(rolling, [1, 2, 3, 4, 5, 6]);
    rolling.add('n1', 'uid', { unixMs: endMs - MINUTE_MS, percent: { CPU: 99 } });
    expect(cpu(endMs)?.average).to.equal(4);
  });

  it('forgets what is older than the longest window', () => {
    const endMs = fill(
      rolling,
      Array.from({ length: 100 }, (_, minute) => minute),
    );
    expect(cpu(endMs, 900)?.average).to.equal(92);
    expect(cpu(endMs, 300)?.average).to.equal(97);
  });

  it('a sample seen again counts once', () => {
    const endMs = fill(rolling, [0, 10, 20, 30, 40, 50]);
    for (let again = 0; again < 5; again += 1) {
      rolling.add('n1', 'uid', { unixMs: endMs, percent: { CPU: 50 } });
    }
    expect(cpu(endMs)?.average).to.equal(30);
  });

  it('half of the samples must be there', () => {
    for (const minute of [0, 2, 5])
      rolling.add('n1', 'uid', { unixMs: minute * MINUTE_MS, percent: { CPU: 1 } });
    expect(cpu(5 * MINUTE_MS)).to.equal(undefined);
    for (const minute of [0, 2, 4, 5])
      rolling.add('n2', 'uid', { unixMs: minute * MINUTE_MS, percent: { CPU: 1 } });
    expect(cpu(5 * MINUTE_MS, 300, 'n2')?.average).to.equal(1);
  });

  it('a resource that is unknown in some samples is averaged over the others', () => {
    fill(rolling, [0, 10, 20, 30, 40]);
    rolling.add('n1', 'uid', { unixMs: 5 * MINUTE_MS, percent: { Memory: 5 } });
    expect(cpu(5 * MINUTE_MS)?.average).to.equal(25);
    expect(rolling.statistics('n1', 'Memory', { seconds: 300, endMs: 5 * MINUTE_MS })).to.equal(undefined);
  });

  it('a machine that takes over a name starts anew', () => {
    const endMs = fill(rolling, [9, 9, 9, 9, 9, 9]);
    rolling.add('n1', 'another uid', { unixMs: endMs + MINUTE_MS, percent: { CPU: 1 } });
    expect(cpu(endMs + MINUTE_MS)).to.equal(undefined);
  });

  it('drops nodes that are gone', () => {
    const endMs = fill(rolling, [1, 1, 1, 1, 1, 1]);
    fill(rolling, [2, 2, 2, 2, 2, 2], 'n2');
    rolling.keepOnly((node) => node === 'n2');
    expect([cpu(endMs), cpu(endMs, 300, 'n2')?.average, rolling.nodeCount]).to.deep.equal([undefined, 2, 1]);
  });

  it('takes the same bytes for each node, whatever happens', () => {
    expect(rolling.bytesPerNode).to.equal(17 * 3 * 8);
    expect(new RollingWindows({ longestSeconds: 900, intervalSeconds: 15 }).bytesPerNode).to.equal(
      62 * 3 * 8,
    );
  });

  it('agrees with a plain list of samples', () => {
    const samples = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 120_000 }), fc.double({ min: 0, max: 100, noNaN: true })),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(samples, (steps) => {
        const ring = new RollingWindows({ longestSeconds: 900, intervalSeconds: 60 });
        const list: { atMs: number; value: number }[] = [];
        let atMs = 0;
        for (const [step, value] of steps) {
          atMs += step;
          ring.add('n', '', { unixMs: atMs, percent: { CPU: value } });
          list.push({ atMs, value });
        }
        const inWindow = list.slice(-17).filter((sample) => sample.atMs > atMs - 300_000);
        const got = ring.statistics('n', 'CPU', { seconds: 300, endMs: atMs });
        if (got === undefined) return;
        const mean = inWindow.reduce((sum, { value }) => sum + value, 0) / inWindow.length;
        expect(got.average).to.be.closeTo(mean, 1e-9);
        expect(got.deviation).to.be.at.least(0).and.at.most(50);
      }),
    );
  });
});
