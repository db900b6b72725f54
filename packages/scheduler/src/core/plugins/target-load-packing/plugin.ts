import { int64ToNumber } from '@catamaran/model';
import type { Cycle, RowKernel, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import {
  predictedCpuMilli,
  predictionBasis,
  unmeasuredCpuMilli,
} from '../../node-statistics/cpu-prediction.js';
import {
  basisKey,
  explainAbsence,
  explainAge,
  type LoadBasis,
  type LoadReading,
  loadBasis,
  loadOf,
  NEUTRAL_SCORE,
  refuseMissing,
} from '../../node-statistics/load-basis.js';
import { firstUnmeasured } from '../../node-statistics/unmeasured-pods.js';
import type { NodeInfo } from '../../state/node-info.js';
import { type PackingSettings, packingSettings, type TargetLoadPackingArgs } from './args.js';
import { expectedPercent, packingBranch, packingScore } from './score.js';

const NAME = 'TargetLoadPacking';

interface State extends LoadBasis {
  readonly podCpuMilli: number;
}

function measuredPercent(node: NodeInfo, basis: LoadBasis): number | undefined {
  return loadOf(node, basis)?.cpuPercent;
}

/** CPU expected to be in use with the pod on the node; undefined when there is nothing to tell it from. */
function expectedCpuMilli(node: NodeInfo, state: State, settings: PackingSettings): number | undefined {
  const percent = measuredPercent(node, state);
  if (percent === undefined) {
    if (state.missing !== 'useRequests') return undefined;
    return int64ToNumber(node.requested.cpuMilli) + state.podCpuMilli;
  }
  const usedCpuMilli = (percent / 100) * int64ToNumber(node.capacityCpuMilli);
  const unmeasured = settings.countsUnmeasured ? unmeasuredCpuMilli(node, state.endUnixSeconds, settings) : 0;
  return usedCpuMilli + state.podCpuMilli + unmeasured;
}

function scoreOf(node: NodeInfo, state: State, settings: PackingSettings): number {
  const expected = expectedCpuMilli(node, state, settings);
  if (expected !== undefined) {
    if (node.capacityCpuMilli === 0) return 0;
    return packingScore(
      expectedPercent(expected, int64ToNumber(node.capacityCpuMilli)),
      settings.targetPercent,
    );
  }
  refuseMissing(NAME, node, { missing: state.missing, figure: 'CPU' });
  return state.missing === 'skip' ? NEUTRAL_SCORE : 0;
}

function explain(
  { pod }: Cycle,
  node: NodeInfo,
  { state, settings }: { readonly state: State; readonly settings: PackingSettings },
): Readonly<Record<string, unknown>> {
  const { targetPercent } = settings;
  const expected = expectedCpuMilli(node, state, settings);
  if (expected === undefined) return { branch: 'no-metrics', ...explainAbsence(state), targetPercent };
  const capacityCpuMilli = int64ToNumber(node.capacityCpuMilli);
  const percent = capacityCpuMilli === 0 ? 0 : expectedPercent(expected, capacityCpuMilli);
  return {
    branch: capacityCpuMilli === 0 ? 'no-capacity' : packingBranch(percent, targetPercent),
    ...explainUse(node, state, settings),
    capacityCpuMilli,
    podCpuMilli: state.podCpuMilli,
    podCpuFrom: predictionBasis(pod.cpuDemand),
    expectedPercent: percent,
    targetPercent,
  };
}

function explainUse(
  node: NodeInfo,
  state: State,
  settings: PackingSettings,
): Readonly<Record<string, unknown>> {
  const percent = measuredPercent(node, state);
  if (percent === undefined) return { basis: 'requests', requestedCpuMilli: node.requested.cpuMilli };
  const { endUnixSeconds } = state;
  const { countsUnmeasured } = settings;
  return {
    basis: 'metrics',
    measuredPercent: percent,
    ...explainAge(state),
    unmeasuredPods: countsUnmeasured ? node.pods.length - firstUnmeasured(node, endUnixSeconds) : 0,
    unmeasuredCpuMilli: countsUnmeasured ? unmeasuredCpuMilli(node, endUnixSeconds, settings) : 0,
  };
}

/** Measured use, use the measurement does not show yet, capacity; NaN for a node without a usable figure or CPU. */
function packingKernel(settings: PackingSettings): RowKernel<State> {
  return {
    width: 3,
    digest: (node, state, row) => {
      const capacityCpuMilli = int64ToNumber(node.capacityCpuMilli) || Number.NaN;
      const percent = measuredPercent(node, state) ?? Number.NaN;
      const { endUnixSeconds } = state;
      row[0] = (percent / 100) * capacityCpuMilli;
      row[1] = settings.countsUnmeasured ? unmeasuredCpuMilli(node, endUnixSeconds, settings) : 0;
      row[2] = capacityCpuMilli;
    },
    value: ({ podCpuMilli }, table, at) => {
      const expected = (table[at] ?? Number.NaN) + podCpuMilli + (table[at + 1] ?? Number.NaN);
      const percent = expectedPercent(expected, table[at + 2] ?? Number.NaN);
      return Number.isNaN(percent) ? percent : packingScore(percent, settings.targetPercent);
    },
  };
}

function packing(settings: PackingSettings, source: string): ScorePlugin<State> {
  const measuredNodes: LoadReading['measuredNodes'] = (view) => view.measuredNodes;
  const reading: LoadReading = { source, settings, measuredNodes };
  return {
    name: NAME,
    inputsKey: (cycle) => basisKey(loadBasis(cycle, reading), settings),
    preScore: (cycle) => {
      const podCpuMilli = int64ToNumber(predictedCpuMilli(cycle.pod.cpuDemand, settings));
      return { kind: 'continue', state: { ...loadBasis(cycle, reading), podCpuMilli } };
    },
    score: (_cycle, node, state) => scoreOf(node, state, settings),
    kernel: packingKernel(settings),
    explain: (cycle, node, state) => explain(cycle, node, { state, settings }),
  };
}

/** Packs pods onto nodes whose real CPU use is below the target, and keeps them off those that are above it. */
export const targetLoadPacking = definePlugin<TargetLoadPackingArgs>(NAME, (args, { loadSource }) =>
  scorePart(packing(packingSettings(args), loadSource)),
);
