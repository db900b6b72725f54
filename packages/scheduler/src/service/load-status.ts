import { type Logger, roughDuration } from '@catamaran/platform';
import { untimely } from '../core/node-statistics/load-basis.js';
import type { NodeLoad } from '../core/state/node-load.js';
import type { Snapshot } from '../core/state/snapshot.js';
import type { LoadPolicy } from './load-source.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

/**
 * `fresh`: usable figures. `failing`: usable, but the newest fetch failed. `stale`: older than allowed, so they count
 * as missing; `ahead`: from the future, and missing too. `blind`: there is no figure for any node.
 */
export type LoadStateName = 'fresh' | 'failing' | 'stale' | 'ahead' | 'blind';

const STATES: readonly LoadStateName[] = ['fresh', 'failing', 'stale', 'ahead', 'blind'];

/** Names listed in a log line; the rest is a number. */
const NAMES_SHOWN = 10;

export interface LoadStatus {
  readonly state: LoadStateName;
  /** Of the newest figures; undefined when there are none. */
  readonly ageMs: number | undefined;
  readonly missingNodes: readonly string[];
  readonly failure: string | undefined;
}

/** What a profile can make of its load figures at this moment. */
export function loadStatus(snapshot: Snapshot, policy: LoadPolicy, failure: string | undefined): LoadStatus {
  const view = snapshot.load(policy.source.key);
  const measuredNodes = policy.figures === 'cpu' ? view?.measuredNodes : view?.averagedNodes;
  if (view === undefined || measuredNodes === 0) {
    const ageMs = view === undefined ? undefined : snapshot.nowMs - view.endUnixSeconds * 1000;
    return { state: 'blind', ageMs, missingNodes: [], failure };
  }
  const ageMs = snapshot.nowMs - view.endUnixSeconds * 1000;
  const missingNodes =
    measuredNodes === snapshot.nodeCount
      ? []
      : [...snapshot.nodes()]
          .filter(({ loads }) => !isMeasured(loads[view.index], policy.figures))
          .map(({ name }) => name);
  const usable = failure === undefined ? 'fresh' : 'failing';
  const problem = untimely(ageMs, policy);
  const state = problem === undefined ? usable : problem === 'too-old' ? 'stale' : 'ahead';
  return { state, ageMs, missingNodes, failure };
}

function isMeasured(load: NodeLoad | undefined, figures: LoadPolicy['figures']): boolean {
  if (figures === 'cpu') return load?.cpuPercent !== undefined;
  return load?.cpu !== undefined || load?.memory !== undefined;
}

/** Only of the plugins that can't use such figures: another may allow for more age, or have no limit. */
function consequenceOf({ state, ageMs }: LoadStatus, { fallbacks }: LoadPolicy): string {
  return fallbacks
    .filter((limits) => state === 'blind' || (ageMs !== undefined && untimely(ageMs, limits) !== undefined))
    .map(({ text }) => text)
    .join('; ');
}

/** Says how a profile's figures are: a log line with each change, gauges always. */
export class LoadReporter {
  readonly #policy: LoadPolicy;
  readonly #deps: { readonly log: Logger; readonly metrics: SchedulerMetrics };
  #state: LoadStateName | undefined;
  #missing = '';

  constructor(policy: LoadPolicy, deps: { readonly log: Logger; readonly metrics: SchedulerMetrics }) {
    this.#policy = policy;
    this.#deps = { ...deps, log: deps.log.with({ profile: policy.name }) };
  }

  get state(): LoadStateName | undefined {
    return this.#state;
  }

  report(status: LoadStatus): void {
    this.#measure(status);
    if (status.state !== this.#state) {
      this.#announce(status);
      this.#state = status.state;
    }
    const missing = status.missingNodes.join();
    if (missing !== this.#missing) {
      this.#missing = missing;
      this.#announceMissing(status.missingNodes);
    }
  }

  #announce(status: LoadStatus): void {
    const { state, ageMs, failure } = status;
    const { maxAgeMs } = this.#policy;
    const { log } = this.#deps;
    const fields = {
      ...(ageMs === undefined ? {} : { age: roughDuration(ageMs) }),
      ...(failure === undefined ? {} : { reason: failure }),
    };
    const consequence = consequenceOf(status, this.#policy);
    if (state === 'blind') {
      log.warn('no load figures for any node', { ...fields, consequence });
    } else if (state === 'stale' && maxAgeMs !== undefined) {
      log.warn('load figures are too old', { ...fields, maxAge: roughDuration(maxAgeMs), consequence });
    } else if (state === 'ahead') {
      log.warn('load figures are from the future: set the clocks', { ...fields, consequence });
    } else if (state === 'fresh') {
      const unlimited = 'load figures arrive; no maximum age is set';
      log.info(maxAgeMs === undefined ? unlimited : 'load figures are fresh', fields);
    }
  }

  #announceMissing(names: readonly string[]): void {
    if (names.length === 0) {
      this.#deps.log.info('every node has load figures');
      return;
    }
    this.#deps.log.warn('nodes without load figures', {
      count: names.length,
      nodes: names.slice(0, NAMES_SHOWN),
    });
  }

  #measure({ state, ageMs, missingNodes }: LoadStatus): void {
    const { metrics } = this.#deps;
    const profile = this.#policy.name;
    for (const name of STATES) {
      metrics.loadState.set({ profile, state: name }, name === state ? 1 : 0);
    }
    if (ageMs !== undefined) {
      metrics.loadAgeSeconds.set({ profile }, ageMs / 1000);
    }
    metrics.loadMissingNodes.set({ profile }, missingNodes.length);
  }
}
