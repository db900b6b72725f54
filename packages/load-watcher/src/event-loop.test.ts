import { stopwatchMs } from '@catamaran/platform';
import { expect } from 'chai';
import { type Interruptible, runAtOnce, runInSlices } from './event-loop.js';

function* count(pieces: number, pieceMs: number): Interruptible<number> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const endMs = stopwatchMs() + pieceMs;
    while (stopwatchMs() < endMs);
    yield;
  }
  return pieces;
}

describe('runInSlices', () => {
  it('gives the result, and lets others run in between', async () => {
    let turns = 0;
    let done = false;
    const other = (): void => {
      turns += 1;
      if (!done) setImmediate(other);
    };
    setImmediate(other);
    expect(await runInSlices(count(10, 3))).to.equal(10);
    done = true;
    expect(turns).to.be.within(3, 11);
  });

  it('rejects with what the computation throws', async () => {
    const failing = (function* (): Interruptible<number> {
      yield;
      throw new RangeError('no');
    })();
    expect(await runInSlices(failing).catch((error: unknown) => error)).to.be.instanceOf(RangeError);
  });

  it('at once gives the same', () => {
    expect(runAtOnce(count(3, 0))).to.equal(3);
  });
});
