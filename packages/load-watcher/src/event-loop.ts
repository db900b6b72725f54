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
