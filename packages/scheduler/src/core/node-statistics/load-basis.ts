import type { Cycle } from '../framework/plugin.js';
import { ScoreError } from '../framework/score-error.js';
import type { NodeInfo } from '../state/node-info.js';
import type { NodeLoad } from '../state/node-load.js';
import type { LoadView } from '../state/snapshot.js';
import type { LoadSettings } from './load-args.js';

/** What a node without figures scores when the plugin is to stay neutral. */
export const NEUTRAL_SCORE = 50;

/**
 * How far the end of the measured window may lie ahead of our clock, as in the load-watcher. Figures from further ahead
 * measure nothing we know of: pods placed since would count as measured.
 */
export const MAX_AHEAD_MS = 120_000;

/** Why figures that have come are not used: older than allowed, or from the future. */
export type Untimely = 'too-old' | 'from-the-future';

/** Undefined for figures of a usable time. Without a limit any time is, as in Trimaran. */
export function untimely(
  ageMs: number,
  { maxAgeMs }: { readonly maxAgeMs: number | undefined },
): Untimely | undefined {
  if (maxAgeMs === undefined) return undefined;
  if (-ageMs > MAX_AHEAD_MS) return 'from-the-future';
  return ageMs > maxAgeMs ? 'too-old' : undefined;
}

/** What is known about the measurements in a cycle. */
export interface LoadBasis {
  /** Position in `NodeInfo.loads`; undefined: nothing usable has come. */
  readonly loadIndex: number | undefined;
  /** Why not, where figures have come. */
  readonly untimely: Untimely | undefined;
  readonly endUnixSeconds: number;
  readonly missing: LoadSettings['missingMetrics'];
  readonly nowMs: number;
}

/** How a plugin reads load. */
export interface LoadReading {
  /** See `ClusterState.setUtilization`. */
  readonly source: string;
  readonly settings: LoadSettings;
  /** Which count of the view tells whether there is any node that the plugin can score. */
  readonly measuredNodes: (view: LoadView) => number;
}

export function loadBasis(
  { snapshot }: Pick<Cycle, 'snapshot'>,
  { source, settings, measuredNodes }: LoadReading,
): LoadBasis {
  const view = snapshot.load(source);
  const endUnixSeconds = view?.endUnixSeconds ?? 0;
  const { maxAgeMs, missingMetrics, whenBlind } = settings;
  const problem =
    view === undefined ? undefined : untimely(snapshot.nowMs - endUnixSeconds * 1000, { maxAgeMs });
  const blind = view === undefined || measuredNodes(view) === 0 || problem !== undefined;
  return {
    loadIndex: problem === undefined ? view?.index : undefined,
    untimely: problem,
    endUnixSeconds,
    missing: blind && whenBlind === 'useRequests' ? 'useRequests' : missingMetrics,
    nowMs: snapshot.nowMs,
  };
}

/** For `Plugin.inputsKey`: all that scores take from the basis. */
export function basisKey({ loadIndex, endUnixSeconds, missing }: LoadBasis, settings: LoadSettings): string {
  return `${loadIndex} ${missing} ${settings.countsUnmeasured ? endUnixSeconds : ''}`;
}

export function loadOf({ loads }: NodeInfo, { loadIndex }: LoadBasis): NodeLoad | undefined {
  return loadIndex === undefined ? undefined : loads[loadIndex];
}

/** @throws ScoreError when the arguments want one for a node without figures. */
export function refuseMissing(
  plugin: string,
  { name }: NodeInfo,
  { missing, figure }: { readonly missing: LoadBasis['missing']; readonly figure: string },
): void {
  if (missing !== 'error') return;
  throw new ScoreError(plugin, `finds no usable ${figure} figure of node "${name}" (missingMetrics: error)`);
}

/** Why there are no figures, for explanations. */
export function explainAbsence(basis: LoadBasis): Readonly<Record<string, unknown>> {
  const { untimely: problem, missing } = basis;
  return {
    missingMetrics: missing,
    ...(problem === undefined ? {} : { figures: problem, ...explainAge(basis) }),
  };
}

/** When the figures end and how old they are, for explanations. */
export function explainAge({ endUnixSeconds, nowMs }: LoadBasis): Readonly<Record<string, unknown>> {
  return {
    metricsEndUnixSeconds: endUnixSeconds,
    metricsAgeSeconds: Math.round(nowMs / 1000 - endUnixSeconds),
  };
}
