import { type LoadReport, type NodeLoad, sameLoad } from './node-load.js';

const NO_LOADS: readonly (NodeLoad | undefined)[] = [];

/** The newest report of each watcher. */
export class LoadSources {
  readonly #index = new Map<string, number>();
  readonly #reports: LoadReport[] = [];

  set(source: string, report: LoadReport): void {
    const index = this.#index.get(source) ?? this.#index.size;
    this.#index.set(source, index);
    this.#reports[index] = report;
  }

  /** A node's figures, one entry a source; `before` itself when they are the same. */
  of(
    nodeName: string,
    before: readonly (NodeLoad | undefined)[] = NO_LOADS,
  ): readonly (NodeLoad | undefined)[] {
    const loads = this.#reports.map((report, index) => {
      const load = report.byNode.get(nodeName);
      return sameLoad(before[index], load) ? before[index] : load;
    });
    const same = loads.length === before.length && loads.every((load, index) => load === before[index]);
    return same ? before : loads;
  }

  *entries(): IterableIterator<{
    readonly source: string;
    readonly index: number;
    readonly report: LoadReport;
  }> {
    for (const [source, index] of this.#index) {
      const report = this.#reports[index];
      if (report !== undefined) yield { source, index, report };
    }
  }
}
