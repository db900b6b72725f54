import type { Cycle, RowKernel, ScorePlugin } from '../../framework/plugin.js';
import { definePlugin, scorePart } from '../../framework/plugin-definition.js';
import { ScoreError } from '../../framework/score-error.js';
import { signalUse } from '../../signals/signal-args.js';
import {
  explainSignal,
  type SignalBasis,
  signalBasis,
  signalBasisKey,
  signalOf,
} from '../../signals/signal-basis.js';
import { percentOf } from '../../signals/signal-percent.js';
import { type SignalUse, signalKey } from '../../signals/signal-spec.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { NodeSignalsArgs, ScoredSignalArgs } from './args.js';
import { nodeSignalsScore, signalScore } from './score.js';

const NAME = 'NodeSignals';

/** A signal that is scored, ready for use. */
interface Scored {
  readonly args: ScoredSignalArgs;
  readonly key: string;
  readonly maxAgeMs: number | undefined;
}

/** By the signals' order. */
type State = readonly SignalBasis[];

/** What a plugin with these arguments asks Prometheus. */
export function nodeSignalsUses({ signals = [] }: Partial<NodeSignalsArgs>): readonly SignalUse[] {
  return signals.map(signalUse);
}

function percentsOf(node: NodeInfo, state: State, signals: readonly Scored[]): readonly number[] {
  return signals.map(({ args }, index) => {
    const basis = state[index];
    const value = basis === undefined ? undefined : signalOf(node, basis);
    return value === undefined ? Number.NaN : percentOf(value, args.unit, basis?.view);
  });
}

function scoreOf(node: NodeInfo, state: State, signals: readonly Scored[]): number {
  const percents = percentsOf(node, state, signals);
  signals.forEach(({ args: { name, missing } }, index) => {
    if (missing !== 'error' || !Number.isNaN(percents[index])) return;
    throw new ScoreError(NAME, `finds no usable value of ${name} for node "${node.name}" (missing: error)`);
  });
  return nodeSignalsScore(rulesOf(signals), (index) => percents[index] ?? Number.NaN);
}

function rulesOf(signals: readonly Scored[]): readonly ScoredSignalArgs[] {
  return signals.map(({ args }) => args);
}

/** The percentages, NaN where a value is missing: then the plugin is asked if that may be an error. */
function signalsKernel(signals: readonly Scored[]): RowKernel<State> {
  const rules = rulesOf(signals);
  return {
    width: signals.length,
    digest: (node, state, row) => row.set(percentsOf(node, state, signals)),
    value: (_state, table, at) => {
      for (let index = 0; index < rules.length; index += 1) {
        if (rules[index]?.missing === 'error' && Number.isNaN(table[at + index])) return Number.NaN;
      }
      return nodeSignalsScore(rules, (index) => table[at + index] ?? Number.NaN);
    },
  };
}

function explain(
  node: NodeInfo,
  state: State,
  signals: readonly Scored[],
): Readonly<Record<string, unknown>> {
  const percents = percentsOf(node, state, signals);
  const parts = signals.map(({ args }, index) => {
    const { name, direction, target, ceiling, weight, missing } = args;
    const basis = state[index];
    const percent = percents[index] ?? Number.NaN;
    const found = basis === undefined ? {} : explainSignal(node, basis);
    const isAbove = ceiling !== undefined && percent > ceiling;
    const scored = Number.isNaN(percent)
      ? { ifMissing: missing }
      : { percent, score: signalScore(percent, args), ...(isAbove ? { branch: 'above-ceiling' } : {}) };
    const rule = {
      direction,
      ...(target === undefined ? {} : { target }),
      ...(ceiling === undefined ? {} : { ceiling }),
    };
    return [name, { ...found, ...scored, ...rule, weight }] as const;
  });
  return { signals: Object.fromEntries(parts) };
}

function nodeSignals(given: Partial<NodeSignalsArgs>, source: string): ScorePlugin<State> {
  const signals = (given.signals ?? []).map((args): Scored => {
    const { spec, maxAgeMs } = signalUse(args);
    return { args, key: signalKey(source, spec), maxAgeMs };
  });
  const basesOf = (cycle: Cycle): State =>
    signals.map(({ key, maxAgeMs }) => signalBasis(cycle, key, maxAgeMs));
  return {
    name: NAME,
    inputsKey: (cycle) =>
      basesOf(cycle)
        .map((basis, index) => `${signalBasisKey(basis)} ${largestKey(basis, signals[index])}`)
        .join(),
    preScore: (cycle) => ({ kind: 'continue', state: basesOf(cycle) }),
    score: (_cycle, node, state) => scoreOf(node, state, signals),
    kernel: signalsKernel(signals),
    explain: (_cycle, node, state) => explain(node, state, signals),
  };
}

/** Only relative values depend on other nodes. */
function largestKey({ view }: SignalBasis, scored: Scored | undefined): number | '' {
  return scored?.args.unit === 'relative' ? (view?.largest ?? '') : '';
}

/** Likes nodes by whatever Prometheus knows of them. */
export const nodeSignalsPlugin = definePlugin<NodeSignalsArgs>(NAME, (args, { signalSource = 'default' }) =>
  scorePart(nodeSignals(args, signalSource)),
);
