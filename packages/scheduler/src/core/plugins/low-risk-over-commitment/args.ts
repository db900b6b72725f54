import type { ArgsOutcome } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';
import {
  LOAD_ARGS_DEFAULTS,
  LOAD_ARGS_FIELDS,
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

const FIELDS = ['smoothingWindowSize', 'riskLimitWeights', ...LOAD_ARGS_FIELDS];

/** Checks and completes the arguments; an ArgsValidator for the config reader. */
export function readLowRiskOverCommitmentArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', FIELDS);
  const args: LowRiskOverCommitmentArgs = {
    smoothingWindowSize: readWindow(reader, fields.smoothingWindowSize),
    riskLimitWeights: readWeights(reader, fields.riskLimitWeights),
    ...readLoadArgs(reader, fields),
  };
  return reader.outcome(args);
}

function readWindow(reader: ArgsReader, value: unknown): number {
  const size = reader.integer(value, 'smoothingWindowSize');
  const fallback = LOW_RISK_OVER_COMMITMENT_DEFAULTS.smoothingWindowSize;
  if (size === undefined || size > 0) return size ?? fallback;
  reader.warn(
    'smoothingWindowSize',
    `${size} means the default ${fallback}: give 1 or more, or leave it out`,
  );
  return fallback;
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
  const weight = reader.number(value, path);
  if (weight === undefined || (weight >= 0 && weight <= 1)) return weight ?? DEFAULT_WEIGHT;
  reader.warn(path, `${weight} means the default ${DEFAULT_WEIGHT}: give 0 to 1, or leave it out`);
  return DEFAULT_WEIGHT;
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
