import type { Cycle } from '../../framework/plugin.js';
import { type LoadBasis, loadBasis, loadOf } from '../../node-statistics/load-basis.js';
import { explainSignal, type SignalBasis, signalBasis, signalOf } from '../../signals/signal-basis.js';
import { percentOf } from '../../signals/signal-percent.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { LoadCeilingArgs } from './args.js';
import { isLoad } from './args.js';
import type { Use } from './filter.js';

/** Where the plugin reads, and what counts there. */
export interface FigureSetting {
  readonly maxAgeMs: number | undefined;
  readonly loadSource: string;
  readonly signals: readonly {
    readonly args: LoadCeilingArgs['signals'][number];
    readonly key: string;
    readonly maxAgeMs: number | undefined;
  }[];
}

/** What is known in a cycle. */
export interface Figures {
  readonly load: LoadBasis;
  /** By the signals' order. */
  readonly signals: readonly SignalBasis[];
}

/** Why there is no figure to hold against a ceiling. */
export const FIGURE_GAPS = ['never-read', 'too-old', 'from-the-future', 'no-figure'] as const;

/** A ceiling that could not be applied to a node. Times in seconds. */
export interface CeilingGap {
  readonly figure: string;
  readonly reason: (typeof FIGURE_GAPS)[number];
  readonly ageSeconds?: number;
  readonly maxAgeSeconds?: number;
}

/** Of these figures only age and place matter: what a missing one leads to is the plugin's own. */
const READING = { missingMetrics: 'skip', whenBlind: 'zeroScore', countsUnmeasured: false } as const;

export function figuresOf(
  cycle: Pick<Cycle, 'snapshot'>,
  { maxAgeMs, loadSource, signals }: FigureSetting,
): Figures {
  const settings = { ...READING, maxAgeMs };
  return {
    load: loadBasis(cycle, { source: loadSource, settings, measuredNodes: (view) => view.averagedNodes }),
    signals: signals.map((signal) => signalBasis(cycle, signal.key, signal.maxAgeMs)),
  };
}

/** Percent in use on the node, by name. */
export function useOf(node: NodeInfo, figures: Figures, { signals }: FigureSetting): Use {
  return (name) => {
    const load = loadOf(node, figures.load);
    if (name === 'cpu') return load?.cpu?.averagePercent ?? load?.cpuPercent;
    if (name === 'memory') return load?.memory?.averagePercent;
    const index = signals.findIndex(({ args }) => args.name === name);
    const basis = figures.signals[index];
    const value = basis === undefined ? undefined : signalOf(node, basis);
    return value === undefined ? undefined : percentOf(value, signals[index]?.args.unit, basis?.view);
  };
}

/** Value and age of a signal, for explanations; nothing for CPU and memory. */
export function signalDetail(
  node: NodeInfo,
  name: string,
  { figures, setting }: { readonly figures: Figures; readonly setting: FigureSetting },
): Readonly<Record<string, unknown>> {
  const basis = figures.signals[setting.signals.findIndex(({ args }) => args.name === name)];
  return basis === undefined ? {} : explainSignal(node, basis);
}

/** Why the figure of that name is missing on a node. */
export function gapOf(figure: string, figures: Figures, setting: FigureSetting): CeilingGap {
  const { reason, ageMs, maxAgeMs } = isLoad(figure)
    ? loadGap(figures.load, setting)
    : signalGap(figure, figures, setting);
  const isDated = reason === 'too-old' || reason === 'from-the-future';
  return {
    figure,
    reason,
    ...(isDated && ageMs !== undefined ? { ageSeconds: Math.round(ageMs / 1000) } : {}),
    ...(isDated && maxAgeMs !== undefined ? { maxAgeSeconds: maxAgeMs / 1000 } : {}),
  };
}

interface Absence extends Pick<CeilingGap, 'reason'> {
  readonly ageMs: number | undefined;
  readonly maxAgeMs: number | undefined;
}

function loadGap({ untimely, endUnixSeconds, nowMs }: LoadBasis, { maxAgeMs }: FigureSetting): Absence {
  if (endUnixSeconds === 0) return { reason: 'never-read', ageMs: undefined, maxAgeMs };
  return { reason: untimely ?? 'no-figure', ageMs: nowMs - endUnixSeconds * 1000, maxAgeMs };
}

function signalGap(name: string, figures: Figures, { signals }: FigureSetting): Absence {
  const index = signals.findIndex(({ args }) => args.name === name);
  const { state = 'never-read', ageMs } = figures.signals[index] ?? {};
  const maxAgeMs = signals[index]?.maxAgeMs;
  if (state === 'never-read' || state === 'from-the-future') return { reason: state, ageMs, maxAgeMs };
  return { reason: state === 'stale' ? 'too-old' : 'no-figure', ageMs, maxAgeMs };
}
