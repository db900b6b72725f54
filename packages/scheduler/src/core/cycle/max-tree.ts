/** Value of a slot that can't be chosen; every real value is 0 or more. */
export const NO_VALUE = -1;

/**
 * The largest of a list of values, how many slots share it, and the k-th of these: each in a number of steps that
 * grows with the logarithm of the list. A full binary tree in two arrays; leaf `slot` is at `leaves + slot`.
 */
export class MaxTree {
  readonly #leaves: number;
  readonly #values: Float64Array;
  readonly #counts: Int32Array;

  constructor(size: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(2, size)));
    this.#values = new Float64Array(2 * this.#leaves).fill(NO_VALUE);
    this.#counts = new Int32Array(2 * this.#leaves);
  }

  /** `NO_VALUE` when no slot can be chosen. */
  get max(): number {
    return this.#values[1] ?? NO_VALUE;
  }

  /** How many slots hold `max`; 0 when no slot can be chosen. */
  get maxCount(): number {
    return this.#counts[1] ?? 0;
  }

  /** Sets every slot; slots beyond the list can't be chosen. */
  fill(size: number, valueAt: (slot: number) => number): void {
    const leaves = this.#leaves;
    for (let slot = 0; slot < leaves; slot += 1) {
      this.#setLeaf(leaves + slot, slot < size ? valueAt(slot) : NO_VALUE);
    }
    for (let at = leaves - 1; at >= 1; at -= 1) this.#join(at);
  }

  set(slot: number, value: number): void {
    let at = this.#leaves + slot;
    if (this.#values[at] === value) return;
    this.#setLeaf(at, value);
    for (at >>= 1; at >= 1; at >>= 1) this.#join(at);
  }

  /** The slot of the k-th largest value in slot order, `k` from 0 to `maxCount - 1`. */
  slotOfMax(k: number): number {
    let at = 1;
    let rest = k;
    while (at < this.#leaves) {
      const left = 2 * at;
      const onLeft = this.#values[left] === this.#values[at] ? (this.#counts[left] ?? 0) : 0;
      const goLeft = rest < onLeft;
      at = goLeft ? left : left + 1;
      if (!goLeft) rest -= onLeft;
    }
    return at - this.#leaves;
  }

  #setLeaf(at: number, value: number): void {
    this.#values[at] = value;
    this.#counts[at] = value === NO_VALUE ? 0 : 1;
  }

  #join(at: number): void {
    const left = this.#values[2 * at] ?? NO_VALUE;
    const right = this.#values[2 * at + 1] ?? NO_VALUE;
    const leftCount = left >= right ? (this.#counts[2 * at] ?? 0) : 0;
    const rightCount = right >= left ? (this.#counts[2 * at + 1] ?? 0) : 0;
    this.#values[at] = Math.max(left, right);
    this.#counts[at] = leftCount + rightCount;
  }
}
