/** A binary heap; `before` must be a strict order without ties. Push and pop cost O(log n). */
export class BinaryHeap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt];
      if (parent === undefined || !this.#before(item, parent)) {
        break;
      }
      items[at] = parent;
      at = parentAt;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) {
      this.#sink(last);
    }
    return top;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      const leftAt = 2 * at + 1;
      const left = items[leftAt];
      const right = items[leftAt + 1];
      if (left === undefined) {
        break;
      }
      const [child, childAt] =
        right !== undefined && this.#before(right, left) ? [right, leftAt + 1] : [left, leftAt];
      if (!this.#before(child, item)) {
        break;
      }
      items[at] = child;
      at = childAt;
    }
    items[at] = item;
  }
}
