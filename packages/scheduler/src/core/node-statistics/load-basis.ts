import type { Cycle } from '../framework/plugin.js';
import { ScoreError } from '../framework/score-error.js';
import type { NodeInfo } from '../state/node-info.js';
import type { NodeLoad } from '../state/node-load.js';
import type { LoadView } from '../state/snapshot.js';
import type { LoadSettings } from './load-args.js';

/** What a node without figures scores when the plugin is to stay neutral. */
export const NEUTRAL_SCORE = 50;

/** What is known about the measurements in a cycle. */
export interface LoadBasis {
  /** Position in `NodeInfo.loads`; undefined: nothing usable has come, or it is too old. */
  readonly loadIndex: number | undefined;
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

export function loadBasis({ snapshot }: Cycle, { source, settings, measuredNodes }: LoadReading): LoadBasis {
  const view = snapshot.load(source);
  const endUnixSeconds = view?.endUnixSeconds ?? 0;
  const { maxAgeMs, missingMetrics, whenBlind } = settings;
  const fresh = maxAgeMs === undefined || snapshot.nowMs - endUnixSeconds * 1000 <= maxAgeMs;
  const blind = view === undefined || measuredNodes(view) === 0 || !fresh;
  return {
    loadIndex: fresh ? view?.index : undefined,
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

/** When the figures end and how old they are, for explanations. */
export function explainAge({ endUnixSeconds, nowMs }: LoadBasis): Readonly<Record<string, unknown>> {
  return {
    metricsEndUnixSeconds: endUnixSeconds,
    metricsAgeSeconds: Math.max(0, Math.round(nowMs / 1000 - endUnixSeconds)),
  };
}
