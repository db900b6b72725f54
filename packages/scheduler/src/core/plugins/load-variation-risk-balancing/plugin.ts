import { int64ToNumber } from '@catamaran/model';
import type { Cycle, RowKernel, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import {
  basisKey,
  explainAbsence,
  explainAge,
  type LoadBasis,
  type LoadReading,
  loadBasis,
} from '../../node-statistics/load-basis.js';
import { measuredScore } from '../../node-statistics/measured-score.js';
import { clampedShare, mebibytes } from '../../node-statistics/resource-use.js';
import type { NodeInfo } from '../../state/node-info.js';
import { type BalancingSettings, balancingSettings, type LoadVariationRiskBalancingArgs } from './args.js';
import { nodeUse, type Use } from './node-use.js';
import { balancingScore, resourceScore, weightedDeviation } from './score.js';

const NAME = 'LoadVariationRiskBalancing';

interface State extends LoadBasis {
  readonly podCpuMilli: number;
  readonly podMemoryMebibytes: number;
}

/** Numbers of one resource in a row: capacity, use up to it, use that is not measured yet, weighted deviation. */
const RESOURCE_WIDTH = 4;

function fillResource(row: Float64Array, at: number, { use, settings }: Filling): void {
  if (use === undefined) {
    row[at] = Number.NaN;
    return;
  }
  const { capacity, used, deviation, unmeasured } = use;
  row[at] = capacity;
  row[at + 1] = Math.max(Math.min(used, capacity), 0);
  row[at + 2] = unmeasured;
  row[at + 3] =
    capacity <= 0
      ? 0
      : weightedDeviation(clampedShare(Math.max(Math.min(deviation, capacity), 0) / capacity), settings);
}

interface Filling {
  readonly use: Use;
  readonly settings: BalancingSettings;
}

/** NaN where the resource was not measured. */
function scoreResource(table: Float64Array, at: number, added: number): number {
  const capacity = table[at] ?? Number.NaN;
  if (Number.isNaN(capacity)) return capacity;
  if (capacity <= 0) return 0;
  const used = (table[at + 1] ?? 0) + (added + (table[at + 2] ?? 0));
  return resourceScore(clampedShare(used / capacity), table[at + 3] ?? 0);
}

function balancingKernel(settings: BalancingSettings): RowKernel<State> {
  return {
    width: 2 * RESOURCE_WIDTH,
    digest: (node, state, row) => {
      const { cpu, memory } = nodeUse(node, state, settings);
      fillResource(row, 0, { use: cpu, settings });
      fillResource(row, RESOURCE_WIDTH, { use: memory, settings });
    },
    value: ({ podCpuMilli, podMemoryMebibytes }, table, at) =>
      balancingScore(
        scoreResource(table, at, podCpuMilli),
        scoreResource(table, at + RESOURCE_WIDTH, podMemoryMebibytes),
      ),
  };
}

function explainResource(
  use: Use,
  row: Float64Array,
  { at, added }: Place,
): Readonly<Record<string, unknown>> {
  if (use === undefined) return { measured: false };
  const { capacity, used, deviation, unmeasured } = use;
  return {
    capacity,
    used,
    deviation,
    unmeasured,
    pod: added,
    mean: capacity <= 0 ? 0 : clampedShare(((row[at + 1] ?? 0) + (added + unmeasured)) / capacity),
    weightedDeviation: row[at + 3],
    score: scoreResource(row, at, added),
  };
}

interface Place {
  readonly at: number;
  readonly added: number;
}

function explain(
  node: NodeInfo,
  state: State,
  settings: BalancingSettings,
): Readonly<Record<string, unknown>> {
  const { basis, cpu, memory } = nodeUse(node, state, settings);
  const { margin, sensitivity } = settings;
  if (basis === 'none') return { branch: 'no-metrics', ...explainAbsence(state), margin, sensitivity };
  const row = new Float64Array(2 * RESOURCE_WIDTH);
  fillResource(row, 0, { use: cpu, settings });
  fillResource(row, RESOURCE_WIDTH, { use: memory, settings });
  const cpuMilli = explainResource(cpu, row, { at: 0, added: state.podCpuMilli });
  const memoryPlace = { at: RESOURCE_WIDTH, added: state.podMemoryMebibytes };
  const memoryMebibytes = explainResource(memory, row, memoryPlace);
  return {
    branch: 'risk',
    basis,
    ...(basis === 'metrics' ? explainAge(state) : {}),
    cpuMilli,
    memoryMebibytes,
    margin,
    sensitivity,
  };
}

function balancing(settings: BalancingSettings, source: string): ScorePlugin<State> {
  const reading: LoadReading = {
    source,
    settings: settings.load,
    measuredNodes: ({ averagedNodes }) => averagedNodes,
  };
  const kernel = balancingKernel(settings);
  return {
    name: NAME,
    inputsKey: (cycle) => basisKey(loadBasis(cycle, reading), settings.load),
    preScore: (cycle: Cycle) => {
      const { cpuMilli, memoryBytes } = cycle.pod.requests;
      const pod = { podCpuMilli: int64ToNumber(cpuMilli), podMemoryMebibytes: mebibytes(memoryBytes) };
      return { kind: 'continue', state: { ...loadBasis(cycle, reading), ...pod } };
    },
    score: (_cycle, node, state) => measuredScore(NAME, kernel, { node, state }),
    kernel,
    explain: (_cycle, node, state) => explain(node, state, settings),
  };
}

/** Prefers nodes whose use of CPU and memory is low and steady. */
export const loadVariationRiskBalancing = definePlugin<LoadVariationRiskBalancingArgs>(
  NAME,
  (args, { loadSource }) => scorePart(balancing(balancingSettings(args), loadSource)),
);
