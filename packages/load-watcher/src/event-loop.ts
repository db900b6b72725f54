import { stopwatchMs } from '@catamaran/platform';

/** Long enough that turns cost little, short enough that a request never notices. */
const SLICE_MS = 8;

/**
 * A long computation that says with each `yield` where it may be interrupted. Written as a generator it can be run in
 * slices where requests are waiting, and at once where nobody is.
 */
export type Interruptible<T> = Generator<void, T, void>;

/** Runs it in slices of about 8 ms, each in a turn of the event loop of its own. */
export async function runInSlices<T>(work: Interruptible<T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const endMs = stopwatchMs() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (stopwatchMs() < endMs);
  }
}

export function runAtOnce<T>(work: Interruptible<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Lets other work of the process run before a long computation goes on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs pieces of computation one after the other, each in a turn of the event loop of its own. */
export class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  run<T>(compute: () => T): Promise<T> {
    const result = this.#last.then(nextTurn).then(compute);
    this.#last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }
}
