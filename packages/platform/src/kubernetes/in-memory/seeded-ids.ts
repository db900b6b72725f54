/** Deterministic identifiers: two clusters of one seed that see the same writes hand out the same ones. */
export class SeededIds {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A version-4 UUID in form. */
  uid(): string {
    const hex = Array.from({ length: 4 }, () => this.#next().toString(16).padStart(8, '0')).join('');
    const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3] ?? '8';
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20),
    ].join('-');
  }

  /** Five characters as the API server appends to `generateName`. */
  suffix(): string {
    const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
    return Array.from({ length: 5 }, () => alphabet[this.#next() % alphabet.length]).join('');
  }

  /** Mulberry32: a full-period 32-bit step with a good mix. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
