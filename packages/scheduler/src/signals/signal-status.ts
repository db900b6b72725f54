import { type Logger, roughDuration } from '@catamaran/platform';
import { signalBasis } from '../core/signals/signal-basis.js';
import type { Snapshot } from '../core/state/snapshot.js';
import { SIGNAL_ABSENCES, type SignalMetrics } from './signal-metrics.js';
import type { SignalPolicy } from './signal-policy.js';

/**
 * `fresh`: values of some nodes. `failing`: the same, but the newest query failed. `stale`: older than allowed, or from
 * the future, so they count as missing. `blind`: no node has a value.
 */
export type SignalStateName = 'fresh' | 'failing' | 'stale' | 'blind';

type Reason = (typeof SIGNAL_ABSENCES)[number];

export interface SignalStatus {
  readonly state: SignalStateName;
  readonly ageMs: number | undefined;
  /** How many nodes lack a value, by reason. */
  readonly missing: ReadonlyMap<Reason, number>;
  /** Some of their names. */
  readonly missingNodes: readonly string[];
}

const NAMES_SHOWN = 10;

/** What can be made of one signal at this moment. */
function signalStatus(
  snapshot: Snapshot,
  { key, maxAgeMs }: SignalPolicy['uses'][number],
  failure: string | undefined,
): SignalStatus {
  const basis = signalBasis({ snapshot }, key, maxAgeMs);
  const { view, ageMs } = basis;
  if (view === undefined) {
    const reason = basis.state === 'fresh' ? 'never-read' : basis.state;
    const state = reason === 'never-read' ? 'blind' : 'stale';
    return { state, ageMs, missing: new Map([[reason, snapshot.nodeCount]]), missingNodes: [] };
  }
  const missing = new Map<Reason, number>();
  const missingNodes: string[] = [];
  for (const { name, signals } of snapshot.nodes()) {
    if (signals[view.index] !== undefined) continue;
    const reason = (view.absences.get(name) ?? 'no-sample') as Reason;
    missing.set(reason, (missing.get(reason) ?? 0) + 1);
    if (missingNodes.length < NAMES_SHOWN) missingNodes.push(name);
  }
  const measured = failure === undefined ? 'fresh' : 'failing';
  return { state: view.measuredNodes === 0 ? 'blind' : measured, ageMs, missing, missingNodes };
}

/** Says how a plugin's signals are: a log line with each change, gauges always. */
export class SignalReporter {
  readonly #policy: SignalPolicy;
  readonly #deps: { readonly log: Logger; readonly metrics: SignalMetrics };
  /** What was said last, by signal. */
  readonly #said = new Map<string, { state: SignalStateName; missing: string }>();

  constructor(policy: SignalPolicy, deps: { readonly log: Logger; readonly metrics: SignalMetrics }) {
    this.#policy = policy;
    const { profile, plugin } = policy;
    this.#deps = { ...deps, log: deps.log.with({ profile, plugin }) };
  }

  report(snapshot: Snapshot, failures: ReadonlyMap<string, string>): void {
    for (const use of this.#policy.uses) {
      const failure = failures.get(use.key);
      const status = signalStatus(snapshot, use, failure);
      this.#measure(use.spec.name, status);
      this.#announce(use, status, failure);
    }
  }

  #announce(
    { spec, maxAgeMs, consequence }: SignalPolicy['uses'][number],
    status: SignalStatus,
    failure: string | undefined,
  ): void {
    const { state, ageMs, missing, missingNodes } = status;
    const said = this.#said.get(spec.name);
    const { log } = this.#deps;
    const age = ageMs === undefined ? {} : { age: roughDuration(ageMs) };
    const fields = { signal: spec.name, ...age, ...(failure === undefined ? {} : { reason: failure }) };
    if (state !== said?.state) {
      if (state === 'blind')
        log.warn('no node has a value of a signal', {
          ...fields,
          promql: spec.promql,
          consequence,
        });
      else if (state === 'stale')
        log.warn(`the values of a signal are ${(ageMs ?? 0) < 0 ? 'from the future' : 'too old'}`, {
          ...fields,
          ...(maxAgeMs === undefined ? {} : { maxAge: roughDuration(maxAgeMs) }),
          consequence,
        });
      else if (state === 'failing') log.warn('a signal could not be read again', fields);
      else log.info('a signal is read', fields);
    }
    const names = state === 'fresh' || state === 'failing' ? missingNodes.join() : '';
    if (names !== (said?.missing ?? '')) {
      const count = [...missing.values()].reduce((sum, nodes) => sum + nodes, 0);
      if (names === '') log.info('every node has a value of a signal', { signal: spec.name });
      else
        log.warn('nodes without a value of a signal', {
          signal: spec.name,
          count,
          nodes: missingNodes,
          reasons: Object.fromEntries(missing),
        });
    }
    this.#said.set(spec.name, { state, missing: names });
  }

  #measure(signal: string, { ageMs, missing }: SignalStatus): void {
    const { metrics } = this.#deps;
    const { profile, plugin } = this.#policy;
    if (ageMs !== undefined) metrics.signalAgeSeconds.set({ profile, plugin, signal }, ageMs / 1000);
    for (const reason of SIGNAL_ABSENCES) {
      metrics.signalMissingNodes.set({ profile, plugin, signal, reason }, missing.get(reason) ?? 0);
    }
  }
}
