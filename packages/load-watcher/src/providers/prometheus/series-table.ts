import type { Labels } from '../../core/mapping/resolve-node.js';

/** Series that were not seen lately are forgotten once there are this many more than lately seen ones. */
const SLACK = 10_000;

/**
 * Numbers the label sets of a source. A refresh sees the same few thousand sets a dozen times, and the next one sees
 * them again: parsing and keeping each once is most of what makes large clusters cheap.
 */
export class SeriesTable {
  #ids = new Map<string, number>();
  #texts: Buffer[] = [];
  #labels: Labels[] = [];
  #generation = 0;

  /** @param text labels as JSON in UTF-8. Equal text gives the equal number until a refresh ends. */
  idOf(text: Buffer): number {
    // Any bytes make a string in latin1, and different bytes a different one.
    const key = text.toString('latin1');
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#labels.length;
      this.#ids.set(key, id);
      // A copy: the text is a part of the answer, and would keep all of it in memory.
      this.#texts.push(Buffer.from(text));
      this.#labels.push(parseLabels(text.toString('utf8')));
    }
    return id;
  }

  /** Bytes of the text of that label set, when it stands there; else -1. Cheaper than `idOf` by far. */
  lengthAt(id: number, body: Buffer, at: number): number {
    const text = this.#texts[id];
    if (text === undefined) return -1;
    for (let offset = 0; offset < text.length; offset += 1) {
      if (body[at + offset] !== text[offset]) return -1;
    }
    return text.length;
  }

  labelsOf(id: number): Labels {
    return this.#labels[id] ?? {};
  }

  /** Numbers of different generations have nothing to do with each other. */
  get generation(): number {
    return this.#generation;
  }

  /** Ends a refresh that has used so many label sets; their numbers are not to be used after it. */
  endRefresh(used: number): void {
    if (this.#labels.length <= 2 * used + SLACK) return;
    this.#ids = new Map();
    this.#texts = [];
    this.#labels = [];
    this.#generation += 1;
  }
}

/** Values that are no text are left out. */
function parseLabels(text: string): Labels {
  try {
    const parsed = JSON.parse(text) as unknown;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {};
    return Object.fromEntries(
      Object.entries(parsed).filter(([, value]) => typeof value === 'string'),
    ) as Labels;
  } catch {
    return {};
  }
}
