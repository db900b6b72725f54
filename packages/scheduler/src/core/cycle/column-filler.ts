import type { Cycle, Plugin } from '../framework/plugin.js';
import { DigestTable } from './digest-table.js';
import { filterNode } from './filter-run.js';
import type { NodeColumns } from './node-columns.js';
import type { Prepared } from './prepared.js';
import { type ActiveScore, checkRange } from './score-run.js';
import type { StaticVerdicts } from './static-verdicts.js';
import { splitStatic } from './static-verdicts.js';

type ActiveFilter = Prepared['filters']['active'][number];

/** Works out whole columns, with the help of what does not depend on the pod. */
export class ColumnFiller {
  readonly #tables = new Map<Plugin, DigestTable>();

  /**
   * Fills every slot.
   *
   * @returns how many nodes are feasible.
   * @throws ScoreError as the plugins do.
   */
  fill(cycle: Cycle, prepared: Prepared, { verdicts, columns, baseTotal }: Target): number {
    const { fixed, rest } = splitStatic(prepared);
    verdicts.refresh(cycle, fixed);
    columns.feasible.set(verdicts.feasible);
    columns.sums.fill(baseTotal);
    for (const filter of rest.filters.active) this.#filter(cycle, filter, columns);
    refilterPromised(cycle, prepared, columns);
    let ranged = 0;
    let fixedIndex = 0;
    for (const active of prepared.scores) {
      const isRanged = active.plugin.normalize !== undefined;
      const into = isRanged ? columns.raws[ranged] : undefined;
      if (isRanged) ranged += 1;
      if (active.plugin.scope === 'node-object') {
        copyFixed(active, verdicts.raws[fixedIndex], { columns, into });
        fixedIndex += 1;
      } else this.#score(cycle, active, { columns, into });
    }
    return countOnes(columns.feasible);
  }

  #filter(cycle: Cycle, { plugin, state }: ActiveFilter, { feasible }: NodeColumns): void {
    const { kernel } = plugin;
    const rows = kernel === undefined ? undefined : this.#rows(cycle, plugin, state);
    for (let slot = 0; slot < feasible.length; slot += 1) {
      if (feasible[slot] === 0) continue;
      const verdict =
        kernel === undefined || rows === undefined
          ? Number.NaN
          : kernel.value(state, rows, slot * kernel.width);
      if (verdict === 1) continue;
      if (verdict === 0 || plugin.filter(cycle, cycle.snapshot.nodeAt(slot), state) !== undefined) {
        feasible[slot] = 0;
      }
    }
  }

  #score(
    cycle: Cycle,
    { plugin, weight, state }: ActiveScore,
    { columns, into }: { readonly columns: NodeColumns; readonly into: Float64Array | undefined },
  ): void {
    const { feasible, sums } = columns;
    const { kernel } = plugin;
    const rows = kernel === undefined ? undefined : this.#rows(cycle, plugin, state);
    for (let slot = 0; slot < feasible.length; slot += 1) {
      if (feasible[slot] === 0) continue;
      let score =
        kernel === undefined || rows === undefined
          ? Number.NaN
          : kernel.value(state, rows, slot * kernel.width);
      if (Number.isNaN(score)) score = plugin.score(cycle, cycle.snapshot.nodeAt(slot), state);
      if (into !== undefined) into[slot] = score;
      else {
        checkRange(plugin.name, score);
        sums[slot] = (sums[slot] ?? 0) + score * weight;
      }
    }
  }

  #rows(cycle: Cycle, plugin: ActiveScore['plugin'] | ActiveFilter['plugin'], state: unknown): Float64Array {
    const table = this.#tables.get(plugin) ?? new DigestTable();
    this.#tables.set(plugin, table);
    const inputsKey = plugin.inputsKey?.(cycle) ?? '';
    if (plugin.kernel !== undefined) table.refresh(cycle, plugin.kernel, { state, inputsKey });
    return table.rows;
  }
}

interface Target {
  readonly verdicts: StaticVerdicts;
  readonly columns: NodeColumns;
  readonly baseTotal: number;
}

/** Nodes that are promised to other pods are few, and judged the long way. */
function refilterPromised(cycle: Cycle, { filters }: Prepared, { feasible }: NodeColumns): void {
  for (const slot of cycle.snapshot.promisedSlots) {
    const good = filterNode(cycle, filters, cycle.snapshot.nodeAt(slot)) === undefined;
    feasible[slot] = good ? 1 : 0;
  }
}

function copyFixed(
  { weight }: ActiveScore,
  raws: Float64Array | undefined,
  { columns, into }: { readonly columns: NodeColumns; readonly into: Float64Array | undefined },
): void {
  if (raws === undefined) return;
  if (into !== undefined) {
    into.set(raws);
    return;
  }
  const { sums } = columns;
  for (let slot = 0; slot < sums.length; slot += 1) {
    sums[slot] = (sums[slot] ?? 0) + (raws[slot] ?? 0) * weight;
  }
}

function countOnes(feasible: Uint8Array): number {
  let count = 0;
  for (const one of feasible) count += one;
  return count;
}
