import type { Cycle, RowKernel } from '../framework/plugin.js';

/** The rows of one plugin for all nodes, kept up to date. */
export class DigestTable {
  rows = new Float64Array(0);
  #version = -1;
  #inputsKey = '';

  /** Cost: the nodes that changed since the last call. */
  refresh(
    cycle: Cycle,
    kernel: RowKernel,
    { state, inputsKey }: { readonly state: unknown; readonly inputsKey: string },
  ): void {
    const { snapshot } = cycle;
    const usable = this.#version >= 0 && this.#inputsKey === inputsKey;
    const changed = usable ? snapshot.changedSince(this.#version) : undefined;
    // Nothing counts as filled until it is, also when a kernel throws half-way.
    this.#version = -1;
    if (changed === undefined) {
      this.rows = new Float64Array(snapshot.nodeCount * kernel.width);
      for (let slot = 0; slot < snapshot.nodeCount; slot += 1) this.#fill(cycle, kernel, { slot, state });
    } else {
      for (const slot of changed) this.#fill(cycle, kernel, { slot, state });
    }
    this.#version = snapshot.version;
    this.#inputsKey = inputsKey;
  }

  #fill(
    { snapshot }: Cycle,
    kernel: RowKernel,
    { slot, state }: { readonly slot: number; readonly state: unknown },
  ): void {
    const start = slot * kernel.width;
    kernel.digest(snapshot.nodeAt(slot), state, this.rows.subarray(start, start + kernel.width));
  }
}
