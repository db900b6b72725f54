import type { Cycle } from '../framework/plugin.js';
import { type Untimely, untimely } from '../node-statistics/load-basis.js';
import type { NodeInfo } from '../state/node-info.js';
import type { SignalView } from '../state/snapshot.js';

const STATES = { 'too-old': 'stale', 'from-the-future': 'from-the-future' } as const;

/** What is known of one signal in a cycle. */
export interface SignalBasis {
  /** Undefined: it was never read, or not at a usable time. */
  readonly view: SignalView | undefined;
  readonly state: (typeof STATES)[Untimely] | 'fresh' | 'never-read';
  /** Negative when it was read ahead of our clock; undefined when it was never read. */
  readonly ageMs: number | undefined;
}

export function signalBasis(
  { snapshot }: Pick<Cycle, 'snapshot'>,
  key: string,
  maxAgeMs: number | undefined,
): SignalBasis {
  const view = snapshot.signal(key);
  if (view === undefined) return { view, state: 'never-read', ageMs: undefined };
  const ageMs = snapshot.nowMs - view.readMs;
  const problem = untimely(ageMs, { maxAgeMs });
  return problem === undefined
    ? { view, state: 'fresh', ageMs }
    : { view: undefined, state: STATES[problem], ageMs };
}

/** For `Plugin.inputsKey`: all that scores take from the basis beside the node's value. */
export function signalBasisKey({ view }: SignalBasis): string {
  return view === undefined ? '-' : `${view.index}`;
}

export function signalOf({ signals }: NodeInfo, { view }: SignalBasis): number | undefined {
  return view === undefined ? undefined : signals[view.index];
}

/** Value, age and, where there is no value, why: for explanations. */
export function explainSignal(node: NodeInfo, basis: SignalBasis): Readonly<Record<string, unknown>> {
  const { view, state, ageMs } = basis;
  const value = signalOf(node, basis);
  const age = ageMs === undefined ? {} : { ageSeconds: Math.round(ageMs / 1000) };
  if (value !== undefined) return { value, ...age };
  const reason = view === undefined ? state : (view.absences.get(node.name) ?? 'no-sample');
  return { missing: reason, ...age };
}
