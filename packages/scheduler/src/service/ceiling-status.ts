import { type Logger, roughDuration } from '@catamaran/platform';
import type { ProfileConfig } from '../core/config/scheduler-config.js';
import type { LoadCeilingArgs } from '../core/plugins/load-ceiling/args.js';
import { type CeilingGap, FIGURE_GAPS } from '../core/plugins/load-ceiling/figures.js';
import { cappedFigures, ceilingGaps, type FigureSources } from '../core/plugins/load-ceiling/plugin.js';
import type { Snapshot } from '../core/state/snapshot.js';
import { signalPoliciesOf } from '../signals/signal-policy.js';
import { loadPoliciesOf } from './load-source.js';
import type { SchedulerMetrics } from './scheduler-metrics.js';

const PLUGIN = 'LoadCeiling';

/** LoadCeiling in one profile. */
export interface CeilingPolicy {
  readonly profile: string;
  readonly args: Partial<LoadCeilingArgs>;
  readonly sources: FigureSources;
}

/** None where the profile does not enable the plugin. */
export function ceilingPoliciesOf(profile: ProfileConfig): readonly CeilingPolicy[] {
  if (!profile.plugins.filter.some(({ name }) => name === PLUGIN)) return [];
  const load = loadPoliciesOf(profile).find(({ plugins }) => plugins.includes(PLUGIN));
  const signals = signalPoliciesOf(profile).find(({ plugin }) => plugin === PLUGIN);
  return [
    {
      profile: profile.schedulerName,
      args: (profile.pluginArgs[PLUGIN] ?? {}) as Partial<LoadCeilingArgs>,
      sources: { loadSource: load?.source.key ?? 'default', signalSource: signals?.source.key },
    },
  ];
}

/** Says which ceilings can't be held against nodes for want of figures: a log line with each change, a gauge always. */
export class CeilingReporter {
  readonly #policy: CeilingPolicy;
  readonly #deps: { readonly log: Logger; readonly metrics: SchedulerMetrics };
  #said = '';

  constructor(policy: CeilingPolicy, deps: { readonly log: Logger; readonly metrics: SchedulerMetrics }) {
    this.#policy = policy;
    this.#deps = { ...deps, log: deps.log.with({ profile: policy.profile, plugin: PLUGIN }) };
  }

  report(snapshot: Snapshot): void {
    const { profile, args, sources } = this.#policy;
    const { log, metrics } = this.#deps;
    const gaps = ceilingGaps(snapshot, args, sources);
    for (const figure of cappedFigures(args)) {
      for (const reason of FIGURE_GAPS) {
        const nodes = gaps.find((gap) => gap.figure === figure && gap.reason === reason)?.nodes ?? 0;
        metrics.ceilingGapNodes.set({ profile, figure, reason }, nodes);
      }
    }
    const said = gaps.map(({ figure, reason }) => `${figure} ${reason}`).join();
    if (said === this.#said) return;
    this.#said = said;
    if (gaps.length === 0) log.info('ceilings are applied to every node');
    else log.warn('ceilings can not be applied: no usable figures', gapFields(gaps, args));
  }
}

function gapFields(
  gaps: ReturnType<typeof ceilingGaps>,
  { missingMetrics = 'pass' }: Partial<LoadCeilingArgs>,
): Readonly<Record<string, unknown>> {
  return {
    nodes: Math.max(...gaps.map(({ nodes }) => nodes)),
    figures: Object.fromEntries(gaps.map((gap) => [gap.figure, gapText(gap)])),
    consequence: `these nodes ${missingMetrics === 'pass' ? 'pass' : 'are refused'} (missingMetrics: ${missingMetrics})`,
  };
}

function gapText({ reason, ageSeconds, maxAgeSeconds }: CeilingGap): string {
  if (ageSeconds === undefined || maxAgeSeconds === undefined) return reason;
  return `${reason}: ${roughDuration(ageSeconds * 1000)}, at most ${roughDuration(maxAgeSeconds * 1000)}`;
}
