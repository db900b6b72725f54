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
export interface LoadVariationRiskBalancingArgs extends LoadArgs {
  /** Factor of the deviation, after the root; 0 leaves the deviation out. */
  readonly safeVarianceMargin: number;
  /** The deviation counts by its root of this degree; 0: only when it is the whole capacity. */
  readonly safeVarianceSensitivity: number;
}

export const LOAD_VARIATION_RISK_BALANCING_DEFAULTS: LoadVariationRiskBalancingArgs = {
  safeVarianceMargin: 1,
  safeVarianceSensitivity: 1,
  ...LOAD_ARGS_DEFAULTS,
};

/** What the arguments mean. */
export const LOAD_VARIATION_RISK_BALANCING_ARGUMENTS: ArgumentTexts = {
  safeVarianceMargin: 'factor of the deviation; 0 leaves it out; below 0 means the default',
  safeVarianceSensitivity:
    'degree of the root: above 1 small deviations count for more, below 1 for less, 0 not at all; below 0 means the default',
  ...LOAD_ARGUMENTS,
};

/** Checks and completes the arguments; an ArgsValidator for the config reader. */
export function readLoadVariationRiskBalancingArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', Object.keys(LOAD_VARIATION_RISK_BALANCING_ARGUMENTS));
  const args: LoadVariationRiskBalancingArgs = {
    safeVarianceMargin: readFactor(reader, fields.safeVarianceMargin, 'safeVarianceMargin'),
    safeVarianceSensitivity: readFactor(reader, fields.safeVarianceSensitivity, 'safeVarianceSensitivity'),
    ...readLoadArgs(reader, fields),
  };
  return reader.outcome(args);
}

function readFactor(
  reader: ArgsReader,
  value: unknown,
  path: 'safeVarianceMargin' | 'safeVarianceSensitivity',
): number {
  const fallback = LOAD_VARIATION_RISK_BALANCING_DEFAULTS[path];
  const isFine = (factor: number): boolean => factor >= 0;
  return orDefault(reader, reader.number(value, path), { path, fallback, isFine, want: '0 or more' });
}

/** The arguments as the plugin uses them. */
export interface BalancingSettings {
  readonly margin: number;
  readonly sensitivity: number;
  readonly load: LoadSettings;
}

export function balancingSettings(given: Partial<LoadVariationRiskBalancingArgs>): BalancingSettings {
  const args = { ...LOAD_VARIATION_RISK_BALANCING_DEFAULTS, ...given };
  return {
    margin: args.safeVarianceMargin,
    sensitivity: args.safeVarianceSensitivity,
    load: loadSettings(args, false),
  };
}
