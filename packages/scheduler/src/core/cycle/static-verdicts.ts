import type { Node } from '@catamaran/model';
import type { Cycle } from '../framework/plugin.js';
import type { Snapshot } from '../state/snapshot.js';
import { type FilterRun, filterNode } from './filter-run.js';
import type { Prepared } from './prepared.js';
import type { ActiveScore } from './score-run.js';

/**
 * What plugins that look at the Node object only say about every node, for pods with the same placement wishes. Pods
 * that differ in their requests alone share it.
 */
export class StaticVerdicts {
  /** 1 where no such filter refuses. */
  feasible = new Uint8Array(0);
  /** Raw scores of such score plugins, in their order. */
  raws: readonly Float64Array[] = [];
  /** The Node object each verdict was made from: pods and loads that come and go don't concern it. */
  #judged: Node[] = [];
  #version = -1;

  /** Brings all slots up to date. Cost: what changed. */
  refresh(cycle: Cycle, { filters, scores }: StaticParts): void {
    const { snapshot } = cycle;
    const changed = this.#changed(snapshot);
    // Nothing counts as filled until it is, also when a plugin throws half-way.
    this.#version = -1;
    if (changed === undefined) {
      this.feasible = new Uint8Array(snapshot.nodeCount);
      this.raws = scores.map(() => new Float64Array(snapshot.nodeCount));
      this.#judged = [];
      for (let slot = 0; slot < snapshot.nodeCount; slot += 1) this.#judge(cycle, slot, { filters, scores });
    } else {
      for (const slot of changed) this.#judge(cycle, slot, { filters, scores });
    }
    this.#version = snapshot.version;
  }

  #changed(snapshot: Snapshot): readonly number[] | undefined {
    return this.#version < 0 ? undefined : snapshot.changedSince(this.#version);
  }

  #judge(cycle: Cycle, slot: number, { filters, scores }: StaticParts): void {
    const node = cycle.snapshot.nodeAt(slot);
    if (this.#judged[slot] === node.node) return;
    this.#judged[slot] = node.node;
    this.feasible[slot] = filterNode(cycle, filters, node) === undefined ? 1 : 0;
    scores.forEach(({ plugin, state }, index) => {
      const raw = this.raws[index];
      if (raw !== undefined) raw[slot] = plugin.score(cycle, node, state);
    });
  }
}

export interface StaticParts {
  readonly filters: FilterRun;
  readonly scores: readonly ActiveScore[];
}

/** Splits what is prepared into the part that depends on the Node object only, and the rest. */
export function splitStatic({ filters, scores }: Prepared): {
  readonly fixed: StaticParts;
  readonly rest: Prepared;
} {
  const fixedActive = filters.active.filter(({ plugin }) => plugin.scope === 'node-object');
  const restActive = filters.active.filter(({ plugin }) => plugin.scope !== 'node-object');
  return {
    fixed: {
      filters: { ...filters, active: fixedActive, promising: [] },
      scores: scores.filter(({ plugin }) => plugin.scope === 'node-object'),
    },
    rest: {
      filters: { ...filters, active: restActive },
      scores: scores.filter(({ plugin }) => plugin.scope !== 'node-object'),
    },
  };
}
