import { int64ToNumber } from '@catamaran/model';
import type { Cycle, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import { ScoreError } from '../../framework/score-error.js';
import type { NodeInfo } from '../../state/node-info.js';
import { type PackingSettings, packingSettings, type TargetLoadPackingArgs } from './args.js';
import { predictedCpuMilli, type UnmeasuredPods, unmeasuredPods } from './cpu-prediction.js';
import { expectedPercent, type PackingInputs, packingBranch, packingScore } from './score.js';

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

/** The inputs of a node's score; undefined when there is no usable figure and requests are not to stand in. */
function inputsOf(
  node: NodeInfo,
  state: State,
  settings: PackingSettings,
): { readonly inputs: PackingInputs; readonly unmeasured: UnmeasuredPods | undefined } | undefined {
  const capacityCpuMilli = int64ToNumber(node.capacityCpuMilli);
  const { podCpuMilli, loadIndex, missing } = state;
  const measuredPercent = loadIndex === undefined ? undefined : node.loads[loadIndex]?.cpuPercent;
  if (measuredPercent !== undefined) {
    const unmeasured = settings.countsUnmeasured
      ? unmeasuredPods(node, state.endUnixSeconds, settings)
      : undefined;
    const unmeasuredCpuMilli = unmeasured?.cpuMilli ?? 0;
    return { inputs: { capacityCpuMilli, measuredPercent, podCpuMilli, unmeasuredCpuMilli }, unmeasured };
  }
  if (missing !== 'useRequests') return undefined;
  const unmeasuredCpuMilli = int64ToNumber(node.requested.cpuMilli);
  return {
    inputs: { capacityCpuMilli, measuredPercent: 0, podCpuMilli, unmeasuredCpuMilli },
    unmeasured: undefined,
  };
}

function scoreOf(node: NodeInfo, state: State, settings: PackingSettings): number {
  const found = inputsOf(node, state, settings);
  if (found !== undefined) {
    if (found.inputs.capacityCpuMilli === 0) return 0;
    return packingScore(expectedPercent(found.inputs), settings.targetPercent);
  }
  if (state.missing === 'error') {
    throw new ScoreError(NAME, `finds no usable CPU figure of node "${node.name}" (missingMetrics: error)`);
  }
  return state.missing === 'skip' ? NEUTRAL_SCORE : 0;
}

function explain(node: NodeInfo, state: State, settings: PackingSettings): Readonly<Record<string, unknown>> {
  const found = inputsOf(node, state, settings);
  const { targetPercent } = settings;
  if (found === undefined) return { branch: 'no-metrics', missingMetrics: state.missing, targetPercent };
  const { inputs, unmeasured } = found;
  const measured = state.loadIndex !== undefined && node.loads[state.loadIndex]?.cpuPercent !== undefined;
  const percent = expectedPercent(inputs);
  return {
    branch: inputs.capacityCpuMilli === 0 ? 'no-capacity' : packingBranch(percent, targetPercent),
    basis: measured ? 'metrics' : 'requests',
    capacityCpuMilli: inputs.capacityCpuMilli,
    ...(measured
      ? {
          measuredPercent: inputs.measuredPercent,
          metricsEndUnixSeconds: state.endUnixSeconds,
          unmeasuredPods: unmeasured?.count ?? 0,
          unmeasuredCpuMilli: inputs.unmeasuredCpuMilli,
        }
      : { requestedCpuMilli: inputs.unmeasuredCpuMilli }),
    podCpuMilli: inputs.podCpuMilli,
    expectedPercent: percent,
    targetPercent,
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
      return { kind: 'continue', state: { ...measurements(cycle, source, settings), podCpuMilli } };
    },
    score: (_cycle, node, state) => scoreOf(node, state, settings),
    explain: (_cycle, node, state) => explain(node, state, settings),
  };
}

/** Packs pods onto nodes whose real CPU use is below the target, and keeps them off those that are above it. */
export const targetLoadPacking = definePlugin<TargetLoadPackingArgs>(NAME, (args, { loadSource }) =>
  scorePart(packing(packingSettings(args), loadSource)),
);
