import type { ArgsValidator } from '../config/args-validator.js';
import type { ArgumentTexts } from '../framework/argument-texts.js';
import { LOAD_CEILING_ARGUMENTS, readLoadCeilingArgs } from './load-ceiling/args.js';
import {
  LOAD_VARIATION_RISK_BALANCING_ARGUMENTS,
  readLoadVariationRiskBalancingArgs,
} from './load-variation-risk-balancing/args.js';
import {
  LOW_RISK_OVER_COMMITMENT_ARGUMENTS,
  readLowRiskOverCommitmentArgs,
} from './low-risk-over-commitment/args.js';
import { NODE_SIGNALS_ARGUMENTS, readNodeSignalsArgs } from './node-signals/args.js';
import { PEAKS_ARGUMENTS, peaksArgsReader } from './peaks/args.js';
import { readTargetLoadPackingArgs, TARGET_LOAD_PACKING_ARGUMENTS } from './target-load-packing/args.js';
import { trafficArgsReader, trafficArguments } from './traffic/args.js';
import { TRAFFIC_KINDS } from './traffic/plugin.js';

/** What the page of a plugin says of its arguments. */
export interface PluginArguments {
  readonly plugin: string;
  /** Of its page, below this folder. */
  readonly folder: string;
  readonly texts: ArgumentTexts;
  /** Fills in the defaults. */
  readonly read: ArgsValidator;
  /** Arguments that must be given, so that the rest is defaults. */
  readonly required: Readonly<Record<string, unknown>>;
}

const address = 'http://prometheus:9090';
const signal = { name: 'x', promQL: 'x', unit: 'percent' };

/** The plugins that go by load. */
export const PLUGIN_ARGUMENTS: readonly PluginArguments[] = [
  {
    plugin: 'TargetLoadPacking',
    folder: 'target-load-packing',
    texts: TARGET_LOAD_PACKING_ARGUMENTS,
    read: readTargetLoadPackingArgs,
    required: {},
  },
  {
    plugin: 'LoadVariationRiskBalancing',
    folder: 'load-variation-risk-balancing',
    texts: LOAD_VARIATION_RISK_BALANCING_ARGUMENTS,
    read: readLoadVariationRiskBalancingArgs,
    required: {},
  },
  {
    plugin: 'LowRiskOverCommitment',
    folder: 'low-risk-over-commitment',
    texts: LOW_RISK_OVER_COMMITMENT_ARGUMENTS,
    read: readLowRiskOverCommitmentArgs,
    required: {},
  },
  {
    plugin: 'Peaks',
    folder: 'peaks',
    texts: PEAKS_ARGUMENTS,
    read: peaksArgsReader(undefined),
    required: { nodePowerModel: { node: { k0: 1, k1: 1, k2: 1 } } },
  },
  ...TRAFFIC_KINDS.map((kind) => ({
    plugin: kind.name,
    folder: kind.folder,
    texts: trafficArguments(kind),
    read: trafficArgsReader(kind),
    required: { ip: address },
  })),
  {
    plugin: 'NodeSignals',
    folder: 'node-signals',
    texts: NODE_SIGNALS_ARGUMENTS,
    read: readNodeSignalsArgs,
    required: { prometheus: { address }, signals: [{ ...signal, direction: 'spread' }] },
  },
  {
    plugin: 'LoadCeiling',
    folder: 'load-ceiling',
    texts: LOAD_CEILING_ARGUMENTS,
    read: readLoadCeilingArgs,
    required: { ceilings: { cpu: 80 }, prometheus: { address }, signals: [signal] },
  },
];
