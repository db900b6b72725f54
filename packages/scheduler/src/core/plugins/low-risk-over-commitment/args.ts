import type { ArgsOutcome } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';
import type { ArgumentTexts } from '../../framework/argument-texts.js';
import { orDefault } from '../../node-statistics/lenient-number.js';
import {
  LOAD_ARGS_DEFAULTS,
  LOAD_ARGUMENTS,
  type LoadArgs,
  type LoadSettings,
  loadSettings,
  readLoadArgs,
} from '../../node-statistics/load-args.js';

/** Trimaran's arguments and ours, defaults filled in; in the spelling of the config file. */
export interface LowRiskOverCommitmentArgs extends LoadArgs {
  /** How many windows of figures are taken for one: the deviation grows with its square root. */
  readonly smoothingWindowSize: number;
  /** Weight of the risk from limits, 0..1, by resource; the rest is that of the risk from measured load. */
  readonly riskLimitWeights: RiskLimitWeights;
}

export interface RiskLimitWeights {
  readonly cpu: number;
  readonly memory: number;
}

const DEFAULT_WEIGHT = 0.5;

export const LOW_RISK_OVER_COMMITMENT_DEFAULTS: LowRiskOverCommitmentArgs = {
  smoothingWindowSize: 5,
  riskLimitWeights: { cpu: DEFAULT_WEIGHT, memory: DEFAULT_WEIGHT },
  ...LOAD_ARGS_DEFAULTS,
};

/** What the arguments mean. */
export const LOW_RISK_OVER_COMMITMENT_ARGUMENTS: ArgumentTexts = {
  smoothingWindowSize: 'windows of figures that the deviation stands for; 0 and below mean the default',
  riskLimitWeights:
    'weight of the limit risk by resource; outside of 0 to 1 means the default, other resources have no effect',
  ...LOAD_ARGUMENTS,
};

/** Checks and completes the arguments; an ArgsValidator for the config reader. */
export function readLowRiskOverCommitmentArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', Object.keys(LOW_RISK_OVER_COMMITMENT_ARGUMENTS));
  const args: LowRiskOverCommitmentArgs = {
    smoothingWindowSize: readWindow(reader, fields.smoothingWindowSize),
    riskLimitWeights: readWeights(reader, fields.riskLimitWeights),
    ...readLoadArgs(reader, fields),
  };
  return reader.outcome(args);
}

function readWindow(reader: ArgsReader, value: unknown): number {
  const path = 'smoothingWindowSize';
  const fallback = LOW_RISK_OVER_COMMITMENT_DEFAULTS[path];
  const isFine = (size: number): boolean => size > 0;
  return orDefault(reader, reader.integer(value, path), { path, fallback, isFine, want: '1 or more' });
}

/** Any resource name is accepted, as Trimaran does; only two of them mean something. */
function readWeights(reader: ArgsReader, value: unknown): RiskLimitWeights {
  const path = 'riskLimitWeights';
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const fields = reader.map(value, path, names);
  const weights = Object.fromEntries(names.map((name) => [name, readWeight(reader, fields[name], name)]));
  for (const name of names) {
    if (name !== 'cpu' && name !== 'memory') {
      reader.warn(`${path}.${name}`, 'has no effect: only cpu and memory are weighted');
    }
  }
  return { cpu: weights.cpu ?? DEFAULT_WEIGHT, memory: weights.memory ?? DEFAULT_WEIGHT };
}

function readWeight(reader: ArgsReader, value: unknown, name: string): number {
  const path = `riskLimitWeights.${name}`;
  const isFine = (weight: number): boolean => weight >= 0 && weight <= 1;
  const leniency = { path, fallback: DEFAULT_WEIGHT, isFine, want: '0 to 1' };
  return orDefault(reader, reader.number(value, path), leniency);
}

/** The arguments as the plugin uses them. */
export interface OverCommitmentSettings {
  readonly windowSize: number;
  readonly weights: RiskLimitWeights;
  readonly load: LoadSettings;
}

export function overCommitmentSettings(given: Partial<LowRiskOverCommitmentArgs>): OverCommitmentSettings {
  const args = { ...LOW_RISK_OVER_COMMITMENT_DEFAULTS, ...given };
  return {
    windowSize: args.smoothingWindowSize,
    weights: args.riskLimitWeights,
    load: loadSettings(args, false),
  };
}
