import type { Logger } from '../../log/logger.js';

const EXCERPT_LENGTH = 200;

/** Leaves out what nobody could find again, and says so once for each collection: the others must not be lost with it. */
export class NamelessObjects {
  readonly #log: Logger;
  readonly #told = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param collection for the message. */
  without<T>(items: readonly T[], collection: string): readonly T[] {
    if (items.every(hasName)) return items;
    return items.filter((item) => {
      if (hasName(item)) return true;
      this.leftOut(item, collection);
      return false;
    });
  }

  leftOut(object: unknown, collection: string): void {
    const details = { collection, object: JSON.stringify(object).slice(0, EXCERPT_LENGTH) };
    if (this.#told.has(collection)) {
      this.#log.debug('an object without metadata.name is left out', details);
      return;
    }
    this.#told.add(collection);
    this.#log.warn(
      'an object without metadata.name is left out, and so will be others of its collection; check what stands between here and the API server',
      details,
    );
  }
}

export function hasName(object: unknown): boolean {
  const name = (object as { readonly metadata?: { readonly name?: unknown } } | null)?.metadata?.name;
  return typeof name === 'string' && name !== '';
}
