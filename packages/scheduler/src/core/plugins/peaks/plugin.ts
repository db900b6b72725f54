import { int64ToNumber } from '@catamaran/model';
import type { Cycle, RowKernel, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import {
  basisKey,
  explainAbsence,
  explainAge,
  type LoadReading,
  loadBasis,
  refuseMissing,
} from '../../node-statistics/load-basis.js';
import { requestedCpuMilli } from '../../node-statistics/requested-cpu.js';
import { goExp } from '../../numerics/go-exp.js';
import type { NodeInfo } from '../../state/node-info.js';
import { type PeaksArgs, type PeaksSettings, peaksSettings } from './args.js';
import { outcomeOf, type State } from './outcome.js';
import { costOf, percentOf, powerJump, scoreOfCost } from './score.js';

const NAME = 'Peaks';
/** Raw score of a node that must not win: overloaded, unmeasured, without a model. */
const BEHIND_ALL = Number.POSITIVE_INFINITY;
/** Raw score of a node that is to be neutral. */
const NEUTRAL = Number.NaN;

function rawScore(node: NodeInfo, state: State, settings: PeaksSettings): number {
  const outcome = outcomeOf(node, state, settings);
  if (outcome.branch === 'no-metrics') {
    refuseMissing(NAME, node, { missing: state.missing, figure: 'CPU' });
    return state.missing === 'skip' ? NEUTRAL : BEHIND_ALL;
  }
  if (outcome.branch !== 'power') return BEHIND_ALL;
  const { model, use, expectedPercent } = outcome;
  return costOf(powerJump(model, expectedPercent, goExp(model.k2 * use.percent)));
}

/** Use, capacity, e^(k2 * percent now), k1, k2; NaN for a node without a cost of its own. */
function peaksKernel(settings: PeaksSettings): RowKernel<State> {
  return {
    width: 5,
    digest: (node, state, row) => {
      const outcome = outcomeOf(node, { ...state, podCpuMilli: 0 }, settings);
      if (outcome.branch !== 'power') {
        row[0] = Number.NaN;
        return;
      }
      const { model, use, capacity } = outcome;
      row[0] = use.usedCpuMilli;
      row[1] = capacity;
      row[2] = goExp(model.k2 * use.percent);
      row[3] = model.k1;
      row[4] = model.k2;
    },
    value: ({ podCpuMilli }, table, at) => {
      const percent = percentOf((table[at] ?? Number.NaN) + podCpuMilli, table[at + 1] ?? Number.NaN);
      if (Number.isNaN(percent)) return percent;
      if (percent > 100) return BEHIND_ALL;
      const model = { k0: 0, k1: table[at + 3] ?? 0, k2: table[at + 4] ?? 0 };
      return costOf(powerJump(model, percent, table[at + 2] ?? 0));
    },
  };
}

function explain(node: NodeInfo, state: State, settings: PeaksSettings): Readonly<Record<string, unknown>> {
  const outcome = outcomeOf(node, state, settings);
  if (outcome.branch === 'no-metrics') return { branch: outcome.branch, ...explainAbsence(state) };
  if (!('model' in outcome)) return { branch: outcome.branch };
  const { branch, capacity, model, use, expectedPercent } = outcome;
  const jumpWatts = powerJump(model, expectedPercent, goExp(model.k2 * use.percent));
  return {
    branch,
    basis: use.basis,
    ...(use.basis === 'metrics' ? explainAge(state) : {}),
    usedPercent: use.percent,
    capacityCpuMilli: capacity,
    podCpuMilli: state.podCpuMilli,
    expectedPercent,
    k1: model.k1,
    k2: model.k2,
    ...(branch === 'power' ? { jumpWatts, cost: costOf(jumpWatts) } : {}),
  };
}

function peaksScore(settings: PeaksSettings, source: string): ScorePlugin<State> {
  const measuredNodes: LoadReading['measuredNodes'] = (view) => view.measuredNodes;
  const reading: LoadReading = { source, settings: settings.load, measuredNodes };
  return {
    name: NAME,
    inputsKey: (cycle) => basisKey(loadBasis(cycle, reading), settings.load),
    preScore: (cycle: Cycle) => {
      const podCpuMilli = int64ToNumber(requestedCpuMilli(cycle.pod.pod));
      return { kind: 'continue', state: { ...loadBasis(cycle, reading), podCpuMilli } };
    },
    score: (_cycle, node, state) => rawScore(node, state, settings),
    normalize: scoreOfCost,
    kernel: peaksKernel(settings),
    explain: (_cycle, node, state) => explain(node, state, settings),
  };
}

/** Prefers nodes whose power rises least with the pod on them. */
export const peaks = definePlugin<PeaksArgs>(NAME, (args, { loadSource }) =>
  scorePart(peaksScore(peaksSettings(args), loadSource)),
);
