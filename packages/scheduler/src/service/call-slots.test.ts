import { VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import { CallSlots } from './call-slots.js';
import { turns } from './scheduler-world.test.js';

const OPTIONS = { limit: 2, slowAfterMs: 1_000, hardLimit: 4, deadlineMs: 35_000 };

describe('CallSlots', () => {
  let clock: VirtualClock;
  let slots: CallSlots;
  let begun: string[];
  let end: Map<string, () => void>;
  let rooms: number;

  beforeEach(() => {
    clock = new VirtualClock(0);
    rooms = 0;
    slots = new CallSlots(OPTIONS, clock, () => {
      rooms += 1;
    });
    begun = [];
    end = new Map();
  });

  /** Makes calls that end when told. */
  async function call(names: readonly string[], isSlow = false, signal = new AbortController().signal) {
    for (const name of names) {
      const work = () =>
        new Promise<void>((resolve) => {
          begun.push(name);
          end.set(name, resolve);
        });
      slots.during(work, { signal, prepare: () => Promise.resolve(), isSlow }).catch(() => undefined);
    }
    await turns(2);
  }

  it('lets so many calls begin at once, the others in order as those end', async () => {
    await call(['a', 'b', 'c', 'd']);
    expect(begun).to.deep.equal(['a', 'b']);
    end.get('b')?.();
    await turns(2);
    expect(begun).to.deep.equal(['a', 'b', 'c']);
  });

  it('takes a call without an answer for slow after a second, and lets the next begin', async () => {
    await call(['a', 'b', 'c', 'd', 'e']);
    await clock.advanceBy(999);
    expect(begun).to.deep.equal(['a', 'b']);
    await clock.advanceBy(1);
    await turns(2);
    expect(begun).to.deep.equal(['a', 'b', 'c', 'd']);
    await clock.advanceBy(1_000);
    await turns(2);
    // As many as may be under way at all.
    expect(begun).to.have.length(4);
    end.get('a')?.();
    await turns(2);
    expect(begun.at(-1)).to.equal('e');
  });

  it('a call that has hung before holds up no quick one, and waits for none', async () => {
    await call(['again-1', 'again-2'], true);
    expect(slots.hasRoom).to.equal(true);
    await call(['a', 'b']);
    expect(begun).to.deep.equal(['again-1', 'again-2', 'a', 'b']);
    expect(slots.hasRoom).to.equal(false);
  });

  it('a call that has hung before passes quick ones that wait only for a quick slot', async () => {
    await call(['a', 'b', 'c']);
    await call(['again-1', 'again-2', 'again-3'], true);
    expect(begun).to.deep.equal(['a', 'b', 'again-1', 'again-2']);
    end.get('a')?.();
    await turns(2);
    expect(begun.slice(4)).to.deep.equal(['c']);
    end.get('again-1')?.();
    await turns(2);
    expect(begun.slice(5)).to.deep.equal(['again-3']);
  });

  it('tells when there is room again, not while others wait for it', async () => {
    await call(['a', 'b', 'c']);
    end.get('a')?.();
    await turns(2);
    const before = rooms;
    end.get('b')?.();
    await turns(2);
    expect([before, rooms > before, slots.hasRoom]).to.deep.equal([0, true, true]);
  });

  it('forgets a call that waits when its signal aborts', async () => {
    const stop = new AbortController();
    await call(['a', 'b']);
    await call(['c'], false, stop.signal);
    stop.abort();
    end.get('a')?.();
    await turns(2);
    expect(begun).to.deep.equal(['a', 'b']);
    expect(slots.hasRoom).to.equal(true);
  });
});
