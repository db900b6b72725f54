import { VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { withinDeadline } from './call-deadline.js';

/** A call that never answers; whether it was cut. */
function hanging() {
  const seen = { isCut: false };
  const call = (signal: AbortSignal): Promise<never> => {
    signal.addEventListener('abort', () => {
      seen.isCut = true;
    });
    return new Promise(() => undefined);
  };
  return { seen, call };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

describe('a call with a deadline', () => {
  const limitMs = 1_000;

  it('gives its answer, and leaves neither timer nor listener', async () => {
    const clock = new VirtualClock(0);
    const { signal } = new AbortController();
    expect(await withinDeadline(() => Promise.resolve(5), { clock, limitMs, signal })).to.equal(5);
    expect(clock.nextTimerMs()).to.equal(undefined);
  });

  it('is cut at its deadline, also when it pays no heed', async () => {
    const clock = new VirtualClock(0);
    const { seen, call } = hanging();
    const { signal } = new AbortController();
    const ended = withinDeadline(call, { clock, limitMs, signal }).catch(messageOf);
    await clock.advanceBy(1_000);
    expect([await ended, seen.isCut]).to.deep.equal(['no answer within 1 s', true]);
  });

  for (const [sentence, reason, isCut] of [
    ['is cut when whoever asked is closed', new DOMException('closed', 'AbortError'), true],
    ['is left alone when the answer is known from elsewhere', new Error('told'), false],
  ] as const) {
    it(sentence, async () => {
      const clock = new VirtualClock(0);
      const { seen, call } = hanging();
      const stop = new AbortController();
      const ended = withinDeadline(call, { clock, limitMs, signal: stop.signal }).catch(messageOf);
      stop.abort(reason);
      expect([await ended, seen.isCut]).to.deep.equal([reason.message, isCut]);
    });
  }

  it('is not made when whoever asked is closed already', async () => {
    const signal = AbortSignal.abort(new Error('closed'));
    const call = (): Promise<never> => Promise.reject(new Error('made'));
    const ended = withinDeadline(call, { clock: new VirtualClock(0), limitMs, signal }).catch(messageOf);
    expect(await ended).to.equal('closed');
  });
});
