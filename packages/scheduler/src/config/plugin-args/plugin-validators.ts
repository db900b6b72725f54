import type { Result } from '@catamaran/model';
import { readLoadCeilingArgs } from '../../core/plugins/load-ceiling/args.js';
import { readLoadVariationRiskBalancingArgs } from '../../core/plugins/load-variation-risk-balancing/args.js';
import { readLowRiskOverCommitmentArgs } from '../../core/plugins/low-risk-over-commitment/args.js';
import { readNodeSignalsArgs } from '../../core/plugins/node-signals/args.js';
import { peaksArgsReader } from '../../core/plugins/peaks/args.js';
import { readTargetLoadPackingArgs } from '../../core/plugins/target-load-packing/args.js';
import { trafficArgsReader } from '../../core/plugins/traffic/args.js';
import { TRAFFIC_KINDS } from '../../core/plugins/traffic/plugin.js';
import type { PluginValidators } from './plugin-config.js';

/**
 * Plugins that check their own arguments, by name.
 *
 * @param powerModelFile the decoded file of power models that the process was given, or why there is none, for Peaks.
 */
export function pluginValidators({
  powerModelFile,
}: {
  readonly powerModelFile?: Result<unknown> | undefined;
} = {}): PluginValidators {
  return new Map([
    ['TargetLoadPacking', readTargetLoadPackingArgs],
    ['LoadVariationRiskBalancing', readLoadVariationRiskBalancingArgs],
    ['LowRiskOverCommitment', readLowRiskOverCommitmentArgs],
    ['Peaks', peaksArgsReader(powerModelFile)],
    ...TRAFFIC_KINDS.map((kind) => [kind.name, trafficArgsReader(kind)] as const),
    ['NodeSignals', readNodeSignalsArgs],
    ['LoadCeiling', readLoadCeilingArgs],
  ]);
}
