import { int64ToNumber } from '@catamaran/model';
import type { Cycle, RowKernel, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import { ScoreError } from '../../framework/score-error.js';
import type { NodeInfo } from '../../state/node-info.js';
import { type PackingSettings, packingSettings, type TargetLoadPackingArgs } from './args.js';
import { firstUnmeasured, predictedCpuMilli, unmeasuredCpuMilli } from './cpu-prediction.js';
import { expectedPercent, packingBranch, packingScore } from './score.js';

const NAME = 'TargetLoadPacking';
/** What a node without figures scores when the plugin is to stay neutral. */
const NEUTRAL_SCORE = 50;

/** What is known about the measurements in this cycle. */
interface Measurements {
  /** Position in `NodeInfo.loads`; undefined: nothing usable has come, or it is too old. */
  readonly loadIndex: number | undefined;
  readonly endUnixSeconds: number;
  readonly missing: PackingSettings['missingMetrics'];
}

interface State extends Measurements {
  readonly podCpuMilli: number;
  readonly nowMs: number;
}

function measurements({ snapshot }: Cycle, source: string, settings: PackingSettings): Measurements {
  const view = snapshot.load(source);
  const endUnixSeconds = view?.endUnixSeconds ?? 0;
  const { maxAgeMs, missingMetrics, whenBlind } = settings;
  const fresh = maxAgeMs === undefined || snapshot.nowMs - endUnixSeconds * 1000 <= maxAgeMs;
  const blind = view === undefined || view.measuredNodes === 0 || !fresh;
  return {
    loadIndex: fresh ? view?.index : undefined,
    endUnixSeconds,
    missing: blind && whenBlind === 'useRequests' ? 'useRequests' : missingMetrics,
  };
}

function measuredPercent(node: NodeInfo, { loadIndex }: State): number | undefined {
  return loadIndex === undefined ? undefined : node.loads[loadIndex]?.cpuPercent;
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
  if (state.missing === 'error') {
    throw new ScoreError(NAME, `finds no usable CPU figure of node "${node.name}" (missingMetrics: error)`);
  }
  return state.missing === 'skip' ? NEUTRAL_SCORE : 0;
}

function explain(node: NodeInfo, state: State, settings: PackingSettings): Readonly<Record<string, unknown>> {
  const { targetPercent } = settings;
  const expected = expectedCpuMilli(node, state, settings);
  if (expected === undefined) return { branch: 'no-metrics', missingMetrics: state.missing, targetPercent };
  const capacityCpuMilli = int64ToNumber(node.capacityCpuMilli);
  const percent = capacityCpuMilli === 0 ? 0 : expectedPercent(expected, capacityCpuMilli);
  return {
    branch: capacityCpuMilli === 0 ? 'no-capacity' : packingBranch(percent, targetPercent),
    ...explainUse(node, state, settings),
    capacityCpuMilli,
    podCpuMilli: state.podCpuMilli,
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
    metricsEndUnixSeconds: endUnixSeconds,
    metricsAgeSeconds: Math.max(0, Math.round(state.nowMs / 1000 - endUnixSeconds)),
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
  return {
    name: NAME,
    inputsKey: (cycle) => {
      const { loadIndex, endUnixSeconds, missing } = measurements(cycle, source, settings);
      return `${loadIndex} ${endUnixSeconds} ${missing}`;
    },
    preScore: (cycle) => {
      const podCpuMilli = int64ToNumber(predictedCpuMilli(cycle.pod.cpuDemand, settings));
      return {
        kind: 'continue',
        state: { ...measurements(cycle, source, settings), podCpuMilli, nowMs: cycle.snapshot.nowMs },
      };
    },
    score: (_cycle, node, state) => scoreOf(node, state, settings),
    kernel: packingKernel(settings),
    explain: (_cycle, node, state) => explain(node, state, settings),
  };
}

/** Packs pods onto nodes whose real CPU use is below the target, and keeps them off those that are above it. */
export const targetLoadPacking = definePlugin<TargetLoadPackingArgs>(NAME, (args, { loadSource }) =>
  scorePart(packing(packingSettings(args), loadSource)),
);
