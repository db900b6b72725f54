import type { Labels } from '../../core/mapping/resolve-node.js';

/** Series that were not seen lately are forgotten once there are this many more than lately seen ones. */
const SLACK = 10_000;

/**
 * Numbers the label sets of a source. A refresh sees the same few thousand sets a dozen times, and the next one sees
 * them again: parsing and keeping each once is most of what makes large clusters cheap.
 */
export class SeriesTable {
  #ids = new Map<string, number>();
  #labels: Labels[] = [];
  #generation = 0;

  /** @param text labels as JSON. Equal text gives the equal number until `forgetUnseen`. */
  idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#labels.length;
      // A copy: the text is a part of the answer, and would keep all of it in memory.
      this.#ids.set(Buffer.from(text).toString(), id);
      this.#labels.push(parseLabels(text));
    }
    return id;
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
