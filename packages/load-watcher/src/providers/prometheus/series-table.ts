import type { Labels } from '../../core/mapping/resolve-node.js';

/** Series that were not seen lately are forgotten once there are this many more than lately seen ones. */
const SLACK = 10_000;

/** Labels as JSON in UTF-8, within an answer. */
export interface LabelsText {
  readonly start: number;
  readonly end: number;
  /** Of all its bytes, by `addToHash`. */
  readonly hash: number;
}

/**
 * Numbers the label sets of a source. A refresh sees the same few thousand sets a dozen times, and the next one sees
 * them again: parsing and keeping each once is most of what makes large clusters cheap. They are found by their bytes,
 * since a string for each of sixty thousand look-ups would cost more than all the rest of reading an answer.
 */
export class SeriesTable {
  /** The last label set with that hash. */
  #byHash = new Map<number, number>();
  /** The one before it with the same hash, by number; -1 for none. */
  #sameHash: number[] = [];
  #texts: Buffer[] = [];
  #labels: Labels[] = [];
  #generation = 0;

  /**
   * The number of the labels that stand there. Equal text has the equal number until a refresh ends.
   */
  idAt(body: Buffer, { start, end, hash }: LabelsText): number {
    const last = this.#byHash.get(hash) ?? -1;
    for (let id = last; id >= 0; id = this.#sameHash[id] ?? -1) {
      if (this.lengthAt(id, body, start) === end - start) return id;
    }
    const id = this.#labels.length;
    this.#byHash.set(hash, id);
    this.#sameHash.push(last);
    // A copy: a part of the answer would keep all of it in memory.
    const text = Buffer.from(body.subarray(start, end));
    this.#texts.push(text);
    this.#labels.push(parseLabels(text.toString('utf8')));
    return id;
  }

  /** Number of labels that are given alone. */
  idOf(text: string): number {
    const bytes = Buffer.from(text);
    let hash = 0;
    for (const byte of bytes) hash = addToHash(hash, byte);
    return this.idAt(bytes, { start: 0, end: bytes.length, hash });
  }

  /** Bytes of the text of that label set, when it stands there; else -1. */
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
    this.#byHash = new Map();
    this.#sameHash = [];
    this.#texts = [];
    this.#labels = [];
    this.#generation += 1;
  }
}

/** Within 30 bits, for which numbers are cheapest. */
export function addToHash(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) & 0x3fffffff;
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
