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

const FIELDS = ['safeVarianceMargin', 'safeVarianceSensitivity', ...LOAD_ARGS_FIELDS];

/** Checks and completes the arguments; an ArgsValidator for the config reader. */
export function readLoadVariationRiskBalancingArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', FIELDS);
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
  const factor = reader.number(value, path);
  const fallback = LOAD_VARIATION_RISK_BALANCING_DEFAULTS[path];
  if (factor === undefined || factor >= 0) return factor ?? fallback;
  reader.warn(path, `${factor} means the default ${fallback}: give 0 or more, or leave it out`);
  return fallback;
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
