/** Which slots changed, in order. A version is a position in it; what is older than its start is not known. */
export class ChangeJournal {
  readonly #start: number;
  readonly #slots: number[] = [];

  /** @param start the version at which all slots count as new. */
  constructor(start: number) {
    this.#start = start;
  }

  get version(): number {
    return this.#start + this.#slots.length;
  }

  get length(): number {
    return this.#slots.length;
  }

  push(slot: number): void {
    this.#slots.push(slot);
  }

  /** Slots changed after `from`, up to `to`; undefined when `from` is older than the journal. */
  between(from: number, to: number): readonly number[] | undefined {
    if (from < this.#start) return undefined;
    return this.#slots.slice(from - this.#start, to - this.#start);
  }
}
